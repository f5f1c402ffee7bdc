/**
 * Words that are said, typed or answered when somebody asks for a password: quoted
 * behind what asks, in the next turn of a conversation, told beside what it is not.
 *
 * Pure. Words look like any others, so a name of what is asked for stands near, a
 * verb or a turn leads to them, and they end where the clause does.
 */
import { EVERYDAY } from "./told.js";
import type { Named } from "./named.js";

const NAMED =
  "pass ?(?:word|phrase|code)s?|(?:memorable|code|safe|magic|secret|security|alarm|pass|challenge) ?words?|security answer|security question|口令|密[码碼][语語]?|通[关關]密?[语語]|密[语語]|暗[号號语語]|[账帳帐賬]密|密保|sudo|[记記][忆憶][词詞]|安全[问問][题題]|提示[问問][题題]";
const IS_NAMED = new RegExp(NAMED, "i");
const VERB =
  "(?:\\b(?:say|says|said|answer(?:s|ed)?|repl(?:y|ies|ied)|gives?|gave|quoted?|whisper(?:s|ed)?|told (?:her|him|them|it)|tell (?:her|him|them|it)|give (?:it|her|him|them)|set (?:it )?(?:up )?(?:as|to)|respond(?:s|ed)?(?: with)?|is|was|it['’]?s|types?|enter(?:s|ed)?|sends?|input|use|put|with|try)|[答说說报報念填打是为為敲][了道]?|回[复復答]?|[输輸]入?|[设設]成?|(?:通[关關]密?[语語]|密[语語]|暗[号號语語]|口令)(?= )|(?:spaces?|case|小[写寫]|空格|[连連][写寫])(?=\\s?:)|(?:whole |full )?(?:sentence|phrase)|整?句[子话話]?)[ :：,]{0,2}";
/** Not words that are told but what a sentence goes on with. */
const TALK =
  /^(?:the|it|its|i|you|yes|no|not|my|your|if|that|this|they|there|we|he|she|what|which|who|when|where|how|why|a|an|ok|okay|sorry|please|thanks|hello|hi|none|something|anything|nothing|same|enter|password|login|user\w*|email|one|never|always|just|only|all|any|for|to|in|on|at|from|but|and|or|so|as|with|right|wrong|correct|incorrect|too|yet|still|now|then|required|optional|true|false|null|root|both|do|does|did|don['’]t|can|can['’]t|monday|tuesday|wednesday|thursday|friday|saturday|sunday|english|chinese|google|apple|microsoft|windows|chrome|android|iphone|github|python|java|docker|linux|postgres\w*|redis|mysql|slack|zoom)\b/i;
const IN_SENTENCE =
  /\b(?:is|are|was|were|be|been|have|has|had|will|would|should|must|can|could|not|your|you|please|the|a|an|that|which|because|if|when|this|these|password|passphrase|error|prompt\w*|again|later|first|twice|it|me|him|her|them|us)\b/i;

const QUOTED = new RegExp(`${VERB}["“「『']([^"”」』'\\n]{4,80})(?=["”」』'])`, "gi");
const CAPITALS = new RegExp(
  `(?:${VERB}["“「『'\`]?)(\\p{Lu}[\\p{L}'’-]{2,20}(?: (?:of|the|and|\\p{Lu}[\\p{L}\\d'’-]{1,20})){0,4}?)(?=["”」』'\`]?(?:\\s?$|\\s?[\\n,.;()（，。；—–就即再才]| or | and | when | or else| to (?:her|him|them)| - ))`,
  "gu",
);
const WORDS = new RegExp(
  `(?:${VERB})([a-z]{3,14}(?:[ -][a-z]{2,14}){1,6}|[a-z]{10,40})(?=\\s?(?:$|[\\n,.;(（，。；—–]|就|即|再|才| - ))`,
  "gi",
);
const ASKED_CHARS = 130;

