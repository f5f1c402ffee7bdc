/**
 * The dates a question speaks of: "on 5 May", "in March", "last Friday",
 * "5月4号", 上周三.
 *
 * Pure once loaded. A date without a year stands for that day of any year:
 * who asks about March means the one that was talked about. Words that only
 * look like dates ("may", "the 5th") count for nothing.
 */
import type { Pace } from "../../model/work.js";
import { daysBetween, type Day } from "../../model/time.js";
import { loadDatePhrases } from "./absolute.js";
import { type DaySpan, spanOf } from "./span.js";

/** Whole days from `from` to `to`; or one day or month of every year. */
export type DateHint = (DaySpan & { isPast?: true }) | { month: number; day?: number };

export interface AskedDates {
  /** `isPast`: told as it is seen from today ("last month"), and over: what is asked for is of that time. */
  hints: readonly DateHint[];
  /** The text without the words for what is past: said of today they mean one time, in what was said then another. */
  rest: string;
}

/** `today` is the local day on which it is asked. */
export type DateHints = (text: string, today: Day) => AskedDates;

/** What the parser reads as a date of the calendar: a month, numbers with a mark between them, a number of days. */
const MAY_BE_WRITTEN_OUT =
  /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\d\s?[/.-]\s?\d|\d\s*(?:second|sec|min|hour|hr|h|day|d|week|w|month|mo|year|y)|[\d一二三四五六七八九十]\s?[年月日号天周]/i;

const MAY_BE_RELATIVE =
  /\b(?:mon|tue|wed|thu|fri|sat|sun|today|tonight|tomorrow|yesterday|(?:last|this)\s(?:night|morning|afternoon|evening)|day|week|month|year|(?:19|20)\d\d\b)|[昨今明][天晚日早]|[前后後]天|[前去今明后]年|[上下本这]个?(?:周|星期|礼拜|月)|[天周期月年]以?[前后]|星期|礼拜|周[一二三四五六日天末]/i;

/** Most questions name no date: a glance saves loading and running the parser. */
export function mayHoldDate(text: string): boolean {
  return MAY_BE_RELATIVE.test(text) || MAY_BE_WRITTEN_OUT.test(text);
}

/** A question is read so far, blanks as one: the parser's patterns take a time that grows faster than a run of them. */
const READ_CHARS = 1000;

const HAN = /\p{Script=Han}/u;

let loaded: Promise<DateHints> | undefined;

/** Once for the process. */
export function loadDateHints(): Promise<DateHints> {
  loaded ??= load();
  return loaded;
}

/** chrono-node is loaded by the first question that may name a date. */
export async function datesAskedIn(text: string, today: Day): Promise<AskedDates> {
  return mayHoldDate(text) ? (await loadDateHints())(text, today) : { hints: [], rest: text };
}

/**
 * Loads it and reads a few dates: each pattern is compiled when it is met first
 * and once more when it is met again, a fifth of a second in all.
 */
export async function warmDateHints(today: Day, pace: Pace): Promise<void> {
  const hints = await loadDateHints();
  const [en, zh] = await Promise.all([import("chrono-node/en"), import("chrono-node/zh")]);
  for (const text of WARM_UP) {
    for (const parser of (HAN.test(text) ? zh.hans.casual : en.casual).parsers) {
      const alone = new en.Chrono({ parsers: [parser], refiners: [] });
      for (let times = 0; times < COMPILED_AFTER; times++) {
        await pace();
        alone.parse(text);
      }
    }
    for (let times = 0; times < COMPILED_AFTER; times++) {
      await pace();
      hints(text, today);
    }
  }
}
const WARM_UP = ["on a Monday in May?", "五月四日星期一?"];
const COMPILED_AFTER = 2;

