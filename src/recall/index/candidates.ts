/**
 * Which matches are worth scoring. Pure. Behind a partition with few passages all that match; with
 * many, those that hold the rarest words of the question, and of those the best by BM25 without the
 * words' frequencies, so that a question looks at a bounded number whatever the size of the memory.
 * Their neighbours come on top. Every engine asks here, so that every engine takes the same ones.
 */
import type { Passage } from "../../model/passage.js";
import { type Bound, noonOf } from "../../model/time.js";
import { BM25 } from "../weights.js";
import type { Holding, PassageFilter, Stretch } from "./engine.js";

/** Passages in one partition, up to which every match is scored. */
const ALL_UP_TO_PASSAGES = 1_000;
/** Where more partitions are asked together, each gives fewer: the best of all are among the best of each. */
const WALLS_IN_FULL = 4;
/** Of a larger one so many, or as many as hits are wanted; with their neighbours some hundreds are scored. */
const LEAST_CANDIDATES = 40;
/** Words are taken, the rarest first, while they are in so many passages together; more only where these are too few. */
const ENOUGH_MATCHES = 2_000;
/** Words that were lent to a question weigh less than this. */
const OWN_WEIGHT = 0.34;
/** So many times as many are looked at with their neighbours. */
const AMONG = 5;
/** Of what a neighbour holds. */
const NEIGHBOUR_SHARE = 0.2;
/** Behind each partition the nearest by vector. */
export const MOST_NEAREST = 100;
/** How far away a neighbour may be. */
export const NEIGHBOURS = 2;

/** What an engine knows of the passages that are open in one partition. */
export interface Matches<Key> {
  passages: number;
  /** Terms in all passages together. */
  length: number;
  /** Of each term of the question, in how many passages it is. */
  documentFrequencies: readonly number[];
  /** Of each term, how much of the question it is. */
  weights: readonly number[];
  /** Of each of these terms, the passages that hold it and pass the filter. */
  holding(terms: readonly number[]): readonly Iterable<Key>[];
  /** In terms. */
  lengthOf(key: Key): number;
  /** What stands, or would stand, next to it in its conversation. */
  neighboursOf(key: Key): readonly Key[];
  /** Ids of these passages. */
  idsOf(keys: readonly Key[]): ReadonlyMap<Key, string>;
}

/** `most`: hits that are wanted; `partitions`: how many that hold anything are asked together. */
export function candidatesAmong<Key>(matches: Matches<Key>, most: number, partitions: number): Key[] {
  const { passages, documentFrequencies } = matches;
  const frequencyOf = (term: number): number => documentFrequencies[term] ?? 0;
  // The question's own words choose first, however rare the others are.
  const isLent = (term: number): number => Number((matches.weights[term] ?? 1) < OWN_WEIGHT);
  const share = Math.min(1, WALLS_IN_FULL / partitions);
  const isLarge = passages > ALL_UP_TO_PASSAGES * share;
  const wanted = Math.ceil(Math.max(LEAST_CANDIDATES, most) * Math.sqrt(share));
  const waiting = [...documentFrequencies.keys()]
    .filter((term) => frequencyOf(term) > 0)
    .sort((a, b) => isLent(a) - isLent(b) || frequencyOf(a) - frequencyOf(b) || a - b);
  /** The rarity of the terms that each passage holds, summed. */
  const held = new Map<Key, number>();
  // Once more where a filter let too few through.
  while (waiting.length > 0 && (!isLarge || held.size < wanted)) {
    const taken: number[] = [];
    let matched = 0;
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      if (isLarge && matched >= wanted && matched + frequencyOf(next) > ENOUGH_MATCHES) break;
      matched += frequencyOf(next);
      taken.push(next);
      waiting.shift();
    }
    for (const [at, keys] of matches.holding(taken).entries()) {
      const rarity = idf(passages, frequencyOf(taken[at] ?? 0));
      const worth = rarity * (matches.weights[taken[at] ?? 0] ?? 1);
      for (const key of keys) held.set(key, (held.get(key) ?? 0) + worth);
    }
  }
  return isLarge && held.size > wanted ? bestOf(held, matches, wanted) : [...held.keys()];
}

