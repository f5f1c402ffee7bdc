/**
 * A long text in windows of so many characters, cut where a paragraph ends,
 * else a line, else a sentence, else a word.
 *
 * Pure. The windows one after another are the text.
 */
import { characterBorder } from "./sentences.js";

/** Of a window; a border that lies before it leaves the window too empty. */
const SHORTEST_SHARE = 1 / 2;

const BORDERS: readonly ((text: string) => number)[] = [
  behindBlankLine,
  lastEnd(/\n(?=[^\n])/g),
  lastEnd(/[。！？…][」』”’）]?|[.!?]["'”’)\]]*\s+/g),
  behindWord,
];

const BETWEEN_WORDS = new Set(" \t，、；：,;:");

/** Where the last match ends; 0 without one. */
function lastEnd(border: RegExp): (text: string) => number {
  return (text) => {
    let last = 0;
    for (const { index, 0: found } of text.matchAll(border)) last = index + found.length;
    return last;
  };
}

function behindWord(text: string): number {
  let end = text.length;
  while (end > 0 && !BETWEEN_WORDS.has(text.charAt(end - 1))) end--;
  return end;
}

function behindBlankLine(text: string): number {
  const blank = lastEnd(/\n[ \t]*\r?\n/g)(text.trimEnd());
  return blank === 0 ? 0 : text.length - text.slice(blank).trimStart().length;
}

/** Windows of at most `maxChars` UTF-16 units, in order, each cut when it is asked for; none is empty, and a text that fits is one. */
export function* cutWindows(text: string, maxChars: number): Generator<string, undefined> {
  let from = 0;
  while (text.length - from > maxChars) {
    const end = from + borderIn(text.slice(from, from + maxChars), text, from + maxChars);
    yield text.slice(from, end);
    from = end;
  }
  if (from < text.length) yield text.slice(from);
}

/** The last good border of a full window, which ends at `end` of the whole text. */
function borderIn(window: string, text: string, end: number): number {
  const least = Math.floor(window.length * SHORTEST_SHARE);
  const latter = window.slice(least);
  for (const border of BORDERS) {
    const last = border(latter);
    if (last > 0) return least + last;
  }
  const start = end - window.length;
  const border = characterBorder(text, end);
  if (border > start) return border - start;
  // A character as people see it may be longer than a window; a pair must not be.
  const splitsPair = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(end - 1, end + 1));
  if (!splitsPair) return window.length;
  return window.length > 1 ? window.length - 1 : 2;
}
