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
import { release } from "../platform/read-file.js";
import { displace, type Displaced, letGo, placeFor } from "./displaced.js";
import { type Content, writeTemp, type FileWriter } from "./publish.js";
import type { Workspace } from "./workspace.js";

/** Somebody rewrites the file faster than it can be read: give way and come back later. */
const MOST_TRIES = 20;

/**
 * Gives the new content for the present one, of which it keeps nothing, or undefined to leave it.
 * Runs again whenever the file changed meanwhile.
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
      const next = await prepared(writer, workspace, file, change);
      if (next === undefined) return undefined;
      const { temp, base } = next;
      try {
        lock.assertHeld();
        await writer.guard();
        if (!(await swap(writer, file, temp, base))) {
          await discard(writer, temp, base?.place);
          continue;
        }
      } catch (error) {
        await discard(writer, temp, base?.place);
        throw error;
      }
      await disk.syncDir(dirname(file));
      return next.written;
    }
    throw new MemdError("file_contended", `${file} changed ${MOST_TRIES} times while memd was rewriting it.`);
  });
}

interface Prepared {
  temp: string;
  written: FileStat | undefined;
  /** Of what stood there, its hash: a long file is not kept in memory while the next one is placed. */
  base: Displaced | undefined;
}

async function prepared(
  writer: FileWriter,
  workspace: Workspace,
  file: string,
  change: Change,
): Promise<Prepared | undefined> {
  const read = await writer.disk.read(file);
  try {
    const next = await change(read);
    return next === undefined ? undefined : await tempAndBase(writer, workspace, file, read, next);
  } finally {
    if (read !== undefined) release(read);
  }
}

async function tempAndBase(
  writer: FileWriter,
  workspace: Workspace,
  file: string,
  read: Uint8Array | undefined,
  next: Content,
): Promise<Prepared> {
  const temp = await writeTemp(writer, file, next);
  try {
    const written = await writer.disk.stat(temp);
    const base = read === undefined ? undefined : await placeFor(writer, workspace, file, read);
    return { temp, written, base };
  } catch (error) {
    await discard(writer, temp, undefined);
    throw error;
  }
}

/** False, and nothing changed, when what stands is not `base` any more. */
async function swap(
  writer: FileWriter,
  file: string,
  temp: string,
  base: Displaced | undefined,
): Promise<boolean> {
  if (base === undefined) {
    // Nothing stood there: link never overwrites what appears at this moment.
    const isPlaced = await writer.disk.link(temp, file);
    if (isPlaced) await discard(writer, temp, undefined);
    return isPlaced;
  }
  const { place, hash } = base;
  if (!(await displace(writer, file, place))) return false;
  // Before it loses its own name: what is saved into it then would be nowhere once the power goes.
  await writer.disk.syncDir(dirname(place));
  // By the second name, so that what was renamed into place until then is not kept out of sight to be merged later.
  if ((await writer.disk.hash(place)) !== hash) return false;
  const kept = (await writer.disk.stat(place))?.ino;
  // Nothing may be done between these two.
  if ((await writer.disk.stat(file))?.ino !== kept) return false;
  await writer.disk.rename(temp, file);
  return true;
}

async function discard(writer: FileWriter, temp: string, place: string | undefined): Promise<void> {
  // Leftovers of an attempt that changed nothing: what cannot be removed now is swept at the next start.
  await writer.disk.unlink(temp).catch(() => false);
  if (place !== undefined) await letGo(writer, place).catch(() => undefined);
}
