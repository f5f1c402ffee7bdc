/**
 * How often each part of a question is in a text, in a way that texts of
 * different lengths compare.
 *
 * Pure. A feature is a term of the question, or a pair of terms that must
 * stand side by side.
 */
import { termsOf } from "../text/terms.js";
import type { CorpusStatistics } from "./index/engine.js";
import { positionsIn, type IndexedText } from "./index/indexed-text.js";
import type { Question } from "./question.js";
import type { Weights } from "./weights.js";

export interface Feature {
  term: string;
  /** The term that has to follow. */
  followedBy?: string;
  /** What holding it once is worth. */
  weight: number;
}

/** Frequencies by feature, each divided by how long its text is beside the average (BM25's length norm). */
export interface Evidence {
  whole: Float64Array;
  /** Of a long text, each of its windows; a short one is one window. */
  windows: readonly Float64Array[];
  /** False where no feature is in the text. */
  any: boolean;
}

const HAN = /\p{Script=Han}/u;

/** Rarer terms weigh more; never negative, also where every passage holds the term. */
export function idf(passages: number, documentFrequency: number): number {
  return Math.log(1 + (passages - documentFrequency + 0.5) / (documentFrequency + 0.5));
}

/** Of terms that no passage holds as well: they are part of what is asked. */
export function featuresOf(question: Question, corpus: CorpusStatistics, weights: Weights): Feature[] {
  const { here, ofCommon, ofOther } = weights.rarity;
  const rarity = question.terms.map(({ term, isCommon }, index) => {
    const counted = idf(corpus.passages, corpus.documentFrequencies[index] ?? 0);
    if (HAN.test(term)) return counted ** weights.hanIdfPower;
    return here * counted + (isCommon ? ofCommon : ofOther);
  });
  const single = question.terms.map(({ term, weight }, index): Feature => {
    return { term, weight: weight * (rarity[index] ?? 0) };
  });
  const pairs = question.pairs.map(([first, second]): Feature => {
    const [term, followedBy] = [question.terms[first]?.term ?? "", question.terms[second]?.term ?? ""];
    return { term, followedBy, weight: weights.pair * Math.max(rarity[first] ?? 0, rarity[second] ?? 0) };
  });
  return [...single, ...pairs];
}

/** `spoken`: features that stand in the name of who said it. */
export function evidenceOf(
  text: IndexedText,
  features: readonly Feature[],
  spoken: readonly number[],
  averageLength: number,
  { b, speakerTerm }: Weights,
): Evidence {
  const norm = (length: number): number => 1 - b + (b * length) / averageLength;
  const long = text.windows.length > 1;
  const whole = new Float64Array(features.length);
  const windows = long ? text.windows.map(() => new Float64Array(features.length)) : [whole];
  let any = false;
  const perWhole = 1 / norm(text.length);
  for (const [index, feature] of features.entries()) {
    const places = placesOf(text.vector, feature);
    if (places.length === 0) continue;
    any = true;
    whole[index] = places.length * perWhole;
    if (!long) continue;
    let window = 0;
    for (const place of places) {
      while (place >= (text.windows[window] ?? Infinity)) window += 1;
      const into = windows[window];
      if (into !== undefined) into[index] = (into[index] ?? 0) + 1;
    }
  }
  if (long && any) {
    for (const [window, counts] of windows.entries()) {
      const length = (text.windows[window] ?? 0) - (text.windows[window - 1] ?? 0);
      for (let index = 0; index < counts.length; index++) counts[index] = (counts[index] ?? 0) / norm(length);
    }
  }
  for (const index of spoken) {
    any = true;
    for (const counts of new Set([whole, ...windows])) counts[index] = (counts[index] ?? 0) + speakerTerm;
  }
  return { whole, windows, any };
}

/** Which features stand in a speaker's name; asked for each text, reckoned once for each speaker. */
export function featuresInNames(
  features: readonly Feature[],
): (speaker: string | undefined) => readonly number[] {
  const known = new Map<string, readonly number[]>();
  return (speaker) => {
    if (speaker === undefined) return NONE;
    const found = known.get(speaker) ?? indexesOf(features, new Set(termsOf(speaker)));
    known.set(speaker, found);
    return found;
  };
}

const NONE: readonly number[] = [];

function indexesOf(features: readonly Feature[], terms: ReadonlySet<string>): number[] {
  return features.flatMap(({ term, followedBy }, index) =>
    followedBy === undefined && terms.has(term) ? [index] : [],
  );
}

function placesOf(vector: string, { term, followedBy }: Feature): readonly number[] {
  const places = positionsIn(vector, term);
  if (followedBy === undefined || places.length === 0) return places;
  const after = new Set(positionsIn(vector, followedBy));
  return places.filter((place) => after.has(place + 1));
}
