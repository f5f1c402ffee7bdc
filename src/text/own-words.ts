/**
 * What of a text is its writer's own, and what they only pass on: quotations,
 * code, pasted pages, transcripts, what a tool gave, what "the page said".
 *
 * Pure, and linear in the length of the text. Whose words follow a head is
 * told-by.ts.
 */
import { fenceAfter, sentencesOf } from "./sentences.js";
import { isAnothers, isClaimedByAnother } from "./told-by.js";

export interface Spoken {
  sentence: string;
  /** As long as the sentence, with `·` for what is somebody else's. */
  own: string;
  /** Somebody else speaks in it as "I", or says something of its writer, with nothing around their words. */
  isPassedOn: boolean;
}

const BLANK = "·";

/** The sentences of a text, with whose words they are. `speakers`: names of the writer, before whose colon they speak themselves. */
export function spokenIn(given: string, speakers: readonly string[] = []): Spoken[] {
  const text = given.replaceAll("\r\n", "\n");
  const mine = ownIn(text, speakers);
  let at = 0;
  return sentencesOf(text).map((sentence) => {
    const from = Math.max(at, text.indexOf(sentence, at));
    at = from + sentence.length;
    const own = mine.slice(from, at);
    return { sentence, own, isPassedOn: isPassedOn(sentence, own) };
  });
}

/** `change` of what is the writer's own; everything else stays as it is. */
export function inOwnWords(
  text: string,
  speakers: readonly string[],
  change: (own: string) => string,
): string {
  if (text.includes(HOLE)) return text;
  const mine = ownIn(text, speakers);
  if (mine === text) return change(text);
  const others: string[] = [];
  let open = "";
  for (let at = 0; at < text.length; at++) {
    if (mine.charAt(at) === text.charAt(at)) open += text.charAt(at);
    else {
      const from = at;
      while (at + 1 < text.length && mine.charAt(at + 1) !== text.charAt(at + 1)) at++;
      open += HOLE;
      others.push(text.slice(from, at + 1));
    }
  }
  let next = 0;
  return change(open).replaceAll(HOLE, () => others[next++] ?? "");
}

/** Private to this file: stands for what may not be changed. */
const HOLE = "\uE01F";

function isPassedOn(sentence: string, own: string): boolean {
  if (isClaimedByAnother(own)) return true;
  // Between quotation marks it stays somebody's, whoever reads it; behind a colon it does not.
  const open = /[:：]\s*·[^\n]*$/u.exec(own);
  return open !== null && hasI(sentence.slice(open.index));
}

function hasI(text: string): boolean {
  return /\bI\b|\b(?:my|me|we|our|us|mine|myself|call me)\b|我|俺|咱/iu.test(text);
}

/** The text with everything blanked that is somebody else's; as long as the text, line ends in their places. */
function ownIn(text: string, speakers: readonly string[]): string {
  const lines = withoutQuotations(text).split("\n");
  const given = text.split("\n");
  const own: string[] = [];
  let fence: string | undefined;
  let isPasted = false;
  for (const [index, line] of lines.entries()) {
    const raw = given[index] ?? "";
    const before = fence;
    fence = fenceAfter(raw, fence);
    const isFenced = before !== undefined || fence !== undefined;
    if (isFenced || isPasted || /^\s{0,8}(?:>|&gt;)/.test(raw)) {
      own.push(blanked(line));
      continue;
    }
    if (TOOL_LINE.test(raw) || /^-{3,} ?(?:forwarded|original)/i.test(raw)) {
      isPasted = true;
      own.push(blanked(line));
      continue;
    }
    const told = toldIn(line, speakers);
    own.push(SIGNED.test(line) ? blanked(line) : told.line);
    // A head at the end of its line leads on to what is pasted below, unless marks say where that ends.
    if (told.isOpen) isPasted = !hasMarks(given, index + 1);
  }
  return own.join("\n");
}

