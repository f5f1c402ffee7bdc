/**
 * Rewriting a file that others write too (`history.json`, `inbox.json`, `memory.md`).
 *
 * Polite writers are kept out by the lock; impolite ones are met by comparing.
 * At the end what stands there gets a second name in `.memd/displaced/`, durably,
 * and is read again by that name: when it changed, the whole computation starts
 * over on what stands there now. It is looked at for a minute after
 * (protocol/displaced.ts), so that a save by an editor that has it open is merged
 * from there. Only a writer that renames between the last look at the inode and
 * our rename is outside the promise.
 */
import { MemdError } from "../model/errors.js";
import { type FileStat } from "../platform/disk.js";
import { dirname } from "../platform/files.js";
import type { Locks } from "../platform/lock.js";
import { displace, letGo, placeFor } from "./displaced.js";
import { type Content, writeTemp, type FileWriter } from "./publish.js";
import type { Workspace } from "./workspace.js";

/** Somebody rewrites the file faster than it can be read: give way and come back later. */
const MOST_TRIES = 20;

/**
 * Gives the new content for the present one, or undefined to leave it. Runs
 * again whenever the file changed meanwhile.
 */
export type Change = (present: Uint8Array | undefined) => Promise<Content | undefined>;

/** What stands there now when the file was rewritten; undefined when it was left. */
export async function rewriteShared(
  writer: FileWriter & { locks: Locks },
  workspace: Workspace,
  file: string,
  change: Change,
): Promise<FileStat | undefined> {
  const { disk, locks } = writer;
  await disk.makeDir(dirname(file));
  return await locks.withLock(file, async (lock) => {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const base = await disk.read(file);
      const next = await change(base);
      if (next === undefined) return undefined;
      const temp = await writeTemp(writer, file, next);
      let place: string | undefined;
      let written: FileStat | undefined;
      try {
        written = await disk.stat(temp);
        if (base !== undefined) place = await placeFor(writer, workspace, file, base);
        lock.assertHeld();
        await writer.guard();
        if (!(await swap(writer, file, temp, base, place))) {
          await discard(writer, temp, place);
          continue;
        }
      } catch (error) {
        await discard(writer, temp, place);
        throw error;
      }
      await disk.syncDir(dirname(file));
      return written;
    }
    throw new MemdError("file_contended", `${file} changed ${MOST_TRIES} times while memd was rewriting it.`);
  });
}

/** False, and nothing changed, when what stands is not `base` any more. */
async function swap(
  writer: FileWriter,
  file: string,
  temp: string,
  base: Uint8Array | undefined,
  place: string | undefined,
): Promise<boolean> {
  if (place === undefined) {
    // Nothing stood there: link never overwrites what appears at this moment.
    const isPlaced = await writer.disk.link(temp, file);
    if (isPlaced) await discard(writer, temp, undefined);
    return isPlaced;
  }
  if (!(await displace(writer, file, place))) return false;
  // Before it loses its own name: what is saved into it then would be nowhere once the power goes.
  await writer.disk.syncDir(dirname(place));
  // By the second name, so that what was renamed into place until then is not kept out of sight to be merged later.
  if (!sameBytes(base, await writer.disk.read(place))) return false;
  const kept = (await writer.disk.stat(place))?.ino;
  // Nothing may be done between these two.
  if ((await writer.disk.stat(file))?.ino !== kept) return false;
  await writer.disk.rename(temp, file);
  return true;
}

function sameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return Buffer.compare(a, b) === 0;
}

async function discard(writer: FileWriter, temp: string, place: string | undefined): Promise<void> {
  // Leftovers of an attempt that changed nothing: what cannot be removed now is swept at the next start.
  await writer.disk.unlink(temp).catch(() => false);
  if (place !== undefined) await letGo(writer, place).catch(() => undefined);
}
