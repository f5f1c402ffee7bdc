/**
 * `.memd/lock`: which file's lock this process holds. A killed owner leaves its
 * lock behind; its successor finds it named here and breaks it at once instead
 * of waiting until it counts as stale.
 */
import type { Disk } from "../platform/disk.js";
import type { Locks } from "../platform/lock.js";
import { dirname } from "../platform/path.js";
import { at, FILES, type Workspace } from "./workspace.js";

/** The same locks, with a note of the one that is held. */
export function notedLocks(locks: Locks, disk: Disk, workspace: Workspace): Locks {
  const note = at(workspace, FILES.lock);
  return {
    withLock: (file, work) =>
      locks.withLock(file, async (lock) => {
        await disk.makeDir(dirname(note));
        await disk.unlink(note);
        const out = await disk.create(note);
        await out?.write(new TextEncoder().encode(file));
        await out?.close();
        try {
          return await work(lock);
        } finally {
          await disk.unlink(note);
        }
      }),
  };
}

/** To be called by a new owner before anything else: whoever held the lock is dead. */
export async function breakDeadLock(disk: Disk, workspace: Workspace): Promise<void> {
  const note = at(workspace, FILES.lock);
  const bytes = await disk.read(note);
  if (bytes === undefined) return;
  const file = new TextDecoder().decode(bytes);
  // Only a lock of the lists that memd rewrites, whatever the note says.
  if ([FILES.history, FILES.inbox].some((name) => at(workspace, name) === file))
    await disk.removeDir(`${file}.lock`);
  await disk.unlink(note);
}
