/**
 * What is open of one index file: all of it, or one part. A part has its own
 * sums, read from an index of its rows alone.
 */
import type { SpaceId } from "../../../model/space.js";
import type { Database } from "../../../platform/sqlite.js";
import type { VectorStore } from "../vectors.js";
import type { Postings } from "./postings.js";

export interface PartitionStatistics {
  passages: number;
  length: number;
  windows: number;
  speakers: readonly string[];
}

export interface Opened {
  statistics: PartitionStatistics;
  /** Absent where all is open. */
  part?: Part;
  /** Of what is open, by space; read at the first question that needs them. */
  vectors: Map<SpaceId, VectorStore<number>>;
}

export interface Part {
  name: string;
  ids: ReadonlySet<number>;
  /** 1 for each that is in it, by the numbers of the postings as they are now. */
  numbers: Uint8Array;
}

/** True as long as nothing is written to the file. */
export function openPart(db: Database, postings: Postings, name: string): Opened {
  const rows = db
    .prepare(
      "SELECT speaker, count(*) AS passages, sum(length) AS length, sum(windows) AS windows, group_concat(id) AS ids FROM passages WHERE part = ? GROUP BY speaker",
    )
    .all(name);
  const total = (column: string): number => rows.reduce((sum, row) => sum + Number(row[column]), 0);
  const ids = rows.flatMap((row) => String(row["ids"]).split(",").map(Number));
  const numbers = new Uint8Array(postings.count);
  for (const id of ids) numbers[postings.numberOf(id) ?? -1] = 1;
  return {
    statistics: {
      passages: total("passages"),
      length: total("length"),
      windows: total("windows"),
      speakers: rows.flatMap(({ speaker }) => (speaker === null ? [] : [String(speaker)])),
    },
    part: { name, ids: new Set(ids), numbers },
    vectors: new Map(),
  };
}

/** Of numbers of passages, those that are open. */
export function openAmong({ part }: Opened, numbers: Int32Array): Int32Array {
  return part === undefined ? numbers : numbers.filter((number) => part.numbers[number] === 1);
}
