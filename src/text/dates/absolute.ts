/**
 * Relative dates made absolute: "tomorrow" → "tomorrow (2026-01-29)",
 * "下周三" → "下周三 (2026-02-04)".
 *
 * Pure once loaded. The phrase stays and the date is added behind it, so a
 * wrong guess never destroys what was said. Only phrases that name one day,
 * week, month or year count; "for 5 days", "3/4" and "v2.1" are left alone. So is
 * what a sentence leaves open: a bare weekday, "next Friday", what somebody said at
 * another time; and what is no time at all: titles, names, quotations, idioms.
 */
import type { Day } from "../../model/time.js";
import { inChinese } from "./han.js";
import { inEnglish } from "./english.js";
import type { DatePhrase, Given } from "./phrase.js";
import { foldText } from "../fold.js";
import { isOfWords, isTitle, protectedRanges } from "./none.js";
import { sentenceAround } from "./around.js";
import { isToldOfAnotherTime, pastedFrom } from "./another-time.js";
import { agreesWithWeekday, isBesideAnother, isLeftOpen } from "./open.js";

/** Adds the dates, counted from the local day on which it was said. */
export type AbsoluteDates = (text: string, day: Day) => string;

const MOST_KNOWN = 1000;

/**
 * In order, none inside another. `mayGuess`: also where a sentence leaves it open, as most would take it; what
 * is looked for is found by a guess, what is written down is false by one.
 */
export type DatePhrases = (text: string, day: Day, mayGuess?: boolean) => DatePhrase[];

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
  return (text, reference, mayGuess = false) => {
    const folded = foldText(text);
    // Folding may change lengths; then the text itself is read.
    const plain = folded.length === text.length ? folded : text;
    const given: Given = { text: plain, today: reference, solve: day, mayGuess };
    const looksLike = [...inEnglish(given), ...inChinese(given)];
    if (looksLike.length === 0) return [];
    const kept = protectedRanges(text);
    const found = looksLike
      .filter(({ from, to }) => !kept.some(([start, end]) => from < end && to > start))
      .filter(({ from, to }) => !isTitle(text, from, to) && !hasItsDate(text, to));
    const pasted = mayGuess ? text.length : pastedFrom(text);
    const certain = mayGuess
      ? found
      : found.filter((phrase) => phrase.from < pasted && isCertain(text, plain, phrase, found));
    certain.sort((a, b) => a.from - b.from || b.to - a.to);
    let done = 0;
    return certain.filter(({ from, to }) => {
      if (from < done) return false;
      done = to;
      return true;
    });
  };
}

/** Whether its date was added before. */
function hasItsDate(text: string, to: number): boolean {
  return /^\s?[(（]\d{4}\b/.test(text.slice(to));
}

/** Whether any careful reader takes it for that date. */
function isCertain(
  text: string,
  plain: string,
  { from, to, date }: DatePhrase,
  all: readonly DatePhrase[],
): boolean {
  if (isOfWords(sentenceAround(text, from)) || isToldOfAnotherTime(text, from) || isLeftOpen(plain, from, to))
    return false;
  if (!agreesWithWeekday(plain, to, date)) return false;
  return !isBesideAnother(plain, from) || all.some((other) => other.from < from && other.to >= to);
}
