/**
 * Whether a sentence leaves open which day a phrase means: about three weeks ago, in three days that it took,
 * three days before a wedding, tomorrow in an old letter. Pure.
 */
import { addDays, type Day, isDay } from "../../model/time.js";
import { sentenceAround } from "./around.js";
import { monday, weekdayOf } from "./counted.js";

const MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec";
/** Beside one of these a year is a part of a date. */
const NEAR_MONTH = new RegExp(`\\b(?:${MONTHS})[a-z]*\\.?\\b`, "i");

export function isNearMonth(text: string, from: number, to: number): boolean {
  return (
    NEAR_MONTH.test(text.slice(Math.max(0, from - NEAR_CHARS), from)) ||
    NEAR_MONTH.test(text.slice(to, to + NEAR_CHARS))
  );
}

const NEAR_CHARS = 14;

const ROUGHLY =
  /(?:\b(?:about|around|roughly|approximately|approx\.?|almost|nearly|over|under|more than|less than|at least|at most|up to|close to|some|maybe|perhaps|probably|like|only|barely|hardly|good|not|not even|must have been|could have sworn it was|want to say|guess|think it was)|~)\s*$/i;
/** A number in front: two or three weeks ago, 1.5 years ago, half a year ago. */
const OF_SEVERAL =
  /(?:\d[.,/]|[½¼¾]|\bhalf|\bquarter of|\b(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|few)\s*(?:or|to|and|,|-|–)|\b\d+ \d\/)\s*$/i;

/** About three weeks ago is no week. */
export function isRough(text: string, from: number, to: number): boolean {
  const before = text.slice(Math.max(0, from - 32), from);
  return ROUGHLY.test(before) || OF_SEVERAL.test(before) || ROUGHLY_AFTER.test(text.slice(to, to + 20));
}

const ROUGHLY_AFTER =
  /^(?:,? (?:or so|or more|or less|or thereabouts|give or take|and a (?:bit|half|quarter|few|couple))\b|-?ish\b|左右|前后|上下(?!班|学|课))/i;

const COUNTED = "\\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|few|several|couple(?: of)?";
/** What is counted from the day that is named, or is the day beside it. */
const BESIDE = new RegExp(
  `(?:\\b(?:${COUNTED})\\s+(?:day|week|month|year|fortnight)s?|\\b(?:the|that)\\s+(?:day|week|month|year|night|evening|morning|weekend|\\w+day))(?:\\s+(?:ago|before|after|from|following))?\\s+$`,
  "i",
);
const BESIDE_HAN =
  /(?:[去前明后今]年|上?上个?[周月]|下?下个?[周月]|[周月年天]以?[前后]|星期|礼拜|[昨今明]天的|\d[日号]的)的?$/u;

/** "A week from next Tuesday" is not next Tuesday, 去年的今天 not today. */
export function isBesideAnother(text: string, from: number): boolean {
  // Also where the date was added before.
  if (/\bago\s+$/i.test(text.slice(Math.max(0, from - 8), from))) return true;
  const before = text.slice(Math.max(0, from - 64), from).replace(/ ?\(\d{4}[^()]*\)(?= ?$|的$)/, "");
  return BESIDE.test(before) || (BESIDE_HAN.test(before) && /^[\u4e00-\u9fff]/.test(text.slice(from)));
}

/** "In three days" is how long it takes, but where something is to come. */
export function isToCome(text: string, phrase: string, at: number): boolean {
  const sentence = sentenceAround(text, at);
  if (sentence.trim() === phrase) return true;
  if (/\btimes?\s+$/i.test(text.slice(0, at))) return false;
  const isPast =
    /\b(?:was|were|had|did|went|took|got|came|made|built|wrote|lost|won|ran|read|can|could|would|usually|always|\w{2,}ed)\b/i;
  const ahead =
    /\b(?:will|going to|gonna|am|is|are|starts?|begins?|ends?|due|leaves?|leaving|fly|flies|back|see you|moving|expires?|comes?|opens?|closes?)\b|'(?:ll|m|re|s)\b/i;
  return ahead.test(sentence) && !isPast.test(sentence);
}

