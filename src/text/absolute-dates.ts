/**
 * Relative dates made absolute: "tomorrow" → "tomorrow (2026-01-29)",
 * "下周三" → "下周三 (2026-02-04)".
 *
 * Pure once loaded. The phrase stays and the date is added behind it, so a
 * wrong guess never destroys what was said. Only phrases that name one day,
 * week, month or year count; "for 5 days", "3/4" and "v2.1" are left alone, and
 * so is a bare weekday of which nobody can say whether it is past or to come.
 */
import { addDays, type Day } from "../model/time.js";

/** Adds the dates, counted from the local day on which it was said. */
export type AbsoluteDates = (text: string, day: Day) => string;

const MOST_KNOWN = 1000;

/** Where a relative date stands, and what it means: `YYYY-MM-DD`, `YYYY-MM`, `YYYY` or a week, `A – B`. */
export interface DatePhrase {
  from: number;
  to: number;
  date: string;
}

/** In order, none inside another. */
export type DatePhrases = (text: string, day: Day) => DatePhrase[];

/** Also needs chrono-node: see `loadDatePhrases`. */
export async function loadAbsoluteDates(): Promise<AbsoluteDates> {
  const phrasesOf = await loadDatePhrases();
  return (text, day) => {
    let result = "";
    let done = 0;
    for (const { to, date } of phrasesOf(text, day)) {
      result += `${text.slice(done, to)} (${date})`;
      done = to;
    }
    return result + text.slice(done);
  };
}

let loaded: Promise<DatePhrases> | undefined;

