/**
 * Time as memd uses it: instants in epoch milliseconds, days and months in the
 * workspace's time zone, periods as people and programs write them. Pure; the
 * current time comes from the clock port.
 */
import { defined } from "./collections.js";

export type EpochMs = number & { readonly __unit: "epoch ms" };
/** A local calendar day, `YYYY-MM-DD`. */
export type Day = string & { readonly __unit: "day" };
/** A local calendar month, `YYYY-MM`. */
export type Month = string & { readonly __unit: "month" };

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export function epochMs(ms: number): EpochMs {
  return ms as EpochMs;
}

export function later(at: EpochMs, ms: number): EpochMs {
  return epochMs(at + ms);
}

export function isoOf(at: EpochMs): string {
  return new Date(at).toISOString();
}

const PRINTED_CHARS = "2026-01-28T14:03:22.104Z".length;
/** To print a time again takes longer than all else of reading it. */
const ON_A_DAY_OF_ALL_MONTHS =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
const EARLIEST_MS = Date.parse("0001-01-02T00:00:00Z");
const LATEST_MS = Date.parse("9999-12-30T23:59:59.999Z");

/**
 * An ISO 8601 instant, or undefined where the text is no date. A date without
 * an offset is read as UTC, so that a file means the same on every machine.
 */
export function parseInstant(text: string): EpochMs | undefined {
  // Nearly all are as memd prints them, and hundreds of thousands are read at a start.
  if (text.length === PRINTED_CHARS) {
    const printed = Date.parse(text);
    const isInRange = printed >= EARLIEST_MS && printed <= LATEST_MS;
    if (isInRange && (ON_A_DAY_OF_ALL_MONTHS.test(text) || isoOf(epochMs(printed)) === text))
      return epochMs(printed);
  }
  const shape =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i.exec(
      text.trim(),
    );
  if (shape === null) return undefined;
  const [, day = "", clock = "00:00", offset = "Z"] = shape;
  const [, hours, minutes = "00"] = /^([+-]\d{2}):?(\d{2})?$/.exec(offset) ?? [];
  const colon = hours === undefined ? "Z" : `${hours}:${minutes}`;
  const ms = Date.parse(`${day}T${clock.replace(",", ".")}${colon}`);
  // Date.parse rolls 30 February over into March; a day that does not exist is no date.
  const exists = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(ms) || Number.isNaN(exists.getTime()) || exists.toISOString().slice(0, 10) !== day)
    return undefined;
  // Beyond these, with its offset, it could not be written down again with four digits of a year.
  return ms < EARLIEST_MS || ms > LATEST_MS ? undefined : epochMs(ms);
}

/** Local calendar of one IANA time zone. `Intl` formatting is slow, so one formatter is kept per zone. */
export interface Zone {
  readonly name: string;
  dayOf(at: EpochMs): Day;
  /** `HH:MM:SS`. */
  clockOf(at: EpochMs): string;
}

/** From 1972 on all zones are whole minutes apart, so that days begin with one. */
const WHOLE_MINUTES_FROM_MS = Date.UTC(1972, 11, 31);
/** No zone has left its offset and come back to it within so long. */
const WEEK_MS = 7 * DAY_MS;
/** Sixty years of them. */
const MOST_WEEKS = 3200;

/** Throws RangeError for a name that is no IANA time zone. */
export function zoneOf(name: string): Zone {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone: name,
    calendar: "gregory",
    numberingSystem: "latn",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  });
  const asked = (at: EpochMs): string => {
    const f = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
    const day = `${(f["year"] ?? "").padStart(4, "0")}-${f["month"]}-${f["day"]}`;
    return `${day}T${f["hour"]}:${f["minute"]}:${f["second"]}`;
  };
  const offsetMs = (at: number): number => Date.parse(`${asked(epochMs(at))}Z`) - at;
  /** Of the weeks that begin and end with the same; of others nothing is known. */
  const offsets = new Map<number, number | undefined>();
  const offsetIn = (week: number): number | undefined => {
    if (offsets.has(week)) return offsets.get(week);
    if (offsets.size >= MOST_WEEKS) offsets.clear();
    const [first, last] = [offsetMs(week * WEEK_MS), offsetMs((week + 1) * WEEK_MS)];
    const offset = first === last ? first : undefined;
    offsets.set(week, offset);
    return offset;
  };
  const local = (at: EpochMs): string => {
    const offset = at > WHOLE_MINUTES_FROM_MS ? offsetIn(Math.floor(at / WEEK_MS)) : undefined;
    return offset === undefined ? asked(at) : new Date(at + offset).toISOString();
  };
  return {
    name,
    dayOf: (at) => local(at).slice(0, "2026-01-28".length) as Day,
    clockOf: (at) => local(at).slice("2026-01-28T".length, "2026-01-28T14:03:00".length),
  };
}

/** Asked for every line of a prompt, so without a `Date`. */
export function isDay(text: string): text is Day {
  const [, year = "", month = "", day = ""] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  const last = lastOfMonth(Number(year), Number(month));
  return Number(day) >= 1 && Number(day) <= last && text > EARLIEST_DAY && text < LATEST_DAY;
}

/** A day further out could not be written down with every offset. */
const EARLIEST_DAY = "0001-01-01";
const LATEST_DAY = "9999-12-31";

/** 0 where there is no such month. */
function lastOfMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [31, 0, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

export function isMonth(text: string): text is Month {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text);
}

export function monthOf(day: Day): Month {
  return day.slice(0, 7) as Month;
}

/** Whole days from `from` to `to`; negative when `to` is earlier. Calendar days: no clock change can shift it. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}

/** Inside that day in nearly every time zone. */
export function noonOf(day: Day): EpochMs {
  return epochMs(Date.parse(`${day}T12:00:00Z`) || 0);
}

export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10) as Day;
}

export function lastDayOf(month: Month): Day {
  // Four days behind the 28th it is the next month in any case.
  const next = monthOf(addDays(`${month}-28` as Day, 4));
  return addDays(`${next}-01` as Day, -1);
}

/** Whole months from `from` to `to`. */
export function monthsBetween(from: Month, to: Month): number {
  const count = (month: Month): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7));
  return count(to) - count(from);
}

/** `2026-01-28 14:03`. */
export function minuteOf(at: EpochMs, zone: Zone): string {
  return `${zone.dayOf(at)} ${zone.clockOf(at).slice(0, 5)}`;
}

/** A local day, whole, or an instant; both inclusive. */
export type Bound = { day: Day } | { at: EpochMs };

/** Undefined when the text is neither `YYYY-MM-DD` nor an ISO 8601 instant. */
export function boundOf(text: string): Bound | undefined {
  const trimmed = text.trim();
  if (isDay(trimmed)) return { day: trimmed };
  const at = parseInstant(trimmed);
  return at === undefined ? undefined : { at };
}

export interface Period {
  from?: Bound;
  to?: Bound;
}

/** A period whose ends are the wrong way round is turned, with a warning. */
export function orderedPeriod({ from, to }: Period, zone: Zone): { period: Period; warnings: string[] } {
  if (from === undefined || to === undefined || !isLater(from, to, zone))
    return { period: defined({ from, to }), warnings: [] };
  const warnings = ["The period ended before it began: its two ends were swapped."];
  return { period: { from: to, to: from }, warnings };
}

function isLater(a: Bound, b: Bound, zone: Zone): boolean {
  return "at" in a && "at" in b ? a.at > b.at : dayAt(a, zone) > dayAt(b, zone);
}

export function dayAt(bound: Bound, zone: Zone): Day {
  return "day" in bound ? bound.day : zone.dayOf(bound.at);
}