/** 婚礼三天前 and 三年后他成了老板 are counted from something else. */
export function isFromToday(text: string, from: number, to: number, side: string): boolean {
  const before = text.slice(0, from);
  if (
    /(?:大概|大约|差不多|将近|至少|快|近|好像是?|[一二两三四五六七八九十\d][、,，到至或])$/u.test(before) ||
    /^(?:左右|多)/u.test(text.slice(to))
  )
    return false;
  if (
    !/(?:^|[，。；、：！？,;:!?\s]|[我你您他她它们]|早在|就在|从|是|在|于|妈|爸|哥|姐|弟|妹)$/u.test(before)
  )
    return false;
  if (side.endsWith("前")) return true;
  const [clause = ""] = /^[^，。；！？,;!?\n]{0,24}/u.exec(text.slice(to)) ?? [];
  return (
    /[会要将再]|打算|准备|开始|到期|截止|出发|见|交|回来|开会|考试/u.test(clause) && !/了|见效/u.test(clause)
  );
}

const PAST = /\b(?:was|were|did|had|went|got|came|met|saw|made|took|\w{2,}ed)\b/i;
const FUTURE =
  /\b(?:will|'ll|shall|going to|gonna|let's|plan|due|deadline|tomorrow|next|must|should|need|can you|could you)\b|'ll\b/i;

/** By the tense of its sentence. */
export function likelyDay(word: string, weekday: number, today: Day, sentence: string): Day | undefined {
  const ahead = (weekday - weekdayOf(today) + 7) % 7;
  if (word === "last") return addDays(today, ahead - 7);
  if (word === "next") return addDays(monday(today), 7 + ((weekday + 6) % 7));
  if (word === "this" || word === "coming" || word === "by" || word === "until") return addDays(today, ahead);
  const past = PAST.test(sentence);
  if (past === FUTURE.test(sentence) || ahead === 0) return undefined;
  return addDays(today, past ? ahead - 7 : ahead);
}

/** Whether a sentence is in the past. */
export function isTold(text: string, at: number): boolean {
  return PAST.test(sentenceAround(text, at));
}

/** "tomorrow or thereabouts", "their tomorrow or ours", "in five days, working days": of any kind. */
export function isLeftOpen(text: string, from: number, to: number): boolean {
  const sentence = sentenceAround(text, from);
  return (
    ROUGHLY_AFTER.test(text.slice(to, to + 20)) ||
    /\b(?:their|our|your|whose|which)\s+$|哪[个一]?$/i.test(text.slice(Math.max(0, from - 10), from)) ||
    (!CERTAIN.test(text.slice(from, to)) && NIGHT.test(sentence)) ||
    UNSURE.test(sentence)
  );
}

/** "tomorrow, Friday", said on a Wednesday, is one of two days. */
export function agreesWithWeekday(text: string, to: number, date: string): boolean {
  const [, en, han] = AND_WEEKDAY.exec(text.slice(to, to + 20)) ?? [];
  if (!isDay(date) || (en === undefined && han === undefined)) return true;
  const named =
    en === undefined
      ? "日一二三四五六".indexOf((han ?? "").replace("天", "日"))
      : ["sun", "mon", "tue", "wed", "thu", "fri", "sat"].indexOf(en.toLowerCase());
  return named === weekdayOf(date);
}

const AND_WEEKDAY =
  /^(?:,? ?\(?(?:is |'s )?(?:a )?(sun|mon|tue|wed|thu|fri|sat)[a-z]*day\b|[，,（(]?(?:是|就是)?(?:周|星期|礼拜)([一二三四五六日天])(?!个))/i;

const CERTAIN = /ago|前$/i;
/** After midnight tomorrow is to some the day that has begun. */
const NIGHT =
  /\bit(?:'?s| is) (?:only |already |past |just |gone |nearly |half |almost )*(?:midnight|(?:one|two|three|four|[1-4])(?::?\d\d)? ?(?:a\.?m\b|in the morning))|(?:现在|已经|都)(?:是)?(?:凌晨|半夜)/i;
const UNSURE =
  /\b(?:your|their|our|local|my) time\b(?! (?:is|was|off))|\b(?:working|business) days?\b|\b(?:don'?t|no idea) (?:know )?when (?:this|that|it|he|she|they) (?:was|were|wrote|said|sent|posted)|\bevery single\b|\b(?:in|it,) (?:1[5-9]\d\d|20[01]\d)\b|\balready tomorrow (?:there|for|in)\b|\balways (?:tomorrow|today|yesterday)\b|工作日|不知道(?:是)?(?:啥|什么)时候[的发说写录]|那会儿|哪个[上下本这]/iu;
