/**
 * What an input asks: each of its questions by itself, and whether it can be
 * understood without what was said before it; a dialogue that somebody hands over is
 * told from a question by its turns. Pure; English and Chinese.
 */
import { withoutCourtesy, withoutIndefinites } from "./courtesy.js";
import { sentencesOf } from "./sentences.js";
import { termsOf } from "./terms.js";

/** Of a longer input or question the head is read: what it costs to answer grows with it. */
export const MOST_QUERY_CHARS = 4000;

interface Question {
  /** In the words of the input. */
  text: string;
  /** What else the input says, for what its own words leave open; empty where it asks one thing. */
  beside: string;
}

/** More than these are one question with the last. */
const MOST_QUESTIONS = 4;

const ASKS_IN_ENGLISH =
  /\b(?:what|who|whom|whose|where|which|why|how|when (?:did|do|does|is|was|are|were|will|can|should|has|have|had))\b/i;
const ASKS_IN_CHINESE =
  /什么|啥|谁|哪|几[个天号点次月年位种家条本元块]|多少|怎么|怎样|咋|为何|吗|是否|有没有|是不是|多[久长大高远贵重快]|[^，,。]{1,12}呢\s*(?:[？?]\s*)?$/u;

/** Before these a sentence goes on to ask another thing. */
const NEXT_QUESTION =
  /(?:[,;:–—]\s*(?:(?:and|or|also|plus|but)\s*)?|\s(?:and|or|also|plus)\s+(?:also\s+)?)(?=(?:what|who|whose|when|where|which|why|how)\b)|[，；;。！!、]\s*(?:(?:还有|另外|以及|顺便|然后)\s*)?/iu;
/** "How long between when we met and when we married?" is one. */
const OPEN_BETWEEN = /\bbetween\b(?!.*\band\b)/is;

/** None where it asks nothing; the whole of it where it asks one thing. */
export function questionsIn(input: string): Question[] {
  const text = withoutCourtesy(input.slice(0, MOST_QUERY_CHARS).toWellFormed().trim());
  if (text === "") return [];
  // What others asked each other is one matter.
  const pieces = isDialogue(text) ? [text] : piecesOf(text);
  const asking = pieces.filter(asks);
  if (asking.length < 2) return [{ text, beside: "" }];
  const heads = asking.slice(0, MOST_QUESTIONS - 1);
  const rest = asking.slice(MOST_QUESTIONS - 1).join(" ");
  return [...heads, rest]
    .filter((piece) => piece !== "")
    .map((piece) => ({
      text: piece,
      beside: pieces.filter((other) => !piece.includes(other)).join(" "),
    }));
}

/** Whether a text asks or bids, and is not only words to look for. */
export function asks(piece: string): boolean {
  const telling = withoutIndefinites(piece);
  return ASKS_IN_ENGLISH.test(telling) || ASKS_IN_CHINESE.test(telling) || /[?？]\s*$/.test(piece);
}

/** Clauses, each joined to the question that it belongs to. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (const sentence of sentencesOf(text)) {
    let open = "";
    for (const clause of sentence.split(NEXT_QUESTION).filter((part) => part.trim() !== "")) {
      // A clause without a word of its own ("and how much?") goes on with the question before it.
      const goesOn = OPEN_BETWEEN.test(open) || termsOf(clause).length === 0;
      if (open !== "" && !goesOn && asks(open) && asks(clause)) {
        pieces.push(open);
        open = clause.trim();
      } else open = open === "" ? clause.trim() : `${open}, ${clause.trim()}`;
    }
    if (open !== "") pieces.push(open);
  }
  return pieces;
}

/** Words that stand for something said before. */
const POINTS_IN_ENGLISH =
  /\b(?:it|its|they|them|their|theirs|he|him|his|she|her|hers|there|then|ones?(?! of)|else|both|either|neither|another|former|latter)\b|\b(?:this|that|these|those)\b(?=\s*(?:[?.!,]|$|one\b|(?:is|was|were|are|did|does|do|will|would|cost|take|happen)\w*\b))|\b(?:the|that|this)\s+(?:(?:first|second|third|last|next|other|same|previous|earlier|later)(?:\s+(?:one|time))?)\s*[?.!,]*$/i;
const ELLIPSIS_IN_ENGLISH = /^\s*(?:and|or|but|so|what about|how about|why not|how come|also|or else)\b/i;
const POINTS_IN_CHINESE =
  /[它他她]们?|这[个些家种次位款套副]?|那[个些家种次位款套副]?|其中|上[次回]|刚才|刚刚|之前|当时|后来|另(?:外)?一?[个家种]|第[一二三四五六七八九十\d]+[个次家位款条本种]|同样|来着/u;
const ELLIPSIS_IN_CHINESE = /呢\s*(?:[？?]\s*)?$|^\s*(?:那|还有|然后|所以|可是|但|或者)/u;
/** With so many words of its own a question says what it is about, pronoun or not. */
const SELF_CONTAINED_WORDS = 5;
const FEWEST_WORDS = 2;

/** Whether it leans on what was said before the input that it is of. */
export function pointsBack({ text, beside }: Question): boolean {
  const own = contentWords(text);
  // "Who is Marco, and what did he say?" is answered within.
  if (own >= SELF_CONTAINED_WORDS || contentWords(beside) >= FEWEST_WORDS) return false;
  return own < FEWEST_WORDS || saysThatItPointsBack(text);
}

/** "That one", 那个, "and the second?": in a word, not only for want of others. */
export function saysThatItPointsBack(text: string): boolean {
  return [ELLIPSIS_IN_ENGLISH, ELLIPSIS_IN_CHINESE, POINTS_IN_ENGLISH, POINTS_IN_CHINESE].some((pattern) =>
    pattern.test(text),
  );
}

