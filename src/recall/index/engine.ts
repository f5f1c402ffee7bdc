/**
 * What recall asks of an index. Two engines stand behind it, `memory` and
 * `sqlite`; a third for object stores shall fit too: nothing here is of SQL.
 *
 * Everything is plain data and async, so that an engine may live in a worker
 * thread. An engine stores passages and finds candidates; it never decides who
 * may read (walls.ts names the walls, mayRead opens them) nor what a match is
 * worth (score.ts). Everything in it is derived from files.
 */
import type { Passage, PassageKind } from "../../model/passage.js";
import type { Day, EpochMs } from "../../model/time.js";
import type { Wall, WallId } from "./walls.js";

export interface Engine {
  /**
   * Replaces everything indexed for the path, in one step: a search sees all
   * of the old or all of the new. `stamp` tells versions of the file apart.
   * Passages must have distinct ids that begin with the path.
   */
  upsert(path: string, stamp: string, passages: readonly Passage[]): Promise<void>;
  /** Everything of the path goes; nothing happens where there is nothing. */
  remove(path: string): Promise<void>;
  /** The stamp of every indexed path. */
  stamps(): Promise<ReadonlyMap<string, string>>;
  /** The walls that have passages, sorted by id. */
  walls(): Promise<readonly Wall[]>;
  /** In the order of the file. Not filtered by anything: the caller asks mayRead. */
  passagesAt(path: string): Promise<readonly Passage[]>;
  /** Passages behind the walls that hold at least one of the terms. */
  search(query: EngineQuery): Promise<Candidates>;
  size(): Promise<EngineSize>;
  /** Waits for writes under way; nothing may be asked afterwards. */
  close(): Promise<void>;
}

export interface EngineQuery {
  /** Only these are opened, and only they make the statistics. */
  walls: readonly WallId[];
  /** Distinct. */
  terms: readonly string[];
  filter: PassageFilter;
}

/** Applied before candidates are chosen. An absent part lets everything through; it never widens a wall. */
export interface PassageFilter {
  kinds?: readonly PassageKind[];
  user?: string;
  session?: string;
  from?: Bound;
  to?: Bound;
}

/** A local day, whole, or an instant; both inclusive. */
export type Bound = { day: Day } | { at: EpochMs };

export interface Candidates {
  statistics: CorpusStatistics;
  /** Sorted by passage id. */
  found: Candidate[];
}

export interface Candidate {
  passage: Passage;
  /** Terms in the passage, repeats counted. */
  length: number;
  /** How often each term of the query is in it, in the query's order. */
  frequencies: readonly number[];
}

/** Of everything behind the walls asked for, whatever the filter lets through. */
export interface CorpusStatistics {
  passages: number;
  /** Terms in all passages together. */
  length: number;
  /** In how many passages each term of the query is, in the query's order. */
  documentFrequencies: readonly number[];
}

export interface EngineSize {
  files: number;
  passages: number;
  walls: number;
}
