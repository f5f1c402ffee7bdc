/** Where an English text speaks of a time that is told from the day on which it is said. Pure. */
import { addDays } from "../../model/time.js";
import { sentenceAround } from "./around.js";
import {
  dayOfMonth,
  monday,
  moved,
  numberOf,
  period,
  roughly,
  twoAway,
  weekdayOf,
  weekOf,
} from "./counted.js";
import { isNearMonth, isRough, isToCome, isTold, likelyDay } from "./open.js";
import { at, type DatePhrase, endOf, type Given } from "./phrase.js";

const NUMBER = "\\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve";
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const EN_DAY =
  /\b(?:(?:the )?day before yesterday|(?:the )?day after tomorrow|today|tonight|tomorrow(?: week)?|yesterday|last night|this (?:morning|afternoon|evening))\b/gi;
/** Not where a weekday follows: "a week ago Monday" is that Monday, to some. */
const EN_COUNT = new RegExp(
  `\\b(?:in (${NUMBER}) (day|week|month|year)s?\\b(?! or | to )|(?<!\\b(?:this|same|that|very) (?:day|week|month|date|time) )(${NUMBER}) (day|night|week|month|year)s? (?:ago|from now)\\b(?! (?:on |last |this )?(?:${WEEKDAYS.join("|")})\\b))`,
  "gi",
);
/** A part of one is not the whole. */
const EN_PERIOD =
  /(?<!\b(?:of|the|every|each|one|any|my|your|his|her|its|our|their|very|that|whose) )(?<!\b(?:this|same|that|very) (?:time|day|week|month|weekend|season|quarter|term) )\b(?:(last|next|this) (week|month|year)|(last|this) (weekend))\b(?! (?:of|last|next)\b|-\w)/gi;