async function load(): Promise<DateHints> {
  const [phrasesOf, en, zh] = await Promise.all([
    loadDatePhrases(),
    import("chrono-node/en"),
    import("chrono-node/zh"),
  ]);
  return (whole, today) => {
    const text = whole.slice(0, READ_CHARS).replace(/\s+/g, (blank) => (blank.includes("\n") ? "\n" : " "));
    const phrases = phrasesOf(text, today, true);
    const parser = HAN.test(text) ? zh.hans.casual : en.casual;
    const at = { instant: new Date(`${today}T12:00:00Z`), timezone: 0 };
    const dates = MAY_BE_WRITTEN_OUT.test(text) ? parser.parse(text, at) : [];
    const written = dates.flatMap(({ index, text: found, start }): Place[] => {
      const certain = (field: "year" | "month" | "day"): number | undefined =>
        start.isCertain(field) ? (start.get(field) ?? undefined) : undefined;
      const [year, month, day] = [certain("year"), certain("month"), certain("day")];
      if (
        !WRITTEN_OUT.test(found) ||
        month === undefined ||
        (day === undefined && year === undefined && !namesMonth(text, index, found))
      )
        return [];
      return placed(index, found.length, hintOf(year, month, day));
    });
    const relative = phrases.flatMap(({ from, to, date }) => placed(from, to - from, spanOf(date)));
    const others: Place[] = [];
    for (const place of [...written, ...yearsIn(text)])
      if (![...relative, ...others].some(({ from, to }) => place.from < to && place.to > from))
        others.push(place);
    const asked = relative.filter(({ to }) => isAsked(text, to));
    // Beside a date that is named, "last week" is the one before that.
    const isNamed = others.length > 0 || /(?:19|20)\d{2}/.test(text);
    const past = isNamed ? [] : asked.filter(({ hint }) => isOver(hint, today));
    return {
      hints: [
        ...asked.map((place) =>
          past.includes(place) ? { ...place.hint, isPast: true as const } : place.hint,
        ),
        ...others.map(({ hint }) => hint),
      ],
      rest: past.length === 0 ? whole : without(past, text) + whole.slice(READ_CHARS),
    };
  };
}

/**
 * A relative date is asked about where the text ends with its sentence, and not
 * in a statement: "today deploy", "I lost it. Was it yesterday?". Otherwise it
 * tells when what is being said happens, which is now.
 */
function isAsked(text: string, at: number): boolean {
  return /^[^.!?。！？\n]*(?:(?:[?？]+|\n)["'”’」』）)\s]*)?$/.test(text.slice(at));
}

function isOver(hint: DateHint, today: Day): boolean {
  return "to" in hint && hint.to < today;
}

/** In the order of the text. */
function without(places: readonly Place[], text: string): string {
  let [rest, done] = ["", 0];
  for (const { from, to } of places) {
    rest += `${text.slice(done, from)} `;
    done = to;
  }
  return rest + text.slice(done);
}

/** chrono takes "now" and 现在 for dates as well. */
const WRITTEN_OUT =
  /\d|[一二三四五六七八九十][月日号]|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;

interface Place {
  from: number;
  to: number;
  hint: DateHint;
}

/** None where there is no such day. */
function placed(from: number, length: number, hint: DateHint | undefined): Place[] {
  return hint === undefined ? [] : [{ from, to: from + length, hint }];
}

function hintOf(year: number | undefined, month: number, day: number | undefined): DateHint | undefined {
  if (year === undefined) return { month, ...(day === undefined ? {} : { day }) };
  const written = `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}`;
  return spanOf(day === undefined ? written : `${written}-${String(day).padStart(2, "0")}`);
}

/** March, not "march"; in May, not "may": a month alone is written large, or behind a word that makes it one. */
function namesMonth(text: string, at: number, found: string): boolean {
  if (/\p{Script=Han}/u.test(found)) return true;
  return (
    /\b(?:in|of|last|next|this|by|since|until|till|early|mid|late|during|before|after)\s+$/i.test(
      text.slice(0, at),
    ) ||
    /^(?:in|of|last|next|this|by|since|until|early|mid|late|during)\b/i.test(found) ||
    (/^\p{Lu}/u.test(found) && found.length > 3 && at > 0)
  );
}

const YEAR =
  /\b(?:in|of|during|since|from|until|summer|winter|spring|autumn|fall|year)\s+((?:19|20)\d{2})\b|((?:19|20)\d{2})年/gi;

function yearsIn(text: string): Place[] {
  return [...text.matchAll(YEAR)].flatMap((match) =>
    placed(match.index, match[0].length, spanOf(match[1] ?? match[2] ?? "")),
  );
}

const NEAR_DAYS = 7;
const WEEK_DAYS = 7;
const NEAR = 0.6;

/**
 * How well a day fits: 1 within a day of a day that was named, .6 within a week
 * of it or inside a span of more than a week that is not told as past, else 0. A day off is forgiven because people
 * tell today what happened yesterday.
 */
export function fitOf(hint: DateHint, day: Day): number {
  if ("month" in hint) {
    if (hint.day === undefined) return Number(day.slice(5, 7)) === hint.month ? NEAR : 0;
    const named = hintOf(Number(day.slice(0, 4)), hint.month, hint.day);
    return named === undefined ? 0 : fitOf(named, day);
  }
  const length = daysBetween(hint.from, hint.to) + 1;
  const away = Math.max(0, daysBetween(day, hint.from), daysBetween(hint.to, day));
  if (length === 1) return away <= 1 ? 1 : away <= NEAR_DAYS ? NEAR : 0;
  if (away > 0) return 0;
  return length <= WEEK_DAYS || hint.isPast === true ? 1 : NEAR;
}
