/**
 * Whether a sentence leaves open which day a phrase means: about three weeks ago, in three days that it took,
 * three days before a wedding, tomorrow in an old letter. Pure.
 */
import { addDays, type Day } from "../model/time.js";
import { monday, weekdayOf } from "./counted-days.js";

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

/** About three weeks ago is no week. */
export function isRough(text: string, at: number): boolean {
  return /\b(?:about|around|roughly|almost|nearly|over|more than|less than|at least|some|maybe|like|only)\s+$/i.test(
    text.slice(0, at),
  );
}

/** "In three days" is how long it takes, but where something is to come. */
export function isToCome(text: string, phrase: string, at: number): boolean {
  const sentence = sentenceAround(text, at);
  if (sentence.trim() === phrase) return true;
  const isPast =
    /\b(?:was|were|had|did|went|took|got|came|made|built|wrote|lost|won|ran|read|can|could|would|usually|always|\w{2,}ed)\b/i;
  const ahead =
    /\b(?:will|going to|gonna|am|is|are|starts?|begins?|ends?|due|leaves?|leaving|fly|flies|back|see you|moving|expires?|comes?|opens?|closes?)\b|'(?:ll|m|re|s)\b/i;
  return ahead.test(sentence) && !isPast.test(sentence);
}

export function sentenceAround(text: string, at: number): string {
  const [after = ""] = /^[^.!?\n]*/.exec(text.slice(at, at + SENTENCE_CHARS)) ?? [];
  return begunBefore(text, at) + after;
}

/** 婚礼三天前 and 三年后他成了老板 are counted from something else. */
export function isFromToday(text: string, from: number, to: number, side: string): boolean {
  const before = text.slice(0, from);
  if (/(?:大概|大约|差不多|将近|至少|快|近)$/u.test(before) || /^(?:左右|多)/u.test(text.slice(to)))
    return false;
  if (
    !/(?:^|[，。；、：！？,;:!?\s]|[我你您他她它们]|早在|就在|从|是|在|于|妈|爸|哥|姐|弟|妹)$/u.test(before)
  )
    return false;
  if (side.endsWith("前")) return true;
  const [clause = ""] = /^[^，。；！？,;!?\n]{0,24}/u.exec(text.slice(to)) ?? [];
  return /[会要将再]|打算|准备|开始|到期|截止|出发|见|交|回来|开会|考试/u.test(clause) && !/了/u.test(clause);
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

/** What a letter, a story or a habit tells is counted from a day that nobody knows. */
export function isToldOfAnotherTime(text: string, from: number): boolean {
  const before = begunBefore(text, from);
  return TOLD.test(before) || (TOLD_ONCE.test(before) && ONCE.test(before));
}

/** What its sentence says in front of it. */
function begunBefore(text: string, at: number): string {
  const near = text.slice(Math.max(0, at - SENTENCE_CHARS), at);
  return near.slice(Math.max(...[..."\n.!?。！？"].map((mark) => near.lastIndexOf(mark))) + 1);
}

const SENTENCE_CHARS = 300;
/** Somebody's words, and that they are of an earlier day. */
const TOLD_ONCE =
  /\b(?:said|told|promised|wrote|asked|swore|announced|claimed|thought|texted|emailed|insisted)\b|说|答应|告诉|保证|写道|通知|发誓/i;
const ONCE =
  /\b(?:last (?:week|month|year|night|\w+day|summer|winter|spring|fall|autumn)|yesterday|ago|in \d{4}|when (?:I|he|she|we|they)|that (?:day|night|morning|time)|earlier|once|years? later)\b|上(?:周|个?月|次|星期)|去年|当时|那天|那时|前年|以前|之前|昨天|前天|当年/i;
const TOLD =
  /\b(?:used to (?:say|tell|claim|promise)|always (?:says?|claims?|said|promised)|back then|at the time|(?:letters?|diary|log|novel|story|film|movie|e-?mail|voicemail|note|character|narrator)\b[^,]{0,30}\b(?:says?|said|claims?|claimed|wrote|asked|reads?|goes))\b|(?:信|邮件|日记|小说|电影|剧|故事|留言|日志|短信)(?:里|中|上)?(?:面)?(?:说|写|的主角|讲|提到)|当时说|那时说/iu;
