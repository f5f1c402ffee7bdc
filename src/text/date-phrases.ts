/** Where a text speaks of a time that is told from the day on which it is said. Pure. */
import { addDays, type Day, isDay } from "../model/time.js";
import {
  chineseNumber,
  counted,
  monday,
  moved,
  numberOf,
  period,
  roughly,
  shiftMonths,
  twoAway,
  weekdayOf,
  weekOf,
} from "./counted-days.js";
import { isFromToday, isNearMonth, isRough, isToCome, likelyDay, sentenceAround } from "./open-dates.js";

/** Where a relative date stands, and what it means: `YYYY-MM-DD`, `YYYY-MM`, `YYYY` or a week, `A – B`. */
export interface DatePhrase {
  from: number;
  to: number;
  date: string;
}

export type Solve = (phrase: string, reference: Day) => Day | undefined;

const NUMBER = "\\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve";
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const EN_DAY =
  /\b(?:(?:the )?day before yesterday|(?:the )?day after tomorrow|today|tonight|tomorrow|yesterday|last night|this (?:morning|afternoon|evening))\b/gi;
const EN_COUNT = new RegExp(
  `\\b(?:in (${NUMBER}) (day|week|month|year)s?\\b(?! or | to )|(${NUMBER}) (day|week|month|year)s? (?:ago|from now)\\b)`,
  "gi",
);
/** A part of one is not the whole. */
const EN_PERIOD =
  /(?<!\b(?:of|the|every|each|one|any|my|your|his|her|its|our|their|very|that|whose) )\b(?:(last|next|this) (week|month|year)|(last|this) (weekend))\b(?! of\b)/gi;
/** "next Friday" is to some the one that comes, to others the one after. */
const EN_WEEKDAY = new RegExp(
  `\\b(last|next|this|this coming|coming) (sun|mon|tues?|wed|thu(?:rs?)?|fri|sat|${WEEKDAYS.join("|")})\\b(?!s)`,
  "gi",
);
/** Short names only behind a word that makes them days: the sun is not a Sunday. */
const EN_ANY_WEEKDAY = new RegExp(
  `\\b(?:(last|next|this) (sun|mon|tues?|wed|thu(?:rs?)?|fri|sat)\\b|(?:(last|next|this|on|by|until|coming) )?(${WEEKDAYS.join("|")})\\b(?!s))`,
  "gi",
);
const EN_WEEKDAY_OF = new RegExp(`\\b(${WEEKDAYS.join("|")}) of (last|next|this) week\\b`, "gi");
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

const ZH_DAY =
  /大前天|前天(?!天)|昨[天晚日]|(?<!至)今(?:[天早日]|晚(?!报))|(?<![清文])明[天晚早日]|大后天|(?<!先天|先天不足|[全都]靠)后天(?![性的天台]|练|习得|培养|养成|形成|训练|努力|失|残|免疫|学|获得|因素|环境|教育)/g;
const ZH_NUMBER = "\\d{1,3}|[一二两三四五六七八九十半]{1,3}";
const ZH_COUNT = new RegExp(
  `(?<![第过每\\d.一二两三四五六七八九十百](?: \\(\\d{4}[^()]*\\))?)(${ZH_NUMBER})(天|周|星期|个月|年)(以?前|以?后)(?!端|置|台|缀|任|后|妻|夫|[男女]友)`,
  "g",
);
const ZH_PERIOD =
  /(?<![以早晚马上下])(上上|下下|上|下|这|本)个?(周|星期|礼拜|月)(?![一二三四五六日天末底初中内份\d球饼亮老台票薪经季色光食子嫂围边到转全杰]|期|年)|(?<![说文证])大?(?:前|去|今|明|后)年(?!级|轻|龄|纪|年|代|货|夜|份|终|薪|度|一月龄)(?:的?(\d{1,2}|[一二三四五六七八九十]{1,2})月(?:(\d{1,2}|[一二三四五六七八九十]{1,3})[日号])?)?/g;
const ZH_DAY_OF_MONTH = /(?<![以早晚马上下])([上下这本])个?月(\d{1,2})[号日]/g;
const ZH_WEEKDAY = /(上上|下下|上|下|这|本)个?(?:周|星期|礼拜)([一二三四五六日天末])/g;

/** Every phrase with its date. Where chrono reads it otherwise than people mean it, the calendar is counted here. */
export function* phrasesIn(given: Given): Generator<DatePhrase> {
  yield* inEnglish(given);
  yield* inChinese(given);
}