/** "The milk will last this week": the verb. */
const LASTS = /\b(?:to|will|'ll|won't|can|can't|cannot|could|should|must|doesn't|don't) $/i;
/** "next Friday" is to some the one that comes, to others the one after. */
const EN_WEEKDAY = new RegExp(
  `\\b(last|next|this|this coming|coming) (sun|mon|tues?|wed|thu(?:rs?)?|fri|sat|${WEEKDAYS.join("|")})\\b(?!s| of\\b)`,
  "gi",
);
/** Short names only behind a word that makes them days: the sun is not a Sunday. */
const EN_ANY_WEEKDAY = new RegExp(
  `\\b(?:(last|next|this) (sun|mon|tues?|wed|thu(?:rs?)?|fri|sat)\\b|(?:(last|next|this|on|by|until|coming) )?(${WEEKDAYS.join("|")})\\b(?!s))`,
  "gi",
);
const EN_WEEKDAY_OF = new RegExp(
  `(?<!day (?:to|through|till|until) )\\b(${WEEKDAYS.join("|")})(?: of)? (last|next|this) week\\b`,
  "gi",
);
const EN_DAY_OF_MONTH =
  /\bthe (?:(\d{1,2})(?:st|nd|rd|th)|(first|last)(?: day)?) of (last|next|this) month\b/gi;
const MONTHS = [
  ...["january", "february", "march", "april", "may", "june", "july", "august"],
  ...["september", "october", "november", "december"],
];
const EN_MONTH_OF = new RegExp(`\\b(${MONTHS.join("|")})(?: of)? (last|next|this) year\\b`, "gi");
/** Counted from a day that is named with it. */
const EN_EXACTLY = new RegExp(
  `\\b(${NUMBER}) (day|week|month|year)s? (?:(ago) (today|yesterday|tomorrow)|(?:from|after) (today|tomorrow))\\b`,
  "gi",
);
const EN_BEFORE_LAST = /\bthe (night|day|week|month|year) (?:before last|after next)\b/gi;
const EN_FORTNIGHT = /\ba fortnight ago\b/gi;

/** Where chrono reads it otherwise than people mean it, the calendar is counted here. */
export function* inEnglish({ text, today, solve, mayGuess }: Given): Generator<DatePhrase> {
  for (const match of text.matchAll(EN_EXACTLY)) {
    const [, count = "", unit = "", ago, past, ahead] = match;
    const named = (past ?? ahead ?? "").toLowerCase();
    const base = addDays(today, named === "yesterday" ? -1 : named === "tomorrow" ? 1 : 0);
    const date = moved(base, (ago === undefined ? 1 : -1) * numberOf(count), unit.toLowerCase());
    // A month from the 31st is to some the last of it, to others the first of the next.
    const isWhole = !/month|year/i.test(unit) || date.slice(8) === base.slice(8);
    if (isWhole || mayGuess) yield* at(text, match, date);
  }
  for (const match of text.matchAll(EN_BEFORE_LAST))
    yield* at(text, match, twoAway(match[1] ?? "", /last$/i.test(match[0]) ? -2 : 2, today));
  for (const match of text.matchAll(EN_FORTNIGHT)) yield* at(text, match, weekOf(addDays(today, -14)));
  // To some the week has begun on a Sunday, to others it ends with it.
  const isBetweenWeeks = weekdayOf(today) === 0 && !mayGuess;
  for (const match of isBetweenWeeks ? [] : text.matchAll(EN_WEEKDAY_OF)) {
    const weekday = WEEKDAYS.indexOf((match[1] ?? "").toLowerCase());
    const step = { last: -1, this: 0, next: 1 }[(match[2] ?? "").toLowerCase()] ?? 0;
    yield* at(text, match, addDays(monday(today), 7 * step + ((weekday + 6) % 7)));
  }
  for (const match of text.matchAll(EN_DAY_OF_MONTH)) {
    const month = period((match[3] ?? "").toLowerCase(), "month", today);
    const which = match[2]?.toLowerCase() === "last" ? "last" : Number(match[1] ?? 1);
    yield* at(text, match, dayOfMonth(month, which));
  }
  for (const match of text.matchAll(EN_MONTH_OF)) {
    // "We may this year", "they march next year".
    const isVerb = /^(?:may|march)$/.test(match[1] ?? "");
    if (
      isVerb &&
      !/\b(?:in|of|since|by|from|until|till|during|early|late|mid)[ -]$/i.test(text.slice(0, match.index))
    )
      continue;
    const step = { last: -1, this: 0, next: 1 }[(match[2] ?? "").toLowerCase()] ?? 0;
    const month = MONTHS.indexOf((match[1] ?? "").toLowerCase()) + 1;
    yield* at(text, match, `${Number(today.slice(0, 4)) + step}-${String(month).padStart(2, "0")}`);
  }
  for (const match of text.matchAll(EN_DAY)) {
    if (!mayGuess && isFinalNight(text, match.index, match[0])) continue;
    const phrase = match[0].toLowerCase();
    if (phrase.endsWith(" week")) {
      yield* at(text, match, addDays(today, 8));
      continue;
    }
    const named = /^this /.test(phrase) ? "today" : phrase.replace(/^(?:the )?day after/, "the day after");
    yield* at(text, match, solve(named.replace(/^(?:the )?day before/, "the day before"), today));
  }
  for (const match of text.matchAll(EN_COUNT)) {
    const isOpen =
      isRough(text, match.index, endOf(text, match)) ||
      (match[1] !== undefined && !isToCome(text, match[0], match.index));
    if (isOpen && !mayGuess) continue;
    if (/^last/i.test(match[0]) && LASTS.test(text.slice(Math.max(0, match.index - 12), match.index)))
      continue;
    const unit = (match[2] ?? match[4] ?? "").toLowerCase();
    const sign = match[1] !== undefined || /now$/i.test(match[0]) ? 1 : -1;
    yield* at(text, match, roughly(unit, sign * numberOf(match[1] ?? match[3] ?? ""), today));
  }
  for (const match of text.matchAll(EN_PERIOD)) {
    const unit = (match[2] ?? match[4] ?? "").toLowerCase();
    const isOfDate = unit === "year" && isNearMonth(text, match.index, endOf(text, match));
    // "This weekend was fun" may be told of the last one.
    const isOver = unit === "weekend" && match[3]?.toLowerCase() === "this" && isTold(text, match.index);
    const isOpen = (unit === "week" && isBetweenWeeks) || (isOver && !/[06]/.test(`${weekdayOf(today)}`));
    if (!isOfDate && (mayGuess || !isOpen))
      yield* at(text, match, period(match[1] ?? match[3] ?? "", unit, today));
  }
  for (const match of mayGuess ? text.matchAll(EN_ANY_WEEKDAY) : []) {
    const named = (match[2] ?? match[4] ?? "").toLowerCase().slice(0, 3);
    const weekday = WEEKDAYS.findIndex((full) => full.startsWith(named));
    const word = (match[1] ?? match[3] ?? "").toLowerCase();
    yield* at(text, match, likelyDay(word, weekday, today, sentenceAround(text, match.index)));
  }
  for (const match of text.matchAll(EN_WEEKDAY)) {
    if (mayGuess) break;
    if (isNoDay(match[2] ?? "", text.slice(endOf(text, match)))) continue;
    const named = (match[2] ?? "").toLowerCase().slice(0, 3);
    const ahead = (WEEKDAYS.findIndex((full) => full.startsWith(named)) - weekdayOf(today) + 7) % 7;
    const word = match[1]?.toLowerCase();
    // Named on that very weekday: that day, or one of another week?
    if (ahead === 0) continue;
    // Of the week that is, or of the one before or behind it? Only where it is the same day for everybody.
    const isStillAhead = addDays(today, ahead) < addDays(monday(today), 7);
    if ((word === "next" && isStillAhead) || (word === "last" && !isStillAhead)) continue;
    if (word === "this" && !isStillAhead) continue;
    if (word === "next" && isBetweenWeeks) continue;
    yield* at(text, match, addDays(today, word === "last" ? ahead - 7 : ahead));
  }
}

/** "this sun", "who last sat here": written small they are days only where something of a day follows, or nothing. */
function isNoDay(name: string, after: string): boolean {
  return (
    /^(?:sun|sat|wed|mon)$/.test(name) &&
    !/^(?:\W*$|[,.!?;)]| (?:at|morning|afternoon|evening|night|from|around|or|and|for|if|works)\b| ?[@\d])/.test(
      after,
    )
  );
}

/** "our last night in Rome" is the final one. */
function isFinalNight(text: string, from: number, phrase: string): boolean {
  if (phrase.toLowerCase() !== "last night") return false;
  const to = from + phrase.length;
  return (
    /\b(?:the|my|your|his|her|its|our|their|\w+est)\s+$/i.test(text.slice(0, from)) ||
    /^ (?:of|together|ever|in the \w+ house)\b/i.test(text.slice(to, to + 20))
  );
}
