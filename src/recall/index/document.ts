/** What a passage is found by, and what the scorer is told of it: enough to rank it without its text. The same for every engine. */
import type { Role } from "../../model/message.js";
import type { Passage, PassageKind } from "../../model/passage.js";
import { sentencesOf } from "../../text/sentences.js";
import { termsOf } from "../../text/terms.js";
import { cuesOf } from "./cues.js";
import { partitionOf } from "./partitions.js";

export interface Document extends IndexedText {
  /** Of the passage. */
  id: string;
  kind: PassageKind;
  /** Local day or, of a month's summary, `YYYY-MM`. */
  day: string;
  role?: Role;
  speaker?: string;
  /** Its neighbours are those of the same conversation at sequence ± 1 and ± 2. */
  conversation?: string;
  sequence?: number;
  /** Of its terms. */
  signature: TermSignature;
}

export function documentOf(passage: Passage): Document {
  const { id, kind, day, role, speaker, session, sequence, text } = passage;
  const indexed = indexedTextOf(text);
  return {
    id,
    kind,
    day,
    ...(role === undefined ? {} : { role }),
    ...(speaker === undefined ? {} : { speaker }),
    // The same session in another partition is another conversation.
    ...(session === undefined || sequence === undefined
      ? {}
      : { conversation: JSON.stringify([partitionOf(passage).id, session]), sequence }),
    ...indexed,
    signature: signatureOf(repeatedTerms(indexed.vector)),
  };
}

/**
 * Which terms a text may hold, in 256 bits: most terms of a question are in most
 * texts not, and this says so without a look at the text. Pure.
 */
const WORDS = 8;
type TermSignature = Int32Array;

/** Where a term leaves its bit. */
export interface TermBit {
  word: number;
  bit: number;
}

/** FNV-1a, its upper half stirred in. */
export function termHash(term: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < term.length; index++)
    hash = Math.imul(hash ^ term.charCodeAt(index), 0x01000193);
  return hash ^ (hash >>> 15);
}

export function termBit(term: string): TermBit {
  const hash = termHash(term);
  return { word: (hash >>> 5) & (WORDS - 1), bit: 1 << (hash & 31) };
}

function signatureOf(terms: Iterable<string>): TermSignature {
  const signature = new Int32Array(WORDS);
  for (const term of terms) {
    const { word, bit } = termBit(term);
    signature[word] = (signature[word] ?? 0) | bit;
  }
  return signature;
}

/** False only where the text does not hold the term. */
export function mayHold(signature: TermSignature, { word, bit }: TermBit): boolean {
  return ((signature[word] ?? 0) & bit) !== 0;
}

/** The moment of the last of the `most` newest; -Infinity where there are not as many. */
export function momentOf(moments: readonly number[], most: number): number {
  return Float64Array.from(moments).sort().at(-most) ?? -Infinity;
}

/** A passage's text as every engine keeps it. */
interface IndexedText {
  /**
   * Each term with the positions it stands at, counted in terms: ` boat=3,17 tea=0 `. It fills one cell
   * of a row, takes little memory, and one term is found in it without parsing the rest.
   */
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
  const { length } = terms;
  return { vector: vectorOf(terms), length, windows: windowsOf(sentenceEnds), cues: cuesOf(text) };
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

/** Every term as often as it stands in the text, in no particular order. */
export function repeatedTerms(vector: string): string[] {
  const entries = vector.split(" ").filter((entry) => entry !== "");
  return entries.flatMap((entry) => {
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

/** Who said it is searchable as well: "what did Anna say about the move?" */
export function indexedTermsOf({ speaker }: Pick<Passage, "speaker">, vector: string): string[] {
  const terms = repeatedTerms(vector);
  return speaker === undefined ? terms : [...new Set(termsOf(speaker)), ...terms];
}
