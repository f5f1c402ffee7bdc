/**
 * How often each part of a question is in a text, in a way that texts of different lengths
 * compare. Pure. Who is named among those who speak in a place, and who stands next to whom,
 * counts beside it. A feature is a term of the question, or a pair of terms that must stand side by
 * side; the terms come first.
 */
import { entryOf } from "../model/collections.js";
import { foldText, foldWord } from "../text/fold.js";
import { termsOf } from "../text/terms.js";
import { idf } from "./index/candidates.js";
import { type Document, mayHold, positionsIn, termBit, type TermBit } from "./index/document.js";
import type { CorpusStatistics } from "./index/engine.js";
import type { Question, QuestionTerm } from "./question.js";
import type { Weights } from "./weights.js";

export interface Features {
  terms: readonly string[];
  /** Indexes in `terms`: the second has to follow the first. */
  pairs: readonly (readonly [number, number])[];
  /** Of each term, the one that it says in the other language. */
  standsFor: readonly QuestionTerm["standsFor"][];
  /** Indexes of the terms that any passage holds. */
  held: readonly number[];
  /** What holding it once is worth: of each term, then of each pair. */
  weights: Float64Array;
}

/** Frequencies by feature, each divided by how long its text is beside the average (BM25's length norm). */
export interface Evidence {
  whole: Float64Array;
  /** Of a long text, each of its windows; a short one is one window. */
  windows: readonly Float64Array[];
  /** The features that are in it. */
  present: readonly number[];
}

const HAN = /\p{Script=Han}/u;

/** Of terms that no passage holds as well: they are part of what is asked. */
export function featuresOf(question: Question, corpus: CorpusStatistics, weights: Weights): Features {
  const { here, ofCommon, ofOther } = weights.rarity;
  const frequencies = togetherWithMeanings(question.terms, corpus);
  const rarity = question.terms.map(({ term, isCommon }, index) => {
    const counted = idf(corpus.passages, frequencies[index] ?? 0);
    if (HAN.test(term)) return counted;
    return here * counted + (isCommon ? ofCommon : ofOther);
  });
  const single = question.terms.map(({ weight, standsFor }, index) =>
    standsFor === undefined ? weight * (rarity[index] ?? 0) : 0,
  );
  const pairs = question.pairs.map(
    ([first, second]) => weights.pair * Math.max(rarity[first] ?? 0, rarity[second] ?? 0),
  );
  return {
    terms: question.terms.map(({ term }) => term),
    pairs: question.pairs,
    standsFor: question.terms.map(({ standsFor }) => standsFor),
    held: [...question.terms.keys()].filter((index) => corpus.documentFrequencies[index] !== 0),
    weights: Float64Array.from([...single, ...pairs]),
  };
}

/** A word is as rare as it and all that stands for it are together; what merely stands for it never makes it common. */
function togetherWithMeanings(terms: readonly QuestionTerm[], corpus: CorpusStatistics): number[] {
  const own = terms.map((_, index) => corpus.documentFrequencies[index] ?? 0);
  const together = [...own];
  for (const [index, { standsFor }] of terms.entries())
    if (standsFor !== undefined)
      together[standsFor.term] = (together[standsFor.term] ?? 0) + standsFor.share * (own[index] ?? 0);
  return together.map((sum, index) => Math.max(own[index] ?? 0, Math.min(sum, corpus.passages / 2)));
}

/** Of each document; undefined where it holds no feature. */
export function evidenceIn(
  documents: readonly Document[],
  features: Features,
  averageLength: number,
  { b, speakerTerm }: Weights,
): (Evidence | undefined)[] {
  const look: Look = {
    features,
    bits: features.terms.map(termBit),
    norm: (length) => 1 - b + (b * length) / averageLength,
  };
  const spokenBy = termsInNames(features.terms);
  return documents.map((document) => {
    const said = evidenceOf(document, look);
    const spoken = spokenBy(document.speaker);
    return spoken.length === 0 ? said : withSpoken(said ?? nothing(features), spoken, speakerTerm);
  });
}

interface Look {
  features: Features;
  /** Of each term. */
  bits: readonly TermBit[];
  norm: (length: number) => number;
}

function evidenceOf(document: Document, { features, bits, norm }: Look): Evidence | undefined {
  const { terms, pairs, weights, held } = features;
  const { signature, length, windows } = document;
  const wanted = held.filter((index) => mayHold(signature, bits[index] as TermBit));
  if (wanted.length === 0) return undefined;
  const { vector } = document;
  const present: number[] = [];
  const places: (readonly number[])[] = [];
  for (const index of wanted) {
    const found = positionsIn(vector, terms[index] as string);
    if (found.length === 0) continue;
    present.push(index);
    places.push(found);
  }
  if (present.length === 0) return undefined;
  for (let index = 0; present.length > 1 && index < pairs.length; index++) {
    const [first, second] = pairs[index] as readonly [number, number];
    const before = places[present.indexOf(first)];
    const after = places[present.indexOf(second)];
    const adjacent = before && after && followedBy(before, after);
    if (adjacent === undefined || adjacent.length === 0) continue;
    present.push(terms.length + index);
    places.push(adjacent);
  }
  const perWhole = 1 / norm(length);
  const whole = new Float64Array(weights.length);
  for (let at = 0; at < present.length; at++)
    whole[present[at] as number] = (places[at] as readonly number[]).length * perWhole;
  const parts = windows.length <= 1 ? [whole] : inWindows(windows, present, places, weights.length, norm);
  return withMeant({ whole, windows: parts, present }, features);
}

