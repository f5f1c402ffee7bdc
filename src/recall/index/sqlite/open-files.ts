/**
 * The files of an index that are open: those that were asked last, within what
 * memory may hold of them. A fresh one is read once from end to end while nobody asks:
 * from a cold disk each of a question's hundreds of rows costs as much as all of a warm
 * one. Through the database: a file that is opened beside it and closed again would take
 * the database's locks with it.
 */
import { type Database, openDatabase, sizeKb } from "../../../platform/sqlite.js";
import type { PartitionId } from "../partitions.js";
import { PartitionReader } from "./partition-reader.js";
import { pathOfPartition } from "./schema.js";

/** Of a file so much of it is kept in memory, within bounds: there may be one large one, or many small ones. */
const CACHE_SHARE = 1 / 16;
const LEAST_CACHE_KB = 1_000;
const MOST_CACHE_KB = 10_000;
/** Files kept open; to open one again costs some milliseconds. */
const MOST_OPEN = 256;
/** Documents remembered of all partitions together; those of the partitions that were asked longest ago go first. */
const MOST_REMEMBERED = 120_000;

/** So much of all files together is read ahead, each once: memory is not the index's alone. */
const MOST_AHEAD_KB = 512 * 1024;

interface OpenFile {
  db: Database;
  reader: PartitionReader;
  /** Absent where it was read ahead before. */
  ahead?: () => boolean;
}

export class OpenFiles {
  readonly #open = new Map<PartitionId, OpenFile>();
  readonly #readAhead = new Set<PartitionId>();
  #aheadKb = 0;

  constructor(readonly folder: string) {}

  /** Throws where it cannot be opened. */
  get(id: PartitionId): OpenFile {
    const opened = this.#open.get(id) ?? this.#openFile(id);
    // The last used stands last.
    this.#open.delete(id);
    this.#open.set(id, opened);
    return opened;
  }

  /** Its file is gone, or another stands in its place. */
  forget(id: PartitionId): void {
    this.#open.get(id)?.db.close();
    this.#open.delete(id);
  }

  /** What is more than memory may hold goes, first what was asked longest ago. */
  trim(): void {
    this.#closeOldest();
    this.#forgetOldest();
  }

  /** A step of what makes the next questions faster; false when nothing is left to do. */
  rest(): boolean {
    for (const { ahead } of this.#open.values()) if (ahead?.() === true) return true;
    return false;
  }

  close(): void {
    for (const id of [...this.#open.keys()]) this.forget(id);
  }

  #closeOldest(): void {
    for (const id of this.#open.keys()) {
      if (this.#open.size <= MOST_OPEN) return;
      this.forget(id);
    }
  }

  #forgetOldest(): void {
    const open = [...this.#open.values()];
    let remembered = open.reduce((sum, { reader }) => sum + reader.remembered, 0);
    for (const { reader } of open) {
      if (remembered <= MOST_REMEMBERED) return;
      remembered -= reader.remembered;
      reader.forgetDocuments();
    }
  }

  #openFile(id: PartitionId): OpenFile {
    const file = pathOfPartition(this.folder, id);
    const fileKb = sizeKb(file);
    const cacheKb = Math.round(Math.min(MOST_CACHE_KB, Math.max(LEAST_CACHE_KB, fileKb * CACHE_SHARE)));
    const db = openDatabase(file, "read", cacheKb);
    const opened = { db, reader: new PartitionReader(db) };
    if (this.#readAhead.has(id) || this.#aheadKb + fileKb > MOST_AHEAD_KB) return opened;
    this.#readAhead.add(id);
    this.#aheadKb += fileKb;
    return { ...opened, ahead: readAhead(db) };
  }
}

/** Rows of a step; it takes a millisecond, or some on a cold disk. */
const ROWS = 400;

/** The last column of a row is read with all that stands before it. */
const TABLES = [
  { table: "words_data", last: "block" },
  { table: "passages", last: "passage" },
] as const;

/** One step at each call; false when nothing is left to read. */
function readAhead(db: Database): () => boolean {
  const waiting = TABLES.map(({ table, last }) =>
    db.prepare(
      // As text: a number of `words_data` may be larger than JavaScript's are.
      `SELECT CAST(max(id) AS TEXT) AS id, sum(size) FROM (SELECT id, length(${last}) AS size FROM ${table}
        WHERE id > CAST(? AS INTEGER) ORDER BY id LIMIT ${ROWS})`,
    ),
  );
  let after = FROM_THE_FIRST;
  return () => {
    const [next] = waiting;
    if (next === undefined) return false;
    const reached = next.get(after)?.["id"] ?? undefined;
    if (reached === undefined) waiting.shift();
    after = reached === undefined ? FROM_THE_FIRST : String(reached);
    return true;
  };
}

const FROM_THE_FIRST = "-1";
