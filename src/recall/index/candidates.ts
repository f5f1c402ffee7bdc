/**
 * Which matches are worth scoring.
 *
 * Pure. In a small corpus all that match; behind a wall with many passages the
 * best few hundred by plain BM25, reckoned as SQLite's FTS5 does, so that every
 * engine takes the same ones. Their neighbours come on top.
 */
import type { Passage } from "../../model/passage.js";
import type { Bound, PassageFilter } from "./engine.js";

/** Passages behind one wall, up to which every match is scored. */
export const ALL_UP_TO_PASSAGES = 1_000;
/** Of a larger one; its best thousandth and more. */
export const MOST_CANDIDATES = 400;
/** Behind each wall the nearest by vector. */
export const MOST_NEAREST = 100;
/** How far away a neighbour may be. */
export const NEIGHBOURS = 2;

const FTS5 = { k1: 1.2, b: 0.75, leastIdf: 1e-6 } as const;

/** FTS5's rank with the sign turned: more is better. */
export function ftsRank(
  text: { length: number; frequencies: readonly number[] },
  corpus: { passages: number; length: number; documentFrequencies: readonly number[] },
): number {
  const averageLength = corpus.length / Math.max(1, corpus.passages);
  const norm = FTS5.k1 * (1 - FTS5.b + (FTS5.b * text.length) / averageLength);
  return text.frequencies.reduce((sum, frequency, term) => {
    const df = corpus.documentFrequencies[term] ?? 0;
    const idf = Math.log((corpus.passages - df + 0.5) / (df + 0.5));
    return sum + (Math.max(idf, FTS5.leastIdf) * frequency * (FTS5.k1 + 1)) / (frequency + norm);
  }, 0);
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
  if (to !== undefined && beginsAfter(passage, to)) return false;
  return true;
}

/** Whether it had been said by then. */
export function isKnown(passage: Filtered, { asOf }: PassageFilter): boolean {
  return asOf === undefined || !beginsAfter(passage, asOf);
}

/** `day` may be a month (of a month summary), which is in the range when any of its days is. */
function endsBefore(passage: Filtered, from: Bound): boolean {
  return "day" in from ? passage.day < from.day.slice(0, passage.day.length) : passage.saidAt < from.at;
}

function beginsAfter(passage: Filtered, to: Bound): boolean {
  return "day" in to ? passage.day > to.day.slice(0, passage.day.length) : passage.saidAt > to.at;
}