/** Rarer terms weigh more; never negative, also where every passage holds the term. */
export function idf(passages: number, documentFrequency: number): number {
  return Math.log(1 + (passages - documentFrequency + 0.5) / (documentFrequency + 0.5));
}

/**
 * The rarer the words and the shorter the text the better, and the more its
 * neighbours hold; of equal ones those with the greater id, which is of a later day.
 */
function bestOf<Key>(held: ReadonlyMap<Key, number>, matches: Matches<Key>, wanted: number): Key[] {
  const { k1, b } = BM25;
  const averageLength = Math.max(1, matches.length / matches.passages);
  const perWorth = (key: Key): number => 1 / (1 + k1 * (1 - b + (b * matches.lengthOf(key)) / averageLength));
  const alone = [...held].map(([key, worth]) => ({ key, rank: rounded(worth) }));
  const among = atLeast(alone, wanted * AMONG).map(({ key }) => {
    let worth = held.get(key) ?? 0;
    for (const neighbour of matches.neighboursOf(key)) worth += NEIGHBOUR_SHARE * (held.get(neighbour) ?? 0);
    return { key, rank: rounded(worth * perWorth(key)) };
  });
  const best = atLeast(among, wanted);
  if (best.length === wanted) return best.map(({ key }) => key);
  const ids = matches.idsOf(best.map(({ key }) => key));
  const idOf = ({ key }: Ranked<Key>): string => ids.get(key) ?? "";
  return best
    .sort((one, other) => other.rank - one.rank || (idOf(one) > idOf(other) ? -1 : 1))
    .slice(0, wanted)
    .map(({ key }) => key);
}

interface Ranked<Key> {
  key: Key;
  rank: number;
}

/** The best, and all that are as good as the last of them. */
function atLeast<Key>(ranked: readonly Ranked<Key>[], wanted: number): Ranked<Key>[] {
  const least =
    Float64Array.from(ranked, ({ rank }) => rank).sort()[Math.max(0, ranked.length - wanted)] ?? 0;
  return ranked.filter(({ rank }) => rank >= least);
}

/** Engines add up in different orders. */
function rounded(rank: number): number {
  return Math.round(rank * 1e9);
}

/** What a filter looks at. */
type Filtered = Pick<Passage, "kind" | "user" | "session" | "day" | "saidAt">;

export function passes(passage: Filtered, filter: PassageFilter): boolean {
  const { kinds, user, session, from, to } = filter;
  if (!isKnown(passage, filter)) return false;
  if (kinds !== undefined && !kinds.includes(passage.kind)) return false;
  if (user !== undefined && passage.user !== user) return false;
  if (session !== undefined && passage.session !== session) return false;
  if (from !== undefined && endsBefore(passage, from)) return false;
  return to === undefined || !beginsAfter(passage, to);
}

/** Whether it had been said by then; of a summary, whether nothing it tells of came later: its moment is in the last day it covers. */
export function isKnown(passage: Filtered, { asOf }: PassageFilter): boolean {
  if (asOf === undefined) return true;
  const isSummary = passage.kind === "day_summary" || passage.kind === "month_summary";
  return "day" in asOf && isSummary ? passage.saidAt <= noonOf(asOf.day) : !beginsAfter(passage, asOf);
}

/** `day` may be a month (of a month summary), which is in the range when any of its days is. */
function endsBefore(passage: Filtered, from: Bound): boolean {
  return "day" in from ? passage.day < from.day.slice(0, passage.day.length) : passage.saidAt < from.at;
}

function beginsAfter(passage: Filtered, to: Bound): boolean {
  return "day" in to ? passage.day > to.day.slice(0, passage.day.length) : passage.saidAt > to.at;
}

/** Whether a passage is on one of the lines and says one of the words that are asked for. */
export function holds({ lines, text }: Passage, which: Holding | Stretch): boolean {
  if (!isOnLine(lines, which)) return false;
  if (!("words" in which)) return true;
  const lower = text.toLowerCase();
  return which.words.some((word) => lower.includes(word));
}

export function isOnLine([first, last]: Passage["lines"], which: Holding | Stretch): boolean {
  return "words" in which
    ? which.lines.some((line) => line >= first && line <= last)
    : first <= which.to && last >= which.from;
}