/** `[name: input → result]`, as an utterance tells what was called. */
const TOOL_LINE = /^\[[^\]\n:]{1,80}: [^\n]*→/u;
/** "I love deadlines. — Douglas Adams" */
const SIGNED = /[.!?…]["”]?\s{0,3}(?:[—–―]|--)\s?\p{Lu}[\p{L}.'’]{1,24}(?: \p{Lu}[\p{L}.'’]{1,24}){0,3}\s*$/u;

function hasMarks(lines: readonly string[], from: number): boolean {
  let at = from;
  while (lines[at]?.trim() === "") at++;
  const next = lines[at] ?? "";
  return /^\s{0,8}(?:>|&gt;|```|~~~|["“「『«<])/.test(next);
}

const BEGINS_BLANK = new RegExp(`^\\s{0,3}["“「『«‘'\`]?${BLANK}`);

/** A line without what follows somebody else's head and colon. */
function toldIn(line: string, speakers: readonly string[]): { line: string; isOpen: boolean } {
  let begin = 0;
  for (const { 0: colon, index } of line.matchAll(/：|:(?=\s|$|["“'‘「『\p{Script=Han}])/gu)) {
    const head = line.slice(begin, index);
    const end = index + colon.length;
    begin = end;
    // Of the sentence before it, and not of all that was said before.
    const own = head.slice(
      Math.max(
        ...[...".!?。！？"].map((mark) => head.lastIndexOf(`${mark}${/[.!?]/.test(mark) ? " " : ""}`)),
      ) + 1,
    );
    if (!isAnothers(own, speakers)) continue;
    const behind = line.slice(end);
    if (behind.trim() === "") return { line, isOpen: true };
    // Quotation marks say themselves how far it goes.
    if (BEGINS_BLANK.test(behind)) continue;
    return { line: line.slice(0, end) + blanked(behind), isOpen: false };
  }
  return { line, isOpen: false };
}

const CLOSING: Readonly<Record<string, string>> = {
  "“": "”",
  "「": "」",
  "『": "』",
  "«": "»",
  "‘": "’",
  '"': '"',
  "'": "'",
  "`": "`",
};

/** What stands between quotation marks, in back ticks or between tags is blanked, the marks stay. */
function withoutQuotations(text: string): string {
  let result = "";
  let done = 0;
  const absent = new Set<string>();
  const blank = (from: number, to: number): void => {
    result += text.slice(done, from) + blanked(text.slice(from, to));
    done = to;
  };
  for (let at = 0; at < text.length; at++) {
    const opened = openingAt(text, at);
    if (opened === undefined) continue;
    const { from, close } = opened;
    const end = absent.has(close) ? -1 : closingOf(text, from, close);
    if (end === -1 && close !== "'" && close !== "’") absent.add(close);
    // One that nobody closed goes on to the end of its paragraph; an apostrophe, a tag and a tick open nothing then.
    const to = end === -1 ? (/^["“「『«]/.test(text.charAt(at)) ? paragraphEnd(text, from) : from) : end;
    if (to <= from) continue;
    blank(from, to);
    at = to + (end === -1 ? 0 : close.length) - 1;
  }
  return result + text.slice(done);
}

function openingAt(text: string, at: number): { from: number; close: string } | undefined {
  const mark = text.charAt(at);
  if (mark === "<") {
    const [tag = "", name = ""] = /^<([a-z][\w-]{0,30})>/i.exec(text.slice(at, at + 40)) ?? [];
    return tag === "" ? undefined : { from: at + tag.length, close: `</${name}>` };
  }
  const close = CLOSING[mark];
  if (close === undefined) return undefined;
  if (text.startsWith(mark.repeat(3), at)) return { from: at + 3, close: mark.repeat(3) };
  const isStraight = mark === '"' || mark === "'" || mark === "‘";
  if (
    isStraight &&
    !/^[\s(（[,，:：;。！？—–-]?$/u.test(text.charAt(at - 1)) &&
    !/\p{Script=Han}/u.test(text.charAt(at - 1))
  )
    return undefined;
  if (isStraight && /^\s?$/.test(text.charAt(at + 1)) && mark !== '"') return undefined;
  return { from: at + 1, close };
}

const MOST_SINGLE_CHARS = 300;

/** Where it closes; an apostrophe inside a word closes nothing. -1 where it never does. */
function closingOf(text: string, from: number, close: string): number {
  if (close !== "'" && close !== "’") return text.indexOf(close, from);
  // Words in single marks are few; so an apostrophe is not looked for far.
  const until = Math.min(text.length, from + MOST_SINGLE_CHARS);
  for (let at = from; at < until; at++) {
    if (text.charAt(at) === "\n") return -1;
    if (text.charAt(at) !== close) continue;
    if (!/\p{L}/u.test(text.charAt(at + 1)) && !/\s/.test(text.charAt(at - 1))) return at;
  }
  return -1;
}

function paragraphEnd(text: string, from: number): number {
  const end = text.indexOf("\n\n", from);
  return end === -1 ? text.length : end;
}

function blanked(text: string): string {
  return text.replace(/[^\s]/g, BLANK);
}
