/**
 * `.memd/lock`: which file's lock this process holds. A killed owner leaves its
 * lock behind; its successor finds it named here and breaks it at once instead
 * of waiting until it counts as stale. Unless a polite program did that wait:
 * the lock that stands then is the other program's, and younger than the note.
 */
import type { Disk } from "../platform/disk.js";
import type { Locks } from "../platform/lock.js";
import { dirname } from "../platform/path.js";
import { at, FILES, type Workspace } from "./workspace.js";

/** A lock is made right before its note. One that a host took over shows a time two seconds later, or more. */
const SAME_LOCK_MS = 1500;

/** The same locks, with a note of the one that is held. */
export function notedLocks(locks: Locks, disk: Disk, workspace: Workspace): Locks {
  const note = at(workspace, FILES.lock);
  return {
    withLock: async (file, work) =>
      await locks.withLock(file, async (lock) => {
        await disk.makeDir(dirname(note));
        await disk.unlink(note);
        await writeNote(disk, note, file);
        try {
          return await work(lock);
        } finally {
          await disk.unlink(note);
        }
      }),
  };
}

async function writeNote(disk: Disk, note: string, file: string): Promise<void> {
  const out = await disk.create(note);
  try {
    await out?.write(new TextEncoder().encode(file));
  } finally {
    await out?.close();
  }
}

/** To be called by a new owner before anything else: whoever held the lock is dead. */
export async function breakDeadLock(disk: Disk, workspace: Workspace): Promise<void> {
  const note = at(workspace, FILES.lock);
  const bytes = await disk.read(note);
  if (bytes === undefined) return;
  const file = new TextDecoder().decode(bytes);
  const [noted, lock] = [await disk.stat(note), await disk.stat(`${file}.lock`)];
  const isTheirs = (lock?.mtimeMs ?? 0) > (noted?.mtimeMs ?? 0) + SAME_LOCK_MS;
  // Only a lock of the lists that memd rewrites, whatever the note says.
  if (!isTheirs && [FILES.history, FILES.inbox, FILES.memory].some((name) => at(workspace, name) === file))
    await disk.removeDir(`${file}.lock`);
  await disk.unlink(note);
}
