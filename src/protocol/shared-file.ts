/**
 * Rewriting a file that others write too (`history.json`, `inbox.json`).
 *
 * Polite writers are kept out by the lock; impolite ones are met by comparing:
 * the file is read again right before the rename, and when it changed the whole
 * computation starts over on what stands there now. The replaced inode stays
 * linked in `.memd/displaced/` for a minute, since an editor that had it open
 * may still save into it (protocol/displaced.ts). A writer that renames between
 * the last look and our rename is outside the promise.
 */
import { MemdError } from "../model/errors.js";
import type { FileStat } from "../platform/disk.js";
import type { Locks } from "../platform/lock.js";
import { dirname } from "../platform/path.js";
import { displace } from "./displaced.js";
import { writeTemp, type Press } from "./publish.js";
import type { Workspace } from "./workspace.js";

/** Somebody rewrites the file faster than it can be read: give way and come back later. */
const MOST_TRIES = 20;

/**
 * Gives the new content for the present one, or undefined to leave it. Runs
 * again whenever the file changed meanwhile.
 */
export type Change = (present: Uint8Array | undefined) => Promise<Uint8Array | undefined>;

/** What stands there now when the file was rewritten; undefined when it was left. */
export async function rewriteShared(
  press: Press & { locks: Locks },
  workspace: Workspace,
  file: string,
  change: Change,
): Promise<FileStat | undefined> {
  const { disk, locks } = press;
  await disk.makeDir(dirname(file));
  return locks.withLock(file, async (lock) => {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const base = await disk.read(file);
      const next = await change(base);
      if (next === undefined) return undefined;
      const temp = await writeTemp(press, file, next);
      let displaced: string | undefined;
      let written: FileStat | undefined;
      try {
        if (base !== undefined) displaced = await displace(press, workspace, file, base);
        written = await disk.stat(temp);
        const now = await disk.read(file);
        if (!sameBytes(base, now) || !(await isKept(press, file, displaced))) {
          await discard(press, temp, displaced);
          continue;
        }
        lock.assertHeld();
        await press.guard();
        if (base === undefined) {
          // Nothing stood there: link never overwrites what appears at this moment.
          const placed = await disk.link(temp, file);
          await discard(press, temp, undefined);
          if (!placed) continue;
        } else {
          await disk.rename(temp, file);
        }
      } catch (error) {
        await discard(press, temp, displaced);
        throw error;
      }
      await disk.syncDir(dirname(file));
      return written;
    }
    throw new MemdError("file_contended", `${file} changed ${MOST_TRIES} times while memd was rewriting it.`);
  });
}

/** Whether the file that is about to be replaced is the one that was kept: the same bytes may be another file by now. */
async function isKept(press: Press, file: string, displaced: string | undefined): Promise<boolean> {
  const standing = await press.disk.stat(file);
  const kept = displaced === undefined ? undefined : await press.disk.stat(displaced);
  return standing?.ino === kept?.ino;
}

function sameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return Buffer.compare(a, b) === 0;
}

async function discard(press: Press, temp: string, displaced: string | undefined): Promise<void> {
  // Leftovers of an attempt that changed nothing: what cannot be removed now is swept at the next start.
  await press.disk.unlink(temp).catch(() => false);
  if (displaced !== undefined) await press.disk.unlink(displaced).catch(() => false);
}
