/**
 * SQLite as a port: synchronous, one connection a file; the only user of the package behind it. For threads
 * that have nothing else to do. Every file is in WAL mode without fsync at each commit: what is in it can be
 * made again, a loss of power may take the last commits and never the file.
 */
import fs from "node:fs";
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from "@photostructure/sqlite";
import { entryOf } from "../model/collections.js";
import { assertUnlinked, dirname } from "./files.js";

type Value = string | number | Uint8Array | null;
type Row = Record<string, Value>;

export interface Statement {
  /** Rows changed or inserted. */
  run(...values: readonly Value[]): void;
  get(...values: readonly Value[]): Row | undefined;
  all(...values: readonly Value[]): Row[];
}

export interface Database {
  exec(sql: string): void;
  /** Kept and reused: the same text is compiled once. */
  prepare(sql: string): Statement;
  /** All or nothing; what it throws is thrown on. */
  transaction<T>(work: () => T): T;
  /**
   * No page is left that nobody uses, nor the log, which holds what pages were before. Waits for who reads; throws
   * where somebody reads on. Not in a transaction.
   */
  compact(): void;
  close(): void;
}

/** Of a file that another connection writes, or of one that this connection writes and makes. */
export function openDatabase(file: string, mode: "read" | "write", cacheKb: number): Database {
  assertUnlinked(dirname(file));
  if (mode === "write") makePrivate(file);
  const db = new DatabaseSync(file, { readOnly: mode === "read" });
  try {
    // Another connection may be about to fold the log in.
    db.exec(`PRAGMA busy_timeout = 5000; PRAGMA cache_size = -${cacheKb}`);
    // What is deleted is written over: it may be what somebody wants forgotten.
    if (mode === "write")
      db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON");
  } catch (error) {
    db.close();
    throw error;
  }
  const statements = new Map<string, StatementSyncInstance>();
  return {
    exec: (sql) => db.exec(sql),
    prepare: (sql) => {
      const statement = entryOf(statements, sql, () => db.prepare(sql));
      return {
        run: (...values) => void statement.run(...values),
        get: (...values) => statement.get(...values) as Row | undefined,
        all: (...values) => statement.all(...values) as Row[],
      };
    },
    transaction: (work) => {
      db.exec("BEGIN IMMEDIATE");
      try {
        const result = work();
        db.exec("COMMIT");
        return result;
      } catch (error) {
        if (db.isTransaction) db.exec("ROLLBACK");
        throw error;
      }
    },
    compact: () => {
      db.exec("VACUUM");
      const { busy } = db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get() as { busy: number };
      if (busy !== 0) throw new Error("Somebody reads the index on and on: its log cannot be emptied.");
    },
    close: () => {
      if (mode === "write") foldIn(db);
      statements.clear();
      // A closed connection of this package lives on until its statements are collected; its cache need not.
      db.exec("PRAGMA shrink_memory");
      db.close();
    },
  };
}

/**
 * The log is folded into the file and emptied. A closed connection of this
 * package lives on until its statements are collected, so that closing alone
 * would leave that undone; a log that stays is read by the next who opens.
 */
function foldIn(db: DatabaseSyncInstance): void {
  try {
    db.exec("PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    return;
  }
}

/** Of a file that is there; 0 for one that is not. */
export function sizeKb(file: string): number {
  return Math.ceil((fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) / 1024);
}

/** A file and what SQLite keeps beside it. */
export function removeDatabase(file: string): void {
  assertUnlinked(dirname(file));
  for (const name of namesOf(file)) fs.rmSync(name, { force: true });
}

const namesOf = (file: string): string[] => [file, `${file}-wal`, `${file}-shm`, `${file}-journal`];

/**
 * SQLite would follow links, wait for pipes, and make files that others may read:
 * what is no plain file of its own goes, the rest is this user's alone. Those
 * beside a file are made with its rights.
 */
function makePrivate(file: string): void {
  const standing = (name: string): fs.Stats | undefined => fs.lstatSync(name, { throwIfNoEntry: false });
  const isOwn = (stat: fs.Stats | undefined): boolean =>
    stat === undefined || (stat.isFile() && stat.nlink < 2);
  if (!namesOf(file).every((name) => isOwn(standing(name)))) removeDatabase(file);
  for (const name of namesOf(file))
    if (((standing(name)?.mode ?? 0) & 0o077) !== 0) fs.chmodSync(name, 0o600);
  if (standing(file) === undefined) fs.closeSync(fs.openSync(file, "wx", 0o600));
}

/**
 * Files of a folder by the end of their name; none where there is no folder, which is made, with the
 * one that it stands in. Never more: a workspace that was moved away would be made again.
 */
export function filesWithEnding(folder: string, ending: string): string[] {
  for (const dir of [dirname(folder), folder]) if (!fs.existsSync(dir)) fs.mkdirSync(dir, { mode: 0o700 });
  assertUnlinked(folder);
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`)
    .sort();
}
