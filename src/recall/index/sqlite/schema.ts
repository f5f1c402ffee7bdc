/**
 * One index file: the passages in one partition.
 *
 * A passage's `id` says where it stands in its conversation, so that its
 * neighbours are the ids beside it; `changes` tells a reader which of those it
 * remembers have changed since. An empty vector says that a passage gets none.
 * `part` is the part of the partition that a passage stands in, if in any.
 */
import { contentHash } from "../../../platform/files.js";
import { type Database, filesWithEnding } from "../../../platform/sqlite.js";
import type { PartitionId } from "../partitions.js";

/** Anything else is made again from the files. */
export const SCHEMA_VERSION = 7;

export const SCHEMA = `
CREATE TABLE about (partition TEXT NOT NULL, generation INTEGER NOT NULL, passages INTEGER NOT NULL,
  length INTEGER NOT NULL, windows INTEGER NOT NULL);
CREATE TABLE files (file INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, stamp TEXT NOT NULL, partitions TEXT NOT NULL);
CREATE TABLE conversations (ordinal INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE speakers (name TEXT PRIMARY KEY, turns INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE passages (id INTEGER PRIMARY KEY, file INTEGER NOT NULL, place INTEGER NOT NULL, same TEXT NOT NULL,
  kind TEXT NOT NULL, user TEXT, session TEXT, part TEXT, day TEXT NOT NULL, said_at INTEGER NOT NULL, speaker TEXT,
  length INTEGER NOT NULL, windows INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
  document TEXT NOT NULL, vector TEXT NOT NULL, signature BLOB NOT NULL, passage TEXT NOT NULL);
CREATE INDEX passages_of_file ON passages (file, place);
CREATE INDEX passages_by_time ON passages (kind, said_at);
CREATE INDEX lengths_of_passages ON passages (id, length);
CREATE INDEX passages_of_part ON passages (part, speaker, length, windows) WHERE part IS NOT NULL;
CREATE TABLE vectors (space TEXT NOT NULL, id INTEGER NOT NULL, vector BLOB NOT NULL, UNIQUE (space, id));
CREATE INDEX vectors_of_passage ON vectors (id);
CREATE TABLE changes (generation INTEGER NOT NULL, id INTEGER NOT NULL);
CREATE INDEX changes_by_generation ON changes (generation);
CREATE VIRTUAL TABLE words USING fts5 (terms, tokenize = "ascii tokenchars '_+#.'", content = '', contentless_delete = 1,
  detail = none);
PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** How far back `changes` goes, in generations. */
export const KEPT_GENERATIONS = 200;

export function versionOf(db: Database): number {
  return Number(db.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
}

/** `"a"`: terms hold neither quotes nor white space. */
export function matching(term: string): string {
  return `"${term}"`;
}

/** Ids below are of passages that have no place in a conversation. */
export const FIRST_PLACED_ID = 2 ** 33;
const ZERO_SEQUENCE = 2 ** 32;

/** `ordinal` from 1. Undefined where the sequence is out of range: such a passage has no neighbours. */
export function placedId(ordinal: number, sequence: number): number | undefined {
  if (Math.abs(sequence) >= ZERO_SEQUENCE) return undefined;
  const id = ordinal * FIRST_PLACED_ID + sequence + ZERO_SEQUENCE;
  return Number.isSafeInteger(id) ? id : undefined;
}

/** Which file holds which partition. Names are hashes: an id of a scope may hold anything. */
const ENDING = ".sqlite";

export function pathOfPartition(folder: string, id: PartitionId): string {
  return `${folder}/${contentHash(id)}${ENDING}`;
}

export function indexFiles(folder: string): string[] {
  return filesWithEnding(folder, ENDING);
}

/** Whether an error of SQLite says that the file itself is of no use: then it is made again. Pure. */
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;
/** The file is shorter than it says. Any other I/O error is the disk's. */
const SQLITE_IOERR_SHORT_READ = 522;
/** A table that is not there, or a full-text table whose parts are not. */
const DAMAGED = /database disk image is malformed|file is not a database/;
const MISSING_PART = /no such (?:table|column)|vtable constructor failed/;

export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // What it holds is written by this program alone: JSON that does not parse is damage as well.
  if (error instanceof SyntaxError || MISSING_PART.test(error.message)) return true;
  // Of many rows at once the package tells no code.
  if (DAMAGED.test(error.message)) return true;
  const code = "errcode" in error && typeof error.errcode === "number" ? error.errcode : 0;
  return [SQLITE_CORRUPT, SQLITE_NOTADB].includes(code & 0xff) || code === SQLITE_IOERR_SHORT_READ;
}
