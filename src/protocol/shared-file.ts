/**
 * Rewriting a file that others write too (`history.json`, `inbox.json`, `memory.md`).
 *
 * Polite writers are kept out by the lock; impolite ones are met by comparing:
 * the file is read again at the end, and when it changed the whole computation
 * starts over on what stands there now. What stands at the last moment gets a
 * second name in `.memd/displaced/`, durably, and is looked at for a minute
 * (protocol/displaced.ts): a save that came after the comparison, or comes later
 * by an editor that had it open, is merged from there. Only a writer that renames
 * between the last look at the inode and our rename is outside the promise.
 */
import { MemdError } from "../model/errors.js";
import type { FileStat } from "../platform/disk.js";
import type { Locks } from "../platform/lock.js";
import { dirname } from "../platform/path.js";
import { displace, letGo, placeFor } from "./displaced.js";
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
  return await locks.withLock(file, async (lock) => {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const base = await disk.read(file);
      const next = await change(base);
      if (next === undefined) return undefined;
      const temp = await writeTemp(press, file, next);
      let place: string | undefined;
      let written: FileStat | undefined;
      try {
        written = await disk.stat(temp);
        if (base !== undefined) place = await placeFor(press, workspace, file, base);
        lock.assertHeld();
        await press.guard();
        if (!sameBytes(base, await disk.read(file)) || !(await swap(press, file, temp, place))) {
          await discard(press, temp, place);
          continue;
        }
      } catch (error) {
        await discard(press, temp, place);
        throw error;
      }
      await disk.syncDir(dirname(file));
      return written;
    }
    throw new MemdError("file_contended", `${file} changed ${MOST_TRIES} times while memd was rewriting it.`);
  });
}

/** False, and nothing changed, when a file came or went at this moment. */
async function swap(press: Press, file: string, temp: string, place: string | undefined): Promise<boolean> {
  if (place === undefined) {
    // Nothing stood there: link never overwrites what appears at this moment.
    const isPlaced = await press.disk.link(temp, file);
    if (isPlaced) await discard(press, temp, undefined);
    return isPlaced;
  }
  if (!(await displace(press, file, place))) return false;
  // Before it loses its own name: what is saved into it then would be nowhere once the power goes.
  await press.disk.syncDir(dirname(place));
  const kept = (await press.disk.stat(place))?.ino;
  // Nothing may be done between these two.
  if ((await press.disk.stat(file))?.ino !== kept) return false;
  await press.disk.rename(temp, file);
  return true;
}

function sameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return Buffer.compare(a, b) === 0;
}

async function discard(press: Press, temp: string, place: string | undefined): Promise<void> {
  // Leftovers of an attempt that changed nothing: what cannot be removed now is swept at the next start.
  await press.disk.unlink(temp).catch(() => false);
  if (place !== undefined) await letGo(press, place).catch(() => undefined);
}
