/**
 * A passage's text as every engine keeps it: its terms with their places, where
 * its windows end, and what kind of thing it says.
 *
 * Pure. The terms are one string, ` boat=3,17 tea=0 `: it fills one cell of a
 * row, takes little memory, and one term is found in it without parsing the rest.
 */
import { sentencesOf } from "../../text/sentences.js";
import { termsOf } from "../../text/terms.js";
import { cuesOf } from "../cues.js";

export interface IndexedText {
  /** Each term with the positions it stands at, counted in terms. */
  vector: string;
  /** Terms, repeats counted. */
  length: number;
  /** Where each window ends, in terms; the last one is `length`. */
  windows: readonly number[];
  /** A sum of `CUES`. */
  cues: number;
}

/** A long message is as good as its best stretch of about so many terms (ranking notes). */
const WINDOW_TERMS = 60;
/** A rest shorter than this belongs to the window before it. */
const SHORTEST_WINDOW_TERMS = 20;

export function indexedTextOf(text: string): IndexedText {
  const { terms, sentenceEnds } = termsBySentence(text);
  return {
    vector: vectorOf(terms),
    length: terms.length,
    windows: windowsOf(sentenceEnds),
    cues: cuesOf(text),
  };
}

const NOWHERE: readonly number[] = [];

/** Where the term stands in the text; rising. */
export function positionsIn(vector: string, term: string): readonly number[] {
  const at = vector.indexOf(` ${term}=`);
  if (at === -1) return NOWHERE;
  const from = at + term.length + 2;
  const positions: number[] = [];
  let position = 0;
  for (let index = from; ; index++) {
    const code = vector.charCodeAt(index);
    if (code >= DIGIT_ZERO) position = position * 10 + code - DIGIT_ZERO;
    else {
      positions.push(position);
      position = 0;
      // A comma, or the space that ends the entry.
      if (code !== COMMA) return positions;
    }
  }
}

const DIGIT_ZERO = 48;
const COMMA = 44;

/** Each term once. */
export function termsIn(vector: string): string[] {
  const entries = vector.split(" ").filter((entry) => entry !== "");
  return entries.map((entry) => entry.slice(0, entry.lastIndexOf("=")));
}

/** Every term as often as it stands in the text, in no particular order. */
export function repeatedTerms(vector: string): string[] {
  return vector
    .split(" ")
    .filter((entry) => entry !== "")
    .flatMap((entry) => {
      const equals = entry.lastIndexOf("=");
      return Array.from({ length: entry.slice(equals).split(",").length }, () => entry.slice(0, equals));
    });
}

function vectorOf(terms: readonly string[]): string {
  const places = new Map<string, string>();
  for (const [place, term] of terms.entries()) {
    const known = places.get(term);
    places.set(term, known === undefined ? String(place) : `${known},${place}`);
  }
  let vector = " ";
  for (const [term, at] of places) vector += `${term}=${at} `;
  return vector;
}

function termsBySentence(text: string): { terms: string[]; sentenceEnds: number[] } {
  const whole = termsOf(text);
  if (whole.length <= WINDOW_TERMS + SHORTEST_WINDOW_TERMS)
    return { terms: whole, sentenceEnds: [whole.length] };
  const terms: string[] = [];
  const sentenceEnds: number[] = [];
  for (const sentence of sentencesOf(text)) {
    for (const term of termsOf(sentence)) terms.push(term);
    sentenceEnds.push(terms.length);
  }
  return { terms, sentenceEnds };
}

/** Ends of windows at ends of sentences; a sentence without end is cut where a window is full twice over. */
function windowsOf(sentenceEnds: readonly number[]): number[] {
  const ends: number[] = [];
  let begun = 0;
  let before = 0;
  const close = (at: number): void => {
    if (at > begun) ends.push((begun = at));
  };
  for (const end of sentenceEnds) {
    if (end > begun + WINDOW_TERMS * 1.25) close(before);
    while (end > begun + WINDOW_TERMS * 2) close(begun + WINDOW_TERMS);
    if (end >= begun + WINDOW_TERMS) close(end);
    before = end;
  }
  const rest = before - begun;
  if (rest > 0 && rest < SHORTEST_WINDOW_TERMS && ends.length > 0) ends[ends.length - 1] = before;
  else close(before);
  return ends.length === 0 ? [0] : ends;
}