/** Two characters of Chinese are about a word. */
function contentWords(text: string): number {
  let words = 0;
  for (const term of new Set(termsOf(text))) {
    if (!/\p{Script=Han}/u.test(term)) words += 1;
    else if ([...term].length === 1) words += 0.5;
  }
  return words;
}

/**
 * How much of the memory a question is about: one thing said once (`narrow`),
 * things said on several days (`list`), a time or a matter as a whole (`wide`),
 * or whatever there is, since it is no question (`open`).
 */
export type Breadth = "narrow" | "list" | "wide" | "open";

const WIDE_IN_ENGLISH =
  /\b(?:summar\w+|overview|recap|timeline|chronolog\w*|storyline|walk me through|catch me up|bring me up to|in order\b|order in which|(?:in|over) the course of|throughout|over time|step by step|from start to finish|tell me (?:all|everything|more) |everything about|what(?:'s| is| was| has been)? (?:happen\w*|going on|new with|the (?:status|state|latest))|how (?:is|are|was|were|has|have|did|does)\b.{1,80}\b(?:go|going|gone|been|progress\w*|evolv\w*|develop\w*|chang\w*|come along|coming along|turn(?:ed)? out))\b/i;
const WIDE_IN_CHINESE =
  /总结|概括|概述|回顾|梳理|捋|来龙去脉|前前后后|从头|怎么回事|什么情况|时间线|先后|顺序|经过|过程|进展|进度|(?:发生|有)了?(?:什么|哪些|啥)(?:事|变化|新)|(?:最近|近来|这段时间|上个?月|这个?月|去年|今年|[\d一二三四五六七八九十]{1,3}月).{0,20}(?:怎么样|如何|咋样|还好吗)|怎么样了|情况(?:如何|怎么样)|从.{1,20}到/u;
const LIST_IN_ENGLISH =
  /\b(?:(?:what|which)(?: \w+){0,2} \w{3,}(?<!ss|us|is|'s|as)s\b|what (?:kind|type|sort)s? of|how (?:many|often)|how much (?:in total|altogether)|list|name (?:all|the|every)|names of|all (?:the|my|of|his|her|their)|every(?: time)?|each|both|(?:what|where|who|which \w+) (?:all )?(?:has|have|'ve)\b|what(?: all)? (?:do|does|did) .{1,60}\b(?:do|like|enjoy|own|collect|have)\b|who else|what else|where else)/i;
const LIST_IN_CHINESE =
  /哪些|哪几|几[次回趟个种家位]|多少[次回趟个种]|都(?:去|吃|买|看|见|做|有|是|试|说|用|玩|学|住|干)|分别|所有|全部|一共|总共|列(?:一下|出|举)|每次|各[是个种]/u;

export function breadthOf(text: string): Breadth {
  const question = text.slice(0, MOST_QUERY_CHARS);
  if (WIDE_IN_ENGLISH.test(question) || WIDE_IN_CHINESE.test(question)) return "wide";
  if (isDialogue(question) || !asks(question)) return "open";
  return LIST_IN_ENGLISH.test(question) || LIST_IN_CHINESE.test(question) ? "list" : "narrow";
}

const HOW_OFTEN = /\bhow (?:often|many times)\b|(?:几|多少)[次回趟]/i;

/** How often something is or was done: answered by a number, and by no names. */
export function asksHowOften(text: string): boolean {
  return HOW_OFTEN.test(text.slice(0, MOST_QUERY_CHARS));
}

/** `"…" "…"`: one quoted sentence after another. */
const QUOTED = /(?<=["”])\s+(?=["“])/;
/** `<Lin Yue>: …`, wherever it stands. */
const TAGGED = /(?<=^|\s)(?=<[^<>\n]{1,40}>\s{0,2}[:：])/u;
/** `Lin Yue: …` or `[09:14] Lin Yue: …` at the start of a line. */
const HEADED =
  /^\s*(?:[[(]?\d[\d:./-]{0,20}(?: \d[\d:]{0,10})?[\])]?[ \t]{0,4})?(\p{L}[^\n:：<>"“”]{0,30})[:：](?=\s|\p{Script=Han})/u;
const FEWEST_HEADED = 3;

/** One quoted sentence after another, the oldest first; the whole text where it is something else. */
export function quotedIn(text: string): string[] {
  return text.split(QUOTED);
}

/** The oldest first; the whole text where it is no dialogue. */
export function turnsIn(text: string): string[] {
  const quoted = quotedIn(text);
  if (quoted.length > 1) return quoted;
  const tagged = text.split(TAGGED).filter((turn) => turn.trim() !== "");
  if (tagged.filter((turn) => turn.startsWith("<")).length > 1) return tagged;
  return headedTurns(text.split("\n")) ?? [text];
}

export function isDialogue(text: string): boolean {
  return turnsIn(text).length > 1;
}

/** Undefined unless somebody is answered and speaks again: notes and lists of questions have headings too. */
function headedTurns(lines: readonly string[]): string[] | undefined {
  const heads = lines.flatMap((line) => HEADED.exec(line)?.[1] ?? []);
  const speakers = new Set(heads).size;
  if (heads.length < FEWEST_HEADED || speakers < 2 || speakers === heads.length) return undefined;
  const turns: string[] = [];
  for (const [at, line] of lines.entries()) {
    const isNew = HEADED.test(line) || lines[at - 1]?.trim() === "";
    if (isNew || turns.length === 0) turns.push(line);
    else turns.push(`${turns.pop() ?? ""}\n${line}`);
  }
  return turns.filter((turn) => turn.trim() !== "");
}