/** "Memorable word for the bank: Thistledown". */
const WORD_SIGNED =
  /(?:(?:memorable|code|safe|magic|secret|alarm|pass|challenge) words?|通[关關]密?[语語]|暗[号號语語])[^\n:=]{0,40}[:=]\s{0,2}(\p{Lu}[\p{L}'’-]{2,20})(?=\s?(?:$|[\n,.;()，。]))/giu;

export function spokenIn(text: string): Named[] {
  if (!OF_LOGIN.test(text) && !/\basks?\b|prompt|vault|decrypt/i.test(text)) return [];
  return [...toldIn(text), ...answeredIn(text), ...isThePassword(text), ...signedIn(text), ...mendedIn(text)];
}

function signedIn(text: string): Named[] {
  return [...text.matchAll(WORD_SIGNED)].flatMap(({ index, 0: whole, 1: value = "" }) =>
    TALK.test(value) ? [] : [asPassword(index + whole.length - value.length, value)],
  );
}

function toldIn(text: string): Named[] {
  const found: Named[] = [];
  for (const [shape, isOne] of [
    [QUOTED, isQuoted],
    [CAPITALS, isSaid],
    [WORDS, isTyped],
  ] as const)
    for (const { index, 0: whole, 1: value = "" } of text.matchAll(shape)) {
      const from = index + whole.length - value.length;
      const before = text.slice(Math.max(0, from - ASKED_CHARS), from);
      const isSentence = shape === QUOTED && value.split(" ").length >= 4 && lastNamed(before, 50);
      if ((isSentence || !TALK.test(value)) && !EVERYDAY.test(value) && isOne(value, before))
        found.push(asPassword(from, value));
    }
  return found;
}

function asPassword(from: number, value: string): Named {
  return { from, to: from + value.length, kind: "password" };
}

/** Said by one who was asked for it. */
const ASKS =
  /\b(?:asks?|asked|asking|wants?|prompts?|prompted|must|should|answer|expects?|said|told|needs?|dad|mum|set|quoted?|may i|what is|what's|unless|give)\b|[问問]|[请請]|[答说說报報设設念]|提示|要你/i;

function isQuoted(value: string, before: string): boolean {
  const words = value.split(/[ -]/).length;
  return (
    words >= 3 &&
    words <= 12 &&
    !IN_SENTENCE.test(value) &&
    (IS_NAMED.test(before) || TYPED.test(before)) &&
    !/\p{Script=Han}/u.test(value)
  );
}

const TYPED =
  /\b(?:asks?|prompt\w{0,3}|vault|unlock\w{0,3}|decrypt\w{0,3})\b[^\n]{0,60}\b(?:types?|enter|send|input)[ :]{0,2}["'“「]$/i;

function isSaid(value: string, before: string): boolean {
  return lastNamed(before, 90) && ASKS.test(before.slice(-90)) && !/\bis ?$/i.test(before);
}

function isTyped(value: string, before: string): boolean {
  const isLong =
    /^[a-z]{12,}$/i.test(value) &&
    !/(?:tion|ment|ness|ing|ed|able|ible|ally|ity|ive|ous|ence|ance|ism|ship)s?$/i.test(value);
  const isHyphened =
    /^[a-z]{2,}(?:-[a-z]{2,}){1,5}$/i.test(value) &&
    !/(?:based|in|up|out|only|free|friendly|level|specific|sensitive|generated|protected|related|known|time|factor|of|the|date|end|to|by|on|side|line)$/i.test(
      value,
    );
  const isSpaced = / /.test(value) && !IN_SENTENCE.test(value);
  if (!isLong && !isHyphened && !isSpaced) return false;
  const isHan = /\p{Script=Han}\s{0,2}["“「]?$/u.test(before);
  return isSpaced
    ? isHan
      ? (lastNamed(before, 40) && value.split(" ").length < 5) || lastNamed(before, 20)
      : lastNamed(before, 50) &&
        /\b(?:asked|asks)\b[^\n]{0,40}\b(?:answered|answers|said|replied|gave|typed?)\s?$/i.test(before)
    : lastNamed(before, 60);
}

function lastNamed(before: string, chars: number): boolean {
  return IS_NAMED.test(before.slice(-chars));
}

/** Of a conversation: the line behind one that asks. */
const ASKING_LINE = new RegExp(
  `(?:${NAMED})[^\\n?？]{0,60}[?？]["”」]?[^\\n]{0,20}\\n{1,2}[ \\t>*-]{0,4}(?:\\[?[\\d:.apm ]{0,8}\\]?\\s?)?\\*{0,2}[\\p{L} .]{1,20}[:：]\\*{0,2}\\s{0,2}["“「]?([^\\n"”」]{3,60})`,
  "giu",
);
const VALUE_OF_TURN =
  /^(?:(?:it['’]?s|its|that['’]?s|是|就是|我[设設]的是|yes|ok|um|uh|yep|好)[,，: ]{1,2}){0,2}["“「]?((?:[A-Z][\p{L}'’-]{2,20}|[a-z]{3,14})(?:[ -][\p{L}\d'’]{1,14}){0,4}|[!-~]{4,40}|\p{Script=Han}{3,10})["”」]?[.。!！]?\s{0,2}$/u;

function answeredIn(text: string): Named[] {
  if (!/[?？]/.test(text)) return [];
  return [...text.matchAll(ASKING_LINE)].flatMap(({ index, 0: whole, 1: turn = "" }) => {
    const value = VALUE_OF_TURN.exec(turn)?.[1]?.replace(/[.,]$/, "");
    if (value === undefined || TALK.test(value) || IN_SENTENCE.test(value) || NO_ANSWER.test(value))
      return [];
    return [asPassword(index + whole.length - turn.length + turn.indexOf(value), value)];
  });
}

const NO_ANSWER =
  /[不没沒知忘我你他她什么怎谢謝好的吗嗎]|^(?:sure|done|nope|yeah|great|maybe|good|thank|let|forgot|https?)/i;

const IS_THE_PASSWORD =
  /(?<![\w/.-])(?:[a-z]{2,14}(?:-[a-z]{2,14}){1,6}|[a-z]{3,20}_[a-z]{3,20})(?=,? (?:is|was) (?:the|my|our|their) (?:\w{1,12} ){0,2}(?:pass(?:word|phrase|code)|pw)\b|\s?(?:就是|是)[^\n]{0,10}(?:密[码碼]|口令))/gi;

function isThePassword(text: string): Named[] {
  if (!/\b(?:is|was) (?:the|my|our|their) [\w ]{0,24}(?:pass|pw)|是[^\n]{0,10}(?:密|口令)/i.test(text))
    return [];
  return [...text.matchAll(IS_THE_PASSWORD)].map(({ index, 0: value }) => asPassword(index, value));
}

/** "it's kestrel_91, not kestral_91": what one is mistaken for is as good as told. */
export function mistakenFor(text: string, found: readonly Named[]): Named[] {
  return found.flatMap(({ from, to, kind }): Named[] => {
    const value = text.slice(from, to);
    if (value.length < 6 || !/\d/.test(value) || /\s/.test(value)) return [];
    const [start, end] = [Math.max(0, from - 70), Math.min(text.length, to + 70)];
    return [...text.slice(start, end).matchAll(/[!-~]{6,64}/g)].flatMap(({ index, 0: word }): Named[] => {
      const other = word.replace(/^["'`(:=]{1,3}|["'`).,;:?!…]{1,4}$/g, "");
      const at = start + index + word.indexOf(other);
      const isApart = at >= to || at + other.length <= from;
      return isApart && other !== value && isAlike(other, value)
        ? [{ from: at, to: at + other.length, kind }]
        : [];
    });
  });
}

/** The same where neither is told any other way. */
const OF_LOGIN = new RegExp(`${NAMED}|\\blog-?in|登[录錄入]`, "i");
const MENDED =
  /\bnot\b|\bno[:,]|typo|misspel|mistyped|instead|should be|[应應][该該]是|不是|而非|才[对對]|更正|[写寫打][错錯]/gi;

function mendedIn(text: string): Named[] {
  return [...text.matchAll(MENDED)].flatMap(({ index }): Named[] => {
    const start = Math.max(0, index - 70);
    if (!OF_LOGIN.test(text.slice(Math.max(0, index - 130), index + 100))) return [];
    const words = [...text.slice(start, index + 70).matchAll(/(?=[!-~]{0,40}[\d_!@#$%&*])[!-~]{6,64}/g)].map(
      ({ index: at, 0: word }) => {
        const value = word.replace(/^["'`(:=]{1,3}|["'`).,;:?!…]{1,4}$/g, "");
        return { value, from: start + at + word.indexOf(value) };
      },
    );
    return words
      .filter(({ value }) => words.some((other) => other.value !== value && isAlike(other.value, value)))
      .map(({ from, value }) => asPassword(from, value));
  });
}

function isAlike(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1 || one.length < 6) return false;
  let [head, tail] = [0, 0];
  const most = Math.min(one.length, other.length);
  while (head < most && one[head] === other[head]) head++;
  while (tail < most - head && one.at(-1 - tail) === other.at(-1 - tail)) tail++;
  return Math.max(one.length, other.length) - head - tail <= 2;
}
