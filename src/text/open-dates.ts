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

const ROUGHLY =
  /(?:\b(?:about|around|roughly|approximately|approx\.?|almost|nearly|over|under|more than|less than|at least|at most|up to|close to|some|maybe|perhaps|probably|like|only|barely|hardly|good|not|not even|must have been|could have sworn it was|want to say|guess|think it was)|~)\s*$/i;
/** A number in front: two or three weeks ago, 1.5 years ago, half a year ago. */
const OF_SEVERAL =
  /(?:\d[.,/]|[½¼¾]|\bhalf|\bquarter of|\b(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|few)\s*(?:or|to|and|,|-|–)|\b\d+ \d\/)\s*$/i;

/** About three weeks ago is no week. */
export function isRough(text: string, from: number, to: number): boolean {
  const before = text.slice(Math.max(0, from - 32), from);
  return (
    ROUGHLY.test(before) ||
    OF_SEVERAL.test(before) ||
    /^,? (?:or so|or more|or less|give or take|ish)\b/i.test(text.slice(to, to + 16))
  );
}

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

export function sentenceAround(text: string, at: number): string {
  const [after = ""] = /^[^.!?\n]*/.exec(text.slice(at, at + SENTENCE_CHARS)) ?? [];
  return begunBefore(text, at) + after;
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
  return (
    TOLD.test(before) ||
    THEN.test(before) ||
    HABIT.test(before) ||
    (TOLD_ONCE.test(before) && (ONCE.test(before) || MEANT_THEN.test(before))) ||
    /^[^.!?\n]{0,60}\b(?:that|it|this) was (?:back )?in (?:19|20)\d\d\b/i.test(
      text.slice(from, from + SENTENCE_CHARS),
    )
  );
}

/** "She said she would leave tomorrow" may be of any day. */
const MEANT_THEN = /\b(?:would(?:n't)?|'d|had|was|were)\b/i;
/** Another time that the sentence names. */
const THEN =
  /\b(?:(?:back )?in (?:19|20)\d\d\b|by then\b|back in (?:the |college|school|january|february|march|april|may|june|july|august|september|october|november|december)|in college\b|as a (?:kid|child|teen)\b|on my wedding day\b|i remember (?:thinking|him|her|them)|when (?:i|we) (?:first )?met\b|i dreamed\b|i dreamt\b|in (?:chapter|the episode|my novel|the story|the book)\b|my character\b|write a (?:story|poem)\b|the recipe says\b)|(?:19|20)\d\d年|那时候?|那年|当年|小时候|上(?:大学|学|初中|高中)时|的时候|梦见|梦到|故事里|以前总/iu;
/** What is done again and again is of no day. */
const HABIT =
  /\b(?:always|usually|whenever|every (?:day|night|morning|evening|week|month|year|time)|each \w+day|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|never plan)\b|每[天次晚周年]|总是?(?!共|结|裁|经理|部|统)|习惯|通常|经常/iu;

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
