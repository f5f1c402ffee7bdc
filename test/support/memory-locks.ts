import type { Locks } from "../../src/platform/lock.js";

/** Locks among the users of one disk in memory. Awaited here, so that a stack says who waited. */
export function memoryLocks(): Locks {
  const tails = new Map<string, Promise<void>>();
  return {
    withLock: async (file, work) => {
      const before = tails.get(file);
      let free = (): void => undefined;
      tails.set(file, new Promise((done) => (free = done)));
      await before;
      try {
        return await work({ assertHeld: () => undefined });
      } finally {
        free();
      }
    },
  };
}