/** Of rising places those behind which one of the others comes next. */
function followedBy(places: readonly number[], others: readonly number[]): number[] {
  let at = 0;
  return places.filter((place) => {
    while (at < others.length && (others[at] as number) <= place) at++;
    return others[at] === place + 1;
  });
}

/** What stands for a word of the question counts as that word. */
function withMeant(said: Evidence, { standsFor }: Features): Evidence {
  const present = [...said.present];
  for (const index of said.present) {
    const meant = standsFor[index];
    if (meant === undefined) continue;
    for (const counts of new Set([said.whole, ...said.windows]))
      counts[meant.term] = (counts[meant.term] ?? 0) + meant.share * (counts[index] ?? 0);
    if (!present.includes(meant.term)) present.push(meant.term);
  }
  return { ...said, present };
}

function nothing({ weights }: Features): Evidence {
  const whole = new Float64Array(weights.length);
  return { whole, windows: [whole], present: [] };
}

/** What stands in the name of who said it is in the text too, a little. */
function withSpoken(said: Evidence, spoken: readonly number[], share: number): Evidence {
  for (const index of spoken)
    for (const counts of new Set([said.whole, ...said.windows])) counts[index] = (counts[index] ?? 0) + share;
  return { ...said, present: [...new Set([...said.present, ...spoken])] };
}

/** Which terms stand in a speaker's name; asked for each text, reckoned once for each speaker. */
function termsInNames(terms: readonly string[]): (speaker: string | undefined) => readonly number[] {
  const known = new Map<string, readonly number[]>();
  return (speaker) => {
    if (speaker === undefined) return NONE;
    return entryOf(known, speaker, () => {
      const inName = new Set(termsOf(speaker));
      return terms.flatMap((term, index) => (inName.has(term) ? [index] : []));
    });
  };
}

const NONE: readonly number[] = [];

/** `places` of the features that are `present`. */
function inWindows(
  ends: readonly number[],
  present: readonly number[],
  places: readonly (readonly number[])[],
  size: number,
  norm: (length: number) => number,
): Float64Array[] {
  const windows = ends.map(() => new Float64Array(size));
  const share = ends.map((end, window) => 1 / norm(end - (ends[window - 1] ?? 0)));
  for (const [at, feature] of present.entries()) {
    let window = 0;
    for (const place of places[at] ?? NONE) {
      while (place >= (ends[window] ?? Infinity)) window += 1;
      const counts = windows[window];
      if (counts !== undefined) counts[feature] = (counts[feature] ?? 0) + (share[window] ?? 0);
    }
  }
  return windows;
}

/** "Mel" is Melanie; two letters are too few to be sure of anybody. */
const SHORTEST_SHORT_NAME = 3;

/** Empty where it names nobody, or everybody: then the names tell nothing. */
export function namedSpeakers(words: readonly string[], speakers: readonly string[]): ReadonlySet<string> {
  const named = speakers.filter((speaker) => isNamed(speaker, words));
  return new Set(named.length === speakers.length ? [] : named);
}

function isNamed(speaker: string, words: readonly string[]): boolean {
  const name = foldWord(foldText(speaker)).trim();
  if (name === "") return false;
  const [given = ""] = name.split(/[^\p{L}\p{M}\p{N}]+/u);
  return words.some(
    (word) =>
      word === given ||
      word === name ||
      (word.length >= SHORTEST_SHORT_NAME && given.startsWith(word)) ||
      // Chinese puts no spaces around a name.
      (HAN.test(name) && [...name].length > 1 && word.includes(name)),
  );
}

/** Distances in a conversation at which a turn is a neighbour. */
export const AWAY = [-2, -1, 1, 2] as const;

/** For each document the indexes of its neighbours in the order of AWAY; −1 where there is none. */
export function neighbourhood(documents: readonly Document[]): Int32Array {
  const conversations = new Map<string, Map<number, number>>();
  const places = documents.map((document, at) => {
    const { conversation, sequence } = document;
    if (conversation === undefined || sequence === undefined) return undefined;
    const ofConversation = entryOf(conversations, conversation, () => new Map<number, number>());
    const other = documents[ofConversation.get(sequence) ?? -1];
    if (other === undefined || comesBefore(document, other)) ofConversation.set(sequence, at);
    return ofConversation;
  });
  const around = new Int32Array(documents.length * AWAY.length).fill(-1);
  for (let at = 0; at < documents.length; at++) {
    const sequence = documents[at]?.sequence;
    const ofConversation = places[at];
    if (ofConversation === undefined || sequence === undefined) continue;
    for (let place = 0; place < AWAY.length; place++)
      around[at * AWAY.length + place] = ofConversation.get(sequence + (AWAY[place] ?? 0)) ?? -1;
  }
  return around;
}

/** What was said before the calls of tools beside it; of a day that stands in two files for a moment the same one every time. */
function comesBefore(one: Document, other: Document): boolean {
  if ((one.role === "tool") !== (other.role === "tool")) return one.role !== "tool";
  return one.id < other.id;
}
