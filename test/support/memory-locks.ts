import type { Locks } from "../../src/platform/lock.js";
import { Mutex } from "../../src/platform/mutex.js";

/** Locks among the users of one disk in memory. */
export function memoryLocks(): Locks {
  const turns = new Map<string, Mutex>();
  return {
    withLock: (file, work) => {
      const turn = turns.get(file) ?? new Mutex();
      turns.set(file, turn);
      return turn.run(() => work({ assertHeld: () => undefined }));
    },
  };
}
