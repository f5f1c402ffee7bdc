/**
 * How often each part of a question is in a text, in a way that texts of
 * different lengths compare.
 *
 * Pure. A feature is a term of the question, or a pair of terms that must
 * stand side by side; the terms come first.
 */
import { termsOf } from "../text/terms.js";
import type { CorpusStatistics } from "./index/engine.js";
import { positionsIn, type IndexedText } from "./index/indexed-text.js";
import type { Question } from "./question.js";
import type { Weights } from "./weights.js";

export interface Features {
  terms: readonly string[];
  /** Indexes in `terms`: the second has to follow the first. */
  pairs: readonly (readonly [number, number])[];
  /** What holding it once is worth: of each term, then of each pair. */
  weights: Float64Array;
}

/** Frequencies by feature, each divided by how long its text is beside the average (BM25's length norm). */
export interface Evidence {
  whole: Float64Array;
  /** Of a long text, each of its windows; a short one is one window. */
  windows: readonly Float64Array[];
}

const HAN = /\p{Script=Han}/u;

/** Rarer terms weigh more; never negative, also where every passage holds the term. */
function idf(passages: number, documentFrequency: number): number {
  return Math.log(1 + (passages - documentFrequency + 0.5) / (documentFrequency + 0.5));
}

/** Of terms that no passage holds as well: they are part of what is asked. */
export function featuresOf(question: Question, corpus: CorpusStatistics, weights: Weights): Features {
  const { here, ofCommon, ofOther } = weights.rarity;
  const rarity = question.terms.map(({ term, isCommon }, index) => {
    const counted = idf(corpus.passages, corpus.documentFrequencies[index] ?? 0);
    if (HAN.test(term)) return counted ** weights.hanIdfPower;
    return here * counted + (isCommon ? ofCommon : ofOther);
  });
  const single = question.terms.map(({ weight }, index) => weight * (rarity[index] ?? 0));
  const pairs = question.pairs.map(
    ([first, second]) => weights.pair * Math.max(rarity[first] ?? 0, rarity[second] ?? 0),
  );
  return {
    terms: question.terms.map(({ term }) => term),
    pairs: question.pairs,
    weights: Float64Array.from([...single, ...pairs]),
  };
}

/** Undefined where no feature is in the text. `spoken`: terms that stand in the name of who said it. */
export function evidenceOf(
  text: IndexedText,
  { terms, pairs, weights: { length: size } }: Features,
  spoken: readonly number[],
  averageLength: number,
  { b, speakerTerm }: Weights,
): Evidence | undefined {
  const places = terms.map((term) => positionsIn(text.vector, term));
  if (spoken.length === 0 && places.every(({ length }) => length === 0)) return undefined;
  for (const [first, second] of pairs) places.push(followed(places[first] ?? [], places[second] ?? []));

  const norm = (length: number): number => 1 - b + (b * length) / averageLength;
  const perWhole = 1 / norm(text.length);
  const whole = Float64Array.from(places, ({ length }) => length * perWhole);
  const windows = text.windows.length > 1 ? inWindows(text.windows, places, size, norm) : [whole];
  for (const index of spoken)
    for (const counts of new Set([whole, ...windows])) counts[index] = (counts[index] ?? 0) + speakerTerm;
  return { whole, windows };
}

/** Which terms stand in a speaker's name; asked for each text, reckoned once for each speaker. */
export function termsInNames(terms: readonly string[]): (speaker: string | undefined) => readonly number[] {
  const known = new Map<string, readonly number[]>();
  return (speaker) => {
    if (speaker === undefined) return NONE;
    let found = known.get(speaker);
    if (found === undefined) {
      const inName = new Set(termsOf(speaker));
      found = terms.flatMap((term, index) => (inName.has(term) ? [index] : []));
      known.set(speaker, found);
    }
    return found;
  };
}

const NONE: readonly number[] = [];

function followed(places: readonly number[], by: readonly number[]): readonly number[] {
  return places.length === 0 || by.length === 0 ? NONE : places.filter((place) => by.includes(place + 1));
}

function inWindows(
  ends: readonly number[],
  places: readonly (readonly number[])[],
  size: number,
  norm: (length: number) => number,
): Float64Array[] {
  const windows = ends.map(() => new Float64Array(size));
  for (const [index, ofFeature] of places.entries()) {
    let window = 0;
    for (const place of ofFeature) {
      while (place >= (ends[window] ?? Infinity)) window += 1;
      const counts = windows[window];
      if (counts !== undefined) counts[index] = (counts[index] ?? 0) + 1;
    }
  }
  for (const [window, counts] of windows.entries()) {
    const divisor = norm((ends[window] ?? 0) - (ends[window - 1] ?? 0));
    for (let index = 0; index < size; index++) counts[index] = (counts[index] ?? 0) / divisor;
  }
  return windows;
}
