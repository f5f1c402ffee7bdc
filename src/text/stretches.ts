/**
 * A document's text in stretches of about so many words, each ending where a
 * sentence does, with the lines on which it stands.
 *
 * Pure. Blank lines are in none; a stretch holds nothing that the text does not.
 */
import { sentencesOf } from "./sentences.js";

export interface Stretch {
  text: string;
  /** 0-based, inclusive. */
  lines: readonly [number, number];
}

/** As of a long message (ranking notes). */
const STRETCH_WORDS = 60;
/** A rest shorter than this belongs to the stretch before it. */
const SHORTEST_WORDS = 20;
const SHORTEST_CHARS = 300;
/** What has few words for its length is no prose. */
const LONGEST_CHARS = 1000;
/** A word of Chinese is about so many characters. */
const HAN_PER_WORD = 1.5;
const HEADING = /^ {0,3}#{1,6}\s/;
const FENCE = /^ {0,3}(?:```|~~~)/;

interface Open {
  text: string;
  words: number;
  from: number;
  to: number;
}

export function stretchesOf(text: string): Stretch[] {
  const done: Open[] = [];
  let open: Open | undefined;
  const close = (): void => {
    const before = done.at(-1);
    if (open === undefined) return;
    const isRest = open.words < SHORTEST_WORDS && open.text.length < SHORTEST_CHARS;
    if (isRest && before !== undefined && !HEADING.test(open.text)) {
      before.text += `\n${open.text}`;
      before.words += open.words;
      before.to = open.to;
    } else done.push(open);
    open = undefined;
  };
  const add = (piece: string, line: number): void => {
    const words = wordsIn(piece);
    const isFull =
      open !== undefined &&
      ((open.words >= SHORTEST_WORDS && open.words + words > STRETCH_WORDS * 1.25) ||
        open.text.length + piece.length > LONGEST_CHARS);
    if (isFull) close();
    if (open === undefined) open = { text: piece, words, from: line, to: line };
    else {
      open.text += `${open.to === line ? " " : "\n"}${piece}`;
      open.words += words;
      open.to = line;
    }
    if (open.words >= STRETCH_WORDS) close();
  };
  let inFence = false;
  for (const [line, whole] of text.split("\n").entries()) {
    const said = whole.trim();
    if (said === "") continue;
    // What stands under a heading is about something else.
    if (!inFence && HEADING.test(whole) && (open?.words ?? 0) >= SHORTEST_WORDS) close();
    const isFence = FENCE.test(whole);
    const pieces = inFence || isFence ? [said] : sentencesOf(said);
    if (isFence) inFence = !inFence;
    for (const piece of pieces.flatMap(ofBearableLength)) add(piece, line);
  }
  close();
  return done.map(({ text: said, from, to }) => ({ text: said, lines: [from, to] }));
}

/** A sentence without end is cut between words, or between characters where it has none. */
function ofBearableLength(sentence: string): string[] {
  // The words of megabytes without a blank cannot be counted at once.
  if (sentence.length <= LONGEST_CHARS && wordsIn(sentence) <= STRETCH_WORDS * 2) return [sentence];
  const pieces: string[] = [];
  let piece = "";
  let words = 0;
  for (const [part] of sentence.matchAll(PART)) {
    const more = wordsIn(part);
    if (piece !== "" && (words + more > STRETCH_WORDS || piece.length + part.length > LONGEST_CHARS)) {
      pieces.push(piece.trim());
      piece = "";
      words = 0;
    }
    piece += part;
    words += more;
  }
  return [...pieces, piece.trim()].filter((one) => one !== "");
}

/** A character of Han, or a word with what follows it; what has no blanks is cut somewhere. */
const PART = /\p{Script=Han}[^\p{Script=Han}\s]{0,20}\s*|\S{1,200}\s*|\s+/gu;

const HAN = /\p{Script=Han}/gu;
const LATIN = /(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}_'’])+/gu;

function wordsIn(text: string): number {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  return count(LATIN) + count(HAN) / HAN_PER_WORD;
}