export interface Given {
  text: string;
  today: Day;
  solve: Solve;
  /** Also where a sentence leaves it open. */
  mayGuess: boolean;
}

/** Where a match stands, `’s` with it, and what it means. */
function at(text: string, match: RegExpMatchArray, date: string | undefined): DatePhrase[] {
  return date === undefined ? [] : [{ from: match.index ?? 0, to: endOf(text, match), date }];
}

function endOf(text: string, match: RegExpMatchArray): number {
  const end = (match.index ?? 0) + match[0].length;
  return /^['’]s\b/.test(text.slice(end, end + 3)) ? end + 2 : end;
}

function* inEnglish({ text, today, solve, mayGuess }: Given): Generator<DatePhrase> {
  for (const match of text.matchAll(EN_EXACTLY)) {
    const [, count = "", unit = "", ago, past, ahead] = match;
    const named = (past ?? ahead ?? "").toLowerCase();
    const base = addDays(today, named === "yesterday" ? -1 : named === "tomorrow" ? 1 : 0);
    yield* at(text, match, moved(base, (ago === undefined ? 1 : -1) * numberOf(count), unit.toLowerCase()));
  }
  for (const match of text.matchAll(EN_BEFORE_LAST))
    yield* at(text, match, twoAway(match[1] ?? "", /last$/i.test(match[0]) ? -2 : 2, today));
  for (const match of text.matchAll(EN_FORTNIGHT)) yield* at(text, match, weekOf(addDays(today, -14)));
  for (const match of text.matchAll(EN_WEEKDAY_OF)) {
    const weekday = WEEKDAYS.indexOf((match[1] ?? "").toLowerCase());
    const step = { last: -1, this: 0, next: 1 }[(match[2] ?? "").toLowerCase()] ?? 0;
    yield* at(text, match, addDays(monday(today), 7 * step + ((weekday + 6) % 7)));
  }
  for (const match of text.matchAll(EN_MONTH_OF)) {
    const step = { last: -1, this: 0, next: 1 }[(match[2] ?? "").toLowerCase()] ?? 0;
    const month = MONTHS.indexOf((match[1] ?? "").toLowerCase()) + 1;
    yield* at(text, match, `${Number(today.slice(0, 4)) + step}-${String(month).padStart(2, "0")}`);
  }
  for (const match of text.matchAll(EN_DAY)) {
    if (!mayGuess && isFinalNight(text, match.index, match[0])) continue;
    const phrase = match[0].toLowerCase();
    const named = /^this /.test(phrase) ? "today" : phrase.replace(/^(?:the )?day after/, "the day after");
    yield* at(text, match, solve(named.replace(/^(?:the )?day before/, "the day before"), today));
  }
  for (const match of text.matchAll(EN_COUNT)) {
    const isOpen =
      isRough(text, match.index, endOf(text, match)) ||
      (match[1] !== undefined && !isToCome(text, match[0], match.index));
    if (isOpen && !mayGuess) continue;
    const unit = (match[2] ?? match[4] ?? "").toLowerCase();
    const sign = match[1] !== undefined || /now$/i.test(match[0]) ? 1 : -1;
    yield* at(text, match, roughly(unit, sign * numberOf(match[1] ?? match[3] ?? ""), today));
  }
  for (const match of text.matchAll(EN_PERIOD)) {
    const isOfDate = match[2]?.toLowerCase() === "year" && isNearMonth(text, match.index, endOf(text, match));
    if (!isOfDate)
      yield* at(text, match, period(match[1] ?? match[3] ?? "", match[2] ?? match[4] ?? "", today));
  }
  for (const match of mayGuess ? text.matchAll(EN_ANY_WEEKDAY) : []) {
    const named = (match[2] ?? match[4] ?? "").toLowerCase().slice(0, 3);
    const weekday = WEEKDAYS.findIndex((full) => full.startsWith(named));
    const word = (match[1] ?? match[3] ?? "").toLowerCase();
    yield* at(text, match, likelyDay(word, weekday, today, sentenceAround(text, match.index)));
  }
  for (const match of text.matchAll(EN_WEEKDAY)) {
    if (mayGuess) break;
    const named = (match[2] ?? "").toLowerCase().slice(0, 3);
    const ahead = (WEEKDAYS.findIndex((full) => full.startsWith(named)) - weekdayOf(today) + 7) % 7;
    const word = match[1]?.toLowerCase();
    // Named on that very weekday: that day, or one of another week?
    if (ahead === 0) continue;
    // Of the week that is, or of the one before or behind it? Only where it is the same day for everybody.
    const isStillAhead = addDays(today, ahead) < addDays(monday(today), 7);
    if ((word === "next" && isStillAhead) || (word === "last" && !isStillAhead)) continue;
    if (word === "this" && !isStillAhead) continue;
    yield* at(text, match, addDays(today, word === "last" ? ahead - 7 : ahead));
  }
}

function* inChinese({ text, today, solve, mayGuess }: Given): Generator<DatePhrase> {
  for (const match of text.matchAll(ZH_DAY)) {
    if (beginsWord(text, match.index)) yield* at(text, match, solve(match[0].replace("後", "后"), today));
  }
  for (const match of text.matchAll(ZH_COUNT)) {
    const [, count = "", unit = "", side = ""] = match;
    if (!mayGuess && !isFromToday(text, match.index, endOf(text, match), side)) continue;
    yield* at(text, match, counted(count, unit, side.endsWith("前") ? -1 : 1, today));
  }
  for (const match of text.matchAll(ZH_DAY_OF_MONTH)) {
    const month = shiftMonths(today, { 上: -1, 下: 1 }[match[1] ?? ""] ?? 0);
    const named = `${month}-${(match[2] ?? "").padStart(2, "0")}`;
    if (isDay(named)) yield* at(text, match, named);
  }
  for (const match of text.matchAll(ZH_PERIOD)) {
    const isFar = match[0].startsWith("大");
    const year = { 前: -2, 去: -1, 今: 0, 明: 1, 后: 2 }[match[0].charAt(isFar ? 1 : 0)];
    if (match[2] === undefined) {
      if (year === undefined) continue;
      const named = shiftMonths(today, 12 * (year + (isFar ? Math.sign(year) : 0))).slice(0, 4);
      const month = match[3] === undefined ? undefined : chineseNumber(match[3]);
      const day = match[4] === undefined ? undefined : chineseNumber(match[4]);
      const parts = [month, day].flatMap((part) =>
        part === undefined ? [] : [String(part).padStart(2, "0")],
      );
      const date = [named, ...parts].join("-");
      if (parts.length < 2 || isDay(date)) yield* at(text, match, date);
    } else if ((match[1]?.length ?? 0) > 1) {
      const steps = match[1]?.startsWith("上") === true ? -2 : 2;
      yield* at(
        text,
        match,
        match[2] === "月" ? shiftMonths(today, steps) : weekOf(addDays(today, 7 * steps)),
      );
    } else
      yield* at(
        text,
        match,
        period(
          match[1] === "上" ? "last" : match[1] === "下" ? "next" : "this",
          match[2] === "月" ? "month" : "week",
          today,
        ),
      );
  }
  for (const match of text.matchAll(ZH_WEEKDAY)) {
    if (!endsWord(text, endOf(text, match))) continue;
    const weeks = { 上上: -2, 上: -1, 下: 1, 下下: 2 }[match[1] ?? ""] ?? 0;
    // The Chinese week begins on Monday.
    const offset = "一二三四五六日".indexOf((match[2] ?? "").replace("天", "日").replace("末", "六"));
    const day = addDays(monday(today), weeks * 7 + offset);
    yield* at(text, match, match[2] === "末" ? `${day} – ${addDays(day, 1)}` : day);
  }
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

/** What goes on with the character that would be the weekday: 上周一直, 下周三点, 这星期天气. */
const GOES_ON =
  /^(?:一[直些共样起个定家百点切般边旦律向次同下会]|二[手姐哥十次胎]|三[岁次亚十哥姐点个分]|四[个处川次十周]|五[个星次月点十官]|六[个点一日次十]|日[本语子记历照常]|天[气天空线台]|末[日考班期])/u;

function endsWord(text: string, end: number): boolean {
  if (GOES_ON.test(text.slice(end - 1, end + 1))) return false;
  const from = Math.max(0, end - 20);
  const around = segmenter.segment(text.slice(from, end + 20));
  const next = around.containing(end - from);
  return next === undefined || next.index === end - from;
}

const segmenter = new Intl.Segmenter("zh", { granularity: "word" });

/** 明明早就 and 说明天气 hold the characters of a day, but not the word. */
function beginsWord(text: string, index: number): boolean {
  const from = Math.max(0, index - 20);
  const around = segmenter.segment(text.slice(from, index + 20));
  return around.containing(index - from)?.index === index - from;
}
