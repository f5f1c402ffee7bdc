/**
 * Advisory locks between programs that rewrite the same file: a folder `<file>.lock` beside it, as
 * proper-lockfile makes it, so that a host can take the same one. It keeps polite writers apart; impolite
 * ones are met by comparing before the rename (protocol/shared-file.ts).
 */
import fs from "node:fs";
import path from "node:path";
import lockfile from "proper-lockfile";
import { MemdError } from "../model/errors.js";
import { diskError } from "./disk.js";

/** A holder that has not shown itself for this long is dead, and its lock is broken. */
const STALE_MS = 5000;
const DIR_MODE = 0o700;
const REFRESH_MS = 1000;
/** The library looks whether a lock is old and then removes it, which by then may be a new one: it is never to. */
const NEVER_MS = 24 * 60 * 60 * 1000;
/** Somebody holds it: asked again after these, the last one over and over. */
const WAITS_MS = [5, 10, 20, 40, 80, 160, 250] as const;
const PATIENCE_MS = 10_000;

export interface HeldLock {
  /** Throws `lock_lost` once somebody else broke it, also while this process stood still. */
  assertHeld(): void;
}

export interface Locks {
  /** Runs `work` under the lock of `file`; waits up to about ten seconds, then `file_contended`. */
  withLock<T>(file: string, work: (lock: HeldLock) => Promise<T>): Promise<T>;
}

export const fileLocks: Locks = {
  async withLock(file, work) {
    let lost: Error | undefined;
    const release = await acquire(file, (error) => void (lost = error));
    const assertHeld = (): void => {
      if (lost === undefined && isAsShown(lockOf(file))) return;
      throw new MemdError("lock_lost", `The lock of ${file} was broken.`, { cause: lost });
    };
    try {
      return await work({ assertHeld });
    } finally {
      // A lock that was lost is somebody else's now: releasing it would be an error, and there is nothing to release.
      if (lost === undefined && isAsShown(lockOf(file))) await release().catch(() => undefined);
    }
  },
};

/** Where nobody writes, nobody need be kept out. */
export const noLocks: Locks = {
  withLock: (_file, work) => work({ assertHeld: () => undefined }),
};

async function acquire(file: string, onCompromised: (error: Error) => void): Promise<() => Promise<void>> {
  const until = performance.now() + PATIENCE_MS;
  for (let tries = 0; ; tries++) {
    try {
      breakDead(lockOf(file));
      return await lockfile.lock(file, {
        realpath: false,
        stale: NEVER_MS,
        update: REFRESH_MS,
        retries: 0,
        onCompromised,
        fs: showing,
      });
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException;
      // Broken while it was being made, by somebody who was slow to do it.
      const vanished = code === "ENOENT" && syscall !== "mkdir";
      // A folder that cannot be written, or a full disk, is no other program: waiting would not help.
      if (code !== "ELOCKED" && !vanished) throw diskError(error, "lock", file);
      if (performance.now() > until)
        throw new MemdError("file_contended", `Another program holds the lock of ${file}.`, { cause: error });
    }
    const waitMs = WAITS_MS[Math.min(tries, WAITS_MS.length - 1)] ?? 0;
    await new Promise((done) => setTimeout(done, waitMs * (0.5 + Math.random() / 2)));
  }
}

function lockOf(file: string): string {
  return `${path.resolve(file)}.lock`;
}

/**
 * Removes a lock whose holder is dead; one at a time. Of two that find it old,
 * the slower one would remove the new lock of the quicker one: so each looks
 * once more when it has the turn, and nothing is awaited until it has given it back.
 */
function breakDead(lock: string): void {
  if (!isOld(lock)) return;
  const turn = `${lock}.break`;
  try {
    fs.mkdirSync(turn, DIR_MODE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    // Whoever had the turn died with it; it is free at the next look.
    if (isOld(turn)) removeDir(turn);
    return;
  }
  try {
    if (isOld(lock)) removeDir(lock);
  } finally {
    removeDir(turn);
  }
}

function isOld(dir: string): boolean {
  const stat = fs.lstatSync(dir, { throwIfNoEntry: false });
  // A pipe, a link: no program's lock, and nobody will give it back.
  if (stat?.isDirectory() === false) throw new Error(`${dir} is no lock`);
  return stat !== undefined && stat.mtimeMs < Date.now() - STALE_MS;
}

function removeDir(dir: string): void {
  try {
    fs.rmdirSync(dir);
  } catch (error) {
    // Its holder woke up and gave it back itself.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/**
 * Whose a lock is, is told by the time it shows: a whole millisecond, as the library
 * compares it, and a fraction drawn by lot. A holder that stood still would otherwise
 * take a lock for its own that another one made, or has shown anew, in the same millisecond.
 */
const FRACTION_MS = { from: 0.05, to: 0.45 } as const;
/** What rounding on the way to the disk may change. */
const ROUNDED_MS = 0.002;

/** What times each lock of this process shows for as long as it is its own: more than one while one replaces the other. */
const shown = new Map<string, number[]>();
const MOST_TIMES = 3;

/** The file system for the lock library. */
const showing = {
  ...fs,
  mkdir: (lock: string, done: fs.NoParamCallback): void =>
    fs.mkdir(lock, DIR_MODE, (error) => {
      if (error !== null) return done(error);
      shown.delete(lock);
      show(lock, Date.now(), done);
    }),
  utimes: (lock: string, _atime: Date, mtime: Date, done: fs.NoParamCallback): void =>
    show(lock, mtime.getTime(), done),
};

function show(lock: string, ms: number, done: fs.NoParamCallback): void {
  const time = ms + FRACTION_MS.from + Math.random() * (FRACTION_MS.to - FRACTION_MS.from);
  const isShown = (mtimeMs: number): void => {
    shown.set(lock, [...(shown.get(lock) ?? []), mtimeMs].slice(-MOST_TIMES));
  };
  isShown(time);
  fs.utimes(lock, time / 1000, time / 1000, (error) => {
    if (error !== null) return done(error);
    const stands = fs.statSync(lock, { throwIfNoEntry: false });
    // A file system without fractions, as those of memory sticks, which may have only every other second.
    if (stands !== undefined && Number.isInteger(stands.mtimeMs)) isShown(stands.mtimeMs);
    done(null);
  });
}

/** A lock that was broken is gone, or shows the time of whoever holds it now. */
function isAsShown(lock: string): boolean {
  const stands = fs.statSync(lock, { throwIfNoEntry: false });
  if (stands === undefined) return false;
  return (shown.get(lock) ?? []).some((time) => Math.abs(time - stands.mtimeMs) < ROUNDED_MS);
}