/** Once for the process. chrono-node takes a third of a second to load: ask for it when there is a text to read. */
export function loadDatePhrases(): Promise<DatePhrases> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<DatePhrases> {
  const [en, zh] = await Promise.all([import("chrono-node/en"), import("chrono-node/zh")]);
  const known = new Map<string, Day | undefined>();
  const day = (text: string, reference: Day): Day | undefined => {
    const key = `${reference} ${text}`;
    if (known.has(key)) return known.get(key);
    // Phrases are few; a long life with many days begins anew.
    if (known.size >= MOST_KNOWN) known.clear();
    const solved = solveWithChrono(text, reference);
    known.set(key, solved);
    return solved;
  };
  const solveWithChrono = (text: string, reference: Day): Day | undefined => {
    const at = { instant: new Date(`${reference}T12:00:00Z`), timezone: 0 };
    const parser = /[\u4e00-\u9fff]/.test(text) ? zh.hans.casual : en.casual;
    const start = parser.parse(text, at).find((result) => result.text.length >= text.length - 1)?.start;
    if (start === undefined) return undefined;
    const [y, m, d] = (["year", "month", "day"] as const).map((field) =>
      String(start.get(field) ?? 0).padStart(2, "0"),
    );
    return `${y}-${m}-${d}` as Day;
  };
  return (text, reference) => {
    const kept = protectedRanges(text);
    const found = [...phrasesIn(text, reference, day)]
      .filter(({ from, to }) => !kept.some(([start, end]) => from < end && to > start))
      .filter(({ to }) => !/^\s?[(（]\d{4}\b/.test(text.slice(to)))
      .sort((a, b) => a.from - b.from || b.to - a.to);
    let done = 0;
    return found.filter(({ from, to }) => {
      if (from < done) return false;
      done = to;
      return true;
    });
  };
}

type Solve = (phrase: string, reference: Day) => Day | undefined;

const NUMBER = "\\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve";
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const EN_DAY =
  /\b(?:(?:the )?day before yesterday|(?:the )?day after tomorrow|today|tonight|tomorrow|yesterday|last night|this (?:morning|afternoon|evening))\b/gi;
const EN_COUNT = new RegExp(
  `\\b(?:in (${NUMBER}) (day|week|month|year)s?\\b(?! or | to )|(${NUMBER}) (day|week|month|year)s? (?:ago|from now)\\b)`,
  "gi",
);
const EN_PERIOD = /\b(last|next|this) (week|weekend|month|year)\b/gi;
/** Short names only behind a word that makes them days: the sun is not a Sunday. */
const EN_WEEKDAY = new RegExp(
  `\\b(?:(last|next|this) (sun|mon|tues?|wed|thu(?:rs?)?|fri|sat)\\b|(?:(last|next|this|on|by|until|coming) )?(${WEEKDAYS.join("|")})\\b(?!s))`,
  "gi",
);

const ZH_DAY = /大前天|前天|昨[天晚日]|今[天晚早日]|明[天晚早日]|大后天|(?<!先天)后天|大後天|(?<!先天)後天/g;
const ZH_NUMBER = "\\d{1,3}|[一二两三四五六七八九十半]{1,3}";
const ZH_COUNT = new RegExp(
  `(?<![第过每\\d.一二两三四五六七八九十百](?: \\(\\d{4}[^()]*\\))?)(${ZH_NUMBER})(天|周|星期|个月|年)(以?前|以?后)(?!端|置|台|缀)`,
  "g",
);
const ZH_PERIOD =
  /(?<![以早晚马])(上|下|这|本)个?(周|星期|月)(?![一二三四五六日天末底初中内份\d球]|期|年)|(?:前|去|今|明|后)年(?!级|轻|龄|纪)/g;
const ZH_WEEKDAY = /(上上|下下|上|下|这|本)个?(?:周|星期|礼拜)([一二三四五六日天末])/g;

/** Every phrase with its date. Where chrono reads it otherwise than people mean it, the calendar is counted here. */
function* phrasesIn(text: string, today: Day, solve: Solve): Generator<DatePhrase> {
  const at = (match: RegExpMatchArray, date: string | undefined): DatePhrase[] =>
    date === undefined ? [] : [{ from: match.index ?? 0, to: endOf(match), date }];
  const endOf = (match: RegExpMatchArray): number => {
    const end = (match.index ?? 0) + match[0].length;
    return /^['’]s\b/.test(text.slice(end, end + 3)) ? end + 2 : end;
  };

  for (const match of text.matchAll(EN_DAY)) {
    const phrase = match[0].toLowerCase();
    const named = /^this /.test(phrase) ? "today" : phrase.replace(/^(?:the )?day after/, "the day after");
    yield* at(match, solve(named.replace(/^(?:the )?day before/, "the day before"), today));
  }
  for (const match of text.matchAll(EN_COUNT)) {
    const unit = (match[2] ?? match[4] ?? "").toLowerCase();
    yield* at(match, roughly(unit, solve(match[0], today)));
  }
  for (const match of text.matchAll(EN_PERIOD))
    yield* at(match, period(match[1] ?? "", match[2] ?? "", today));
  for (const match of text.matchAll(EN_WEEKDAY)) {
    const named = (match[2] ?? match[4] ?? "").toLowerCase().slice(0, 3);
    const weekday = WEEKDAYS.findIndex((full) => full.startsWith(named));
    const word = (match[1] ?? match[3] ?? "").toLowerCase();
    yield* at(match, weekdayDate(word, weekday, today, sentenceAround(text, match.index)));
  }

  for (const match of text.matchAll(ZH_DAY)) {
    if (beginsWord(text, match.index)) yield* at(match, solve(match[0].replace("後", "后"), today));
  }
  for (const match of text.matchAll(ZH_COUNT)) {
    const [, count = "", unit = "", side = ""] = match;
    yield* at(match, counted(count, unit, side.endsWith("前") ? -1 : 1, today));
  }
  for (const match of text.matchAll(ZH_PERIOD)) {
    const year = { 前: -2, 去: -1, 今: 0, 明: 1, 后: 2 }[match[0].charAt(0)];
    if (match[2] === undefined)
      yield* at(match, year === undefined ? undefined : shiftMonths(today, 12 * year).slice(0, 4));
    else
      yield* at(
        match,
        period(
          match[1] === "上" ? "last" : match[1] === "下" ? "next" : "this",
          match[2] === "月" ? "month" : "week",
          today,
        ),
      );
  }
  for (const match of text.matchAll(ZH_WEEKDAY)) {
    const weeks = { 上上: -2, 上: -1, 下: 1, 下下: 2 }[match[1] ?? ""] ?? 0;
    // The weekend is named by its Saturday; the Chinese week begins on Monday.
    const offset = "一二三四五六日".indexOf((match[2] ?? "").replace("天", "日").replace("末", "六"));
    yield* at(match, addDays(monday(today), weeks * 7 + offset));
  }
}

const segmenter = new Intl.Segmenter("zh", { granularity: "word" });

/** 明明早就 and 说明天气 hold the characters of a day, but not the word. */
function beginsWord(text: string, index: number): boolean {
  const from = Math.max(0, index - 20);
  const around = segmenter.segment(text.slice(from, index + 20));
  return around.containing(index - from)?.index === index - from;
}

/** "last week" is a week, "last month" a month: no more exact than what was said. */
function period(which: string, unit: string, today: Day): string | undefined {
  const step = { last: -1, this: 0, next: 1 }[which.toLowerCase()] ?? 0;
  switch (unit.toLowerCase()) {
    case "week":
      return weekOf(addDays(today, 7 * step));
    case "weekend":
      return addDays(monday(today), 7 * step + 5);
    case "month":
      return shiftMonths(today, step);
    case "year":
      return shiftMonths(today, 12 * step).slice(0, 4);
    default:
      return undefined;
  }
}

function roughly(unit: string, day: Day | undefined): string | undefined {
  if (day === undefined) return undefined;
  return { day, week: weekOf(day), month: day.slice(0, 7), year: day.slice(0, 4) }[unit];
}

function counted(count: string, unit: string, sign: 1 | -1, today: Day): string | undefined {
  const number = chineseNumber(count);
  if (number === undefined) return undefined;
  if (unit === "天") return addDays(today, sign * number);
  if (unit === "个月") return shiftMonths(today, sign * number);
  if (unit === "年") return shiftMonths(today, sign * number * 12).slice(0, 4);
  return weekOf(addDays(today, sign * number * 7));
}

/** 1–99 in digits or characters; a half is no whole number of anything. */
export function chineseNumber(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const shape = /^([一二两三四五六七八九])?(十)?([一二三四五六七八九])?$/.exec(text);
  if (shape === null) return undefined;
  const digit = (char: string | undefined): number =>
    "一二三四五六七八九".indexOf((char ?? "").replace("两", "二")) + 1;
  const [, tens, ten, ones] = shape;
  if (ten === undefined) return ones === undefined ? digit(tens) : undefined;
  return (tens === undefined ? 1 : digit(tens)) * 10 + (ones === undefined ? 0 : digit(ones));
}

const PAST = /\b(?:was|were|did|had|went|got|came|met|saw|made|took|\w{2,}ed)\b/i;
const FUTURE =
  /\b(?:will|'ll|shall|going to|gonna|let's|plan|due|deadline|tomorrow|next|must|should|need|can you|could you)\b|'ll\b/i;

function weekdayDate(word: string, weekday: number, today: Day, sentence: string): Day | undefined {
  const ahead = (weekday - weekdayOf(today) + 7) % 7;
  if (word === "last") return addDays(today, ahead - 7);
  if (word === "next") return addDays(monday(today), 7 + ((weekday + 6) % 7));
  if (word === "this" || word === "coming" || word === "by" || word === "until") return addDays(today, ahead);
  const past = PAST.test(sentence);
  if (past === FUTURE.test(sentence)) return undefined;
  // Named on that very weekday: today, or a week from it?
  if (ahead === 0) return undefined;
  return addDays(today, past ? ahead - 7 : ahead);
}

const SENTENCE_CHARS = 300;

function sentenceAround(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - SENTENCE_CHARS), at).split(/[.!?\n]/);
  const after = text.slice(at, at + SENTENCE_CHARS).split(/[.!?\n]/);
  return `${before.at(-1) ?? ""}${after[0] ?? ""}`;
}

/** Code and links are quoted, not said. */
function protectedRanges(text: string): [number, number][] {
  const quoted = /```[\s\S]*?(?:```|$)|`[^`\n]*`|\b[a-z][a-z0-9+.-]{0,20}:\/\/\S+/gi;
  return [...text.matchAll(quoted)].map((match) => [match.index, match.index + match[0].length]);
}

function weekdayOf(day: Day): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

function monday(day: Day): Day {
  return addDays(day, -((weekdayOf(day) + 6) % 7));
}

function weekOf(day: Day): string {
  return `${monday(day)} – ${addDays(monday(day), 6)}`;
}

/** `YYYY-MM`, so many months on. */
function shiftMonths(day: Day, months: number): string {
  const total = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + months;
  return `${String(Math.floor(total / 12)).padStart(4, "0")}-${String((total % 12) + 1).padStart(2, "0")}`;
}
