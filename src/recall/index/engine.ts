/**
 * What recall asks of an index. Two engines stand behind it, `memory` and `sqlite`; a third for
 * object stores shall fit too: nothing here is of SQL. Everything is plain data and async, so that
 * an engine may live in a thread, and all in it is derived from files. It stores passages, finds
 * candidates and hands them to the one scorer; who may read is not its to decide (partitions.ts).
 */
import type { Hit, Passage, PassageKind } from "../../model/passage.js";
import type { Bound, EpochMs } from "../../model/time.js";
import type { SpaceId } from "../../model/space.js";
import type { FoundFile } from "../walk.js";
import type { Question } from "../question.js";
import type { Weights } from "../weights.js";
import type { OpenPartition, Partition, PartitionId } from "./partitions.js";

export interface Engine {
  /**
   * Replaces everything indexed for the path, in one step: a search sees all
   * of the old or all of the new. `stamp` tells versions of the file apart.
   * Passages must have distinct ids that begin with the path.
   */
  upsert(path: string, stamp: string, passages: readonly Passage[]): Promise<void>;
  /**
   * The same for a file so long that making its passages would hold the caller up.
   * Gives why it is not memory, and then keeps what it had. Absent where the engine
   * has no thread of its own.
   */
  upsertFile?(read: FileRead): Promise<string | undefined>;
  /** Everything of the path goes; nothing happens where there is nothing. */
  remove(path: string): Promise<void>;
  /**
   * Of what was removed from these partitions nothing is left behind, no byte in a file either. `whole`: all that
   * stands in them goes, and must be read again; so it is where a file cannot be scrubbed.
   */
  scrub(partitions: readonly PartitionId[], whole?: boolean): Promise<void>;
  /** The stamp of every indexed path. */
  stamps(): Promise<ReadonlyMap<string, string>>;
  /** The partitions that have passages, sorted by id. */
  partitions(): Promise<readonly Partition[]>;
  /** In the order of the file, of one partition; `which` leaves out what is not asked for. Whether it may be read is the caller's to ask. */
  passagesAt(path: string, which?: Holding | Stretch): Promise<readonly Passage[]>;
  /** Of which something stands in one of these partitions, in no promised order. */
  pathsIn(partitions: readonly PartitionId[]): Promise<readonly string[]>;
  /** The best passages in the partitions, by score.ts. */
  search(query: EngineQuery): Promise<Answer>;
  /** Without a question: the newest passages in the partitions, in no promised order. */
  newest(query: NewestQuery): Promise<readonly Passage[]>;
  /** In how many passages of what is open each of these terms is. */
  frequencies(partitions: readonly OpenPartition[], terms: readonly string[]): Promise<readonly number[]>;
  /** Terms of these partitions that begin with the letters, in no promised order; of some, only others' parts may hold them. */
  beginning(partitions: readonly OpenPartition[], letters: string): Promise<readonly string[]>;
  size(): Promise<EngineSize>;
  /** Passages that have no vector of the space yet, `most` at most, in no promised order. */
  unembedded(space: SpaceId, most: number): Promise<readonly Unembedded[]>;
  /** What is gone or changed by now gets none. */
  embed(space: SpaceId, vectors: readonly Embedded[]): Promise<void>;
  /** How many passages are done with, by space. */
  spaces(): Promise<ReadonlyMap<SpaceId, number>>;
  /** Its vectors go. */
  forgetSpace(space: SpaceId): Promise<void>;
  /** False once it can answer nothing any more: then another one must be opened. */
  isAlive(): boolean;
  /** Waits for writes under way; nothing may be asked afterwards. */
  close(): Promise<void>;
}

/** On one of these lines, and with one of these words, which are in lower case. */
export interface Holding {
  lines: readonly number[];
  words: readonly string[];
}

/** On these lines of these partitions, the first of them. */
export interface Stretch {
  from: number;
  to: number;
  most: number;
  partitions: readonly PartitionId[];
}

export interface FileRead {
  file: FoundFile;
  stamp: string;
  bytes: Uint8Array;
  /** IANA name. */
  zone: string;
  /** The owner's patterns of secrets. */
  patterns: readonly string[];
}

export interface EngineQuery {
  /** Only these are opened, each once, and only what is open of them makes the statistics. */
  partitions: readonly OpenPartition[];
  question: Question;
  filter: PassageFilter;
  /** Hits at most. */
  most: number;
  /** The question as a vector; without it words alone decide. */
  vector?: QueryVector;
  ranking?: Ranking;
  /** Instead of the table's; for measuring. */
  weights?: Weights;
}

/** By `saidAt`. A moment is given whole: what is of one moment is put in order, and parted, by who asks. */
export interface NewestQuery {
  partitions: readonly OpenPartition[];
  filter: PassageFilter;
  /** So many, where there are as many, and all that are of the same moment as the last of them. */
  most: number;
  /** None that are later; all of this very moment come on top of `most`. */
  until?: EpochMs;
}

export interface QueryVector {
  space: SpaceId;
  values: readonly number[];
  /** What all questions have in common in this space; without it, what the passages have. */
  common?: readonly number[];
  /** How much nearness counts beside words. */
  weight: number;
}

/** `score` adds nearness to the worth of the words, `rrf` joins two orders by rank, `vector` takes nearness alone. */
export type Ranking = "score" | "rrf" | "vector";

export interface Unembedded {
  partition: PartitionId;
  /** The engine's own name for this version of the passage. */
  key: string;
  passage: Passage;
}

export interface Embedded {
  partition: PartitionId;
  key: string;
  /** Any length but 0; undefined for a passage that gets no vector in this space. */
  values: readonly number[] | undefined;
}

/** Applied before candidates are chosen. An absent part lets everything through; it never widens a partition. */
export interface PassageFilter {
  kinds?: readonly PassageKind[];
  user?: string;
  session?: string;
  from?: Bound;
  to?: Bound;
  /** What was said later is no neighbour either: as if it had not been said yet. */
  asOf?: Bound;
}

export interface Answer {
  statistics: CorpusStatistics;
  /** Best first; `score` is the similarity. */
  hits: Hit[];
}

/** Of everything that is open of the partitions asked for, whatever the filter lets through. */
export interface CorpusStatistics {
  passages: number;
  /** Terms in all passages together. */
  length: number;
  /** Windows in all passages together: a long one has several. */
  windows: number;
  /** In how many passages each term of the question is, in the question's order. */
  documentFrequencies: readonly number[];
  /** Everybody who speaks there, sorted. */
  speakers: readonly string[];
}

export interface EngineSize {
  files: number;
  passages: number;
  partitions: number;
}
