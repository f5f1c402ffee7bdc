/**
 * Advisory locks between programs that rewrite the same file.
 *
 * A folder `<file>.lock` beside the file, as proper-lockfile makes it, so that a
 * host can take the same one. It keeps polite writers apart; impolite ones are
 * met by comparing before the rename (protocol/shared-file.ts).
 */
import lockfile from "proper-lockfile";
import { MemdError } from "../model/errors.js";
import { diskError } from "./disk.js";

/** A holder that has not shown itself for this long is dead, and its lock is broken. */
const STALE_MS = 5000;
const REFRESH_MS = 1000;
/** Somebody holds it: asked again after these, the last one over and over. */
const WAITS_MS = [5, 10, 20, 40, 80, 160, 250] as const;
const PATIENCE_MS = 10_000;

export interface HeldLock {
  /** Throws `lock_lost` once somebody else broke it. */
  assertHeld(): void;
}

export interface Locks {
  /** Runs `work` under the lock of `file`; waits up to about ten seconds, then `file_contended`. */
  withLock<T>(file: string, work: (lock: HeldLock) => Promise<T>): Promise<T>;
}

export const fileLocks: Locks = {
  async withLock(file, work) {
    let lost: Error | undefined;
    const release = await acquire(file, (error) => {
      lost = error;
    });
    try {
      return await work({
        assertHeld: () => {
          if (lost !== undefined)
            throw new MemdError("lock_lost", `The lock of ${file} was broken.`, { cause: lost });
        },
      });
    } finally {
      // A lock that was lost is somebody else's now: releasing it would be an error, and there is nothing to release.
      if (lost === undefined) await release().catch(() => undefined);
    }
  },
};

async function acquire(file: string, onCompromised: (error: Error) => void): Promise<() => Promise<void>> {
  const until = performance.now() + PATIENCE_MS;
  for (let tries = 0; ; tries++) {
    try {
      return await lockfile.lock(file, {
        realpath: false,
        stale: STALE_MS,
        update: REFRESH_MS,
        retries: 0,
        onCompromised,
      });
    } catch (error) {
      // A folder that cannot be written, or a full disk, is no other program: waiting would not help.
      if ((error as NodeJS.ErrnoException).code !== "ELOCKED") throw diskError(error, "lock", file);
      if (performance.now() > until) {
        throw new MemdError("file_contended", `Another program holds the lock of ${file}.`, { cause: error });
      }
    }
    const waitMs = WAITS_MS[Math.min(tries, WAITS_MS.length - 1)] ?? 0;
    await new Promise((done) => setTimeout(done, waitMs * (0.5 + Math.random() / 2)));
  }
}

/** Locks among the users of one disk in memory, for tests. */
export function memoryLocks(): Locks {
  const tails = new Map<string, Promise<unknown>>();
  return {
    withLock: (file, work) => {
      const before = tails.get(file) ?? Promise.resolve();
      const mine = before.then(() => work({ assertHeld: () => undefined }));
      tails.set(
        file,
        mine.catch(() => undefined),
      );
      return mine;
    },
  };
}
