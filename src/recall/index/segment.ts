/**
 * A frozen batch of passages in wink's BM25.
 *
 * Wink cannot add after `consolidate()`: a segment never changes, what was
 * replaced is skipped by the filter, and a segment with more dead than living
 * is taken apart by its shelf.
 */
import wink from "wink-bm25-text-search";
import { BM25 } from "../weights.js";

/** One passage as it is kept in memory. */
export interface Entry<Content> {
  content: Content;
  /** Term → how often. */
  frequencies: ReadonlyMap<string, number>;
  length: number;
}

export interface Segment<Content> {
  /** Living entries with at least one of the terms. */
  find(terms: readonly string[], accept: (entry: Entry<Content>) => boolean): Entry<Content>[];
  readonly entries: readonly Entry<Content>[];
}

/** Terms hold neither white space nor control characters. */
const BETWEEN_TERMS = "\u0000";

/** At least 3 entries. */
export function freeze<Content>(entries: readonly Entry<Content>[]): Segment<Content> {
  const engine = wink<{ entry: Entry<Content> }>();
  engine.defineConfig({ fldWeights: { terms: 1 }, bm25Params: { ...BM25, k: 1 }, ovFldNames: ["entry"] });
  engine.definePrepTasks([(joined) => joined.split(BETWEEN_TERMS)]);
  for (const [slot, entry] of entries.entries()) {
    const repeated = [...entry.frequencies].flatMap(([term, count]) =>
      Array.from({ length: count }, () => term),
    );
    engine.addDoc({ terms: repeated.join(BETWEEN_TERMS), entry }, String(slot));
  }
  engine.consolidate();
  return {
    entries,
    find: (terms, accept) => {
      if (terms.length === 0) return [];
      const ranked = engine.search(terms.join(BETWEEN_TERMS), Infinity, ({ entry }) => accept(entry));
      return ranked.flatMap(([slot]) => entries[Number(slot)] ?? []);
    },
  };
}
