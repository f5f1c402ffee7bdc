/**
 * The calendar that memd is held against: days by `Intl` alone, ages and tiers
 * counted here again, nothing of memd's own code.
 */

export const SECOND = 1000;
export const HOUR = 3600 * SECOND;
export const DAY = 24 * HOUR;
export const YEAR = 365.25 * DAY;

/** Not more than so many days old, a day is kept verbatim and nothing else is done with it. */
const RECENT_DAYS = 5;
/** Minutes between the attempts of one summary, then a day. */
const LADDER = [10, 30, 120, 360, 720] as const;
const LONGEST_STEP = DAY;

/** Zones with what can go wrong: far ends, odd offsets, a skipped day, a DST of half an hour or two hours, nights without a midnight. */
export const ZONES = [
  "UTC",
  "Asia/Shanghai",
  "America/New_York",
  "Pacific/Kiritimati",
  "Pacific/Apia",
  "Asia/Kathmandu",
  "Africa/Casablanca",
  "Antarctica/Troll",
  "Europe/Berlin",
  "Australia/Lord_Howe",
  "America/Sao_Paulo",
] as const;

const formats = new Map<string, Intl.DateTimeFormat>();

/** `YYYY-MM-DD` on the partition of a zone. */
export function dayIn(zone: string, at: number): string {
  let format = formats.get(zone);
  if (format === undefined) {
    const parts = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
    format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, calendar: "iso8601", ...parts });
    formats.set(zone, format);
  }
  return format.format(at);
}

export type Tier = "verbatim" | "day" | "month";

export function tierOf(day: string, today: string): Tier {
  if (number(today) - number(day) <= RECENT_DAYS) return "verbatim";
  return monthNumber(today) - monthNumber(day) <= 1 ? "day" : "month";
}

/** What the summary of a day is called in that tier. */
export function dateOf(day: string, tier: Tier): string {
  return tier === "month" ? day.slice(0, 7) : day;
}

/** When a summary that failed so often, the last time at `failedAt`, may be tried again. */
export function nextTry(attempts: number, failedAt: number, retryAfterMs = 0): number {
  const step = (LADDER[attempts - 1] ?? LONGEST_STEP / 60_000) * 60_000;
  return failedAt + Math.max(step, Math.min(retryAfterMs, LONGEST_STEP));
}

/** Before its time; but a time beyond the longest step, and a day of grace, is that of a clock set back since. */
export function isTooEarly(nextAt: number, now: number): boolean {
  return now < nextAt && nextAt - now <= LONGEST_STEP + DAY;
}

function number(day: string): number {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  return Date.UTC(year, month - 1, date) / DAY;
}

function monthNumber(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
}
