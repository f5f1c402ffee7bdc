/**
 * A date as a person says it to a command: "last week", "3 days ago", october,
 * 昨天, 去年十月. Pure once loaded.
 *
 * The whole text is one date, or it is none. What is looked for has been said
 * already, so a day or a month without a year is the last one that there was.
 */
import { type DatePhrases, loadDatePhrases } from "./absolute.js";
import { chineseNumber } from "./counted.js";
import { type DaySpan, spanOf } from "./span.js";
import { addDays, type Day, type EpochMs, HOUR_MS, later, MINUTE_MS, type Zone } from "../../model/time.js";

/** What was said when: whole days, or a moment. */
export type Spoken = DaySpan | { at: EpochMs };

export type SpokenDates = (text: string, now: EpochMs, zone: Zone) => Spoken | undefined;

/** Longer ones are no dates; the parser's patterns take a time that grows faster than a text. */
const MOST_CHARS = 60;

const YEAR = /^(?:19|20)\d{2}$/;

/** 5/10 is a day in May to some and in October to others. */
const AMBIGUOUS = /^\d{1,2}[/.-]\d/;

/** Also needs chrono-node, which takes a third of a second to load. */
export async function loadSpokenDates(): Promise<SpokenDates> {
  const [phrasesOf, en, zh] = await Promise.all([
    loadDatePhrases(),
    import("chrono-node/en"),
    import("chrono-node/zh"),
  ]);
  const namedDay = (text: string, today: Day): Day | undefined => {
    const parser = /\p{Script=Han}/u.test(text) ? zh.hans.casual : en.casual;
    const [found] = parser.parse(text, { instant: new Date(`${today}T12:00:00Z`), timezone: 0 });
    if (found === undefined || found.text.length !== text.length || Boolean(found.end)) return undefined;
    const { start } = found;
    if (start.isCertain("hour")) return undefined;
    const [year, month, day] = [start.get("year"), start.get("month"), start.get("day")];
    if (start.isCertain("weekday") && !start.isCertain("day"))
      return lastSuch(dayOf(year, month, day), today, (at) => addDays(at, -7));
    if (!start.isCertain("month") || !start.isCertain("day")) return undefined;
    const named = dayOf(year, month, day);
    return start.isCertain("year") ? named : lastSuch(named, today, () => dayOf((year ?? 0) - 1, month, day));
  };
  return (whole, now, zone) => {
    const text = whole.trim().replace(/\s+/g, " ").toLowerCase();
    if (text === "" || text.length > MOST_CHARS || AMBIGUOUS.test(text)) return undefined;
    const today = zone.dayOf(now);
    const agoMs = spanAgoMs(text);
    if (agoMs !== undefined) return { at: later(now, -agoMs) };
    const bare = text.replace(/^(?:in|on|during) /, "");
    if (YEAR.test(bare)) return spanOf(bare);
    const date = phraseIn(bare, today, phrasesOf) ?? monthNamed(bare, today) ?? namedDay(bare, today);
    return date === undefined ? undefined : spanOf(date);
  };
}

/** The phrase that is all of the text. */
function phraseIn(text: string, today: Day, phrasesOf: DatePhrases): string | undefined {
  return phrasesOf(text, today, true).find(({ from, to }) => from === 0 && to === text.length)?.date;
}

function lastSuch(day: Day, today: Day, before: (day: Day) => Day): Day {
  return day > today ? before(day) : day;
}

const AGO =
  /^(\d{1,4}|an?) (minute|hour)s? ago$|^(\d{1,4}|[一二两三四五六七八九十]{1,3})个?(分钟|小时)(?:以?前)$/;

/** Minutes and hours: a day of the calendar would be too much. */
function spanAgoMs(text: string): number | undefined {
  const [, count, unit, han, hanUnit] = AGO.exec(text) ?? [];
  const isHours = unit === "hour" || hanUnit === "小时";
  const number = han === undefined ? countOf(count) : chineseNumber(han);
  return number === undefined ? undefined : number * (isHours ? HOUR_MS : MINUTE_MS);
}

function countOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : /^an?$/.test(text) ? 1 : Number(text);
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";
const EN_MONTH = new RegExp(`^(last |this )?(${MONTH})(?:,? (?:of )?(\\d{4}|last year|this year))?$`);
const ZH_MONTH = /^(去年|今年|前年|\d{4}年)?的?(\d{1,2}|[一二三四五六七八九十]{1,3})月(?:份)?$/;
const ZH_YEAR = /^(\d{4})年$/;

/** `YYYY-MM`, or the year of `2025年`. */
function monthNamed(text: string, today: Day): string | undefined {
  const thisYear = Number(today.slice(0, 4));
  const thisMonth = Number(today.slice(5, 7));
  const year = ZH_YEAR.exec(text)?.[1];
  if (year !== undefined) return year;
  const english = EN_MONTH.exec(text);
  if (english !== null) {
    const [, which, name = "", named] = english;
    const month = MONTHS.indexOf(name.slice(0, 3)) + 1;
    const isPast = which === "last " ? month < thisMonth : month <= thisMonth;
    if (which !== undefined && named !== undefined) return undefined;
    if (named === "last year") return monthText(thisYear - 1, month);
    if (named === "this year" || which === "this ") return monthText(thisYear, month);
    return monthText(named === undefined ? thisYear - (isPast ? 0 : 1) : Number(named), month);
  }
  const [, which, count] = ZH_MONTH.exec(text) ?? [];
  const month = count === undefined ? undefined : chineseNumber(count);
  if (month === undefined || month < 1 || month > 12) return undefined;
  if (which === undefined) return monthText(thisYear - (month <= thisMonth ? 0 : 1), month);
  const back = { 今年: 0, 去年: 1, 前年: 2 }[which];
  return monthText(back === undefined ? Number(which.slice(0, 4)) : thisYear - back, month);
}

function monthText(year: number, month: number): string {
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}`;
}

function dayOf(year: number | null, month: number | null, day: number | null): Day {
  return `${monthText(year ?? 0, month ?? 0)}-${String(day ?? 0).padStart(2, "0")}` as Day;
}
