/**
 * `.memd/displaced/`: inodes that memd replaced, kept for a minute.
 *
 * An editor that opened a file before memd renamed a new one over it saves into
 * the old inode; one that renamed a file of its own into place at the last moment
 * has that file here. The name holds the hash of what memd had read, so either is
 * noticed, after a restart too, however late: a copy goes only once it was compared
 * after its minute. Its age is the file's own (when it was last written, or a
 * name given or taken), so that many short runs leave no more than those of the last minute.
 * What memd had read is kept beside (`.base`): without it nobody could tell what the
 * late save changed.
 */
import { defined } from "../model/collections.js";
import { isMemdError } from "../model/errors.js";
import type { FileStat } from "../platform/disk.js";
import { epochMs, MINUTE_MS, SECOND_MS, type EpochMs } from "../model/time.js";
import { basename, contentHash, hashInSteps } from "../platform/files.js";
import { isTempName, publish, type FileWriter } from "./publish.js";
import { at, FILES, type Workspace } from "./workspace.js";

const KEEP_MS = MINUTE_MS;
const REST_MS = SECOND_MS;
const NAME = /^(.+)\.([0-9a-f]{16})\.[a-z0-9]{8}$/;
const BASE = ".base";
const EMPTY = contentHash("");

/** A file that is about to be replaced: where it will be kept, and the hash of what memd read of it. */
export interface Displaced {
  place: string;
  hash: string;
}

/** `read` is what memd read of it. */
export async function placeFor(
  writer: FileWriter,
  workspace: Workspace,
  file: string,
  read: Uint8Array,
): Promise<Displaced> {
  const { disk, random } = writer;
  await disk.makeDir(at(workspace, FILES.displaced));
  const hash = await hashInSteps(read);
  const name = `${basename(file)}.${hash}.${random.name(8)}`;
  const place = at(workspace, `${FILES.displaced}/${name}`);
  if (hasDurableBase(file)) await publish(writer, place + BASE, read);
  else await writeBase(writer, place + BASE, read);
  return { place, hash };
}

/** Without its base a late save of `memory.md` cannot be merged; a list can, message by message, if less well. */
function hasDurableBase(file: string): boolean {
  return basename(file) === FILES.memory;
}

async function writeBase(writer: FileWriter, base: string, read: Uint8Array): Promise<void> {
  const out = await writer.disk.create(base);
  try {
    await out?.write(read);
  } finally {
    await out?.close();
  }
}

/** Gives the standing file its second name; false when there is none at this moment, though there may be one by now. */
export async function displace(writer: FileWriter, file: string, place: string): Promise<boolean> {
  try {
    return await writer.disk.link(file, place);
  } catch (error) {
    if (isMemdError(error) && (error.cause as { code?: unknown } | undefined)?.code === "ENOENT")
      return false;
    throw error;
  }
}

/** Lets a replaced file go, or a place that was not needed. */
export async function letGo(writer: FileWriter, place: string): Promise<void> {
  await writer.disk.unlink(place);
  await writer.disk.unlink(place + BASE);
}

/** Whether one of the replaced copies of this file holds what is looked for. */
export async function anyReplaced(
  writer: Pick<FileWriter, "disk">,
  workspace: Workspace,
  file: string,
  holds: (bytes: Uint8Array) => Promise<boolean>,
): Promise<boolean> {
  const dir = at(workspace, FILES.displaced);
  for (const { name, kind } of await writer.disk.list(dir)) {
    const isCopy = kind === "file" && isCopyOf(name, file);
    const bytes = isCopy ? await writer.disk.read(`${dir}/${name}`) : undefined;
    if (bytes !== undefined && (await holds(bytes))) return true;
  }
  return false;
}

/** Unfinished ones too. */
function isCopyOf(name: string, file: string): boolean {
  return name.replace(/^\./, "").startsWith(`${basename(file)}.`);
}

/** Lets every replaced copy of this file go at once, unread: what it holds is to be nowhere. */
export async function letGoReplaced(writer: FileWriter, workspace: Workspace, file: string): Promise<void> {
  const { disk } = writer;
  const dir = at(workspace, FILES.displaced);
  const found = (await disk.list(dir)).filter(({ name }) => isCopyOf(name, file));
  if (found.length === 0) return;
  await writer.guard();
  for (const { name } of found) await disk.unlink(`${dir}/${name}`);
  await disk.syncDir(dir);
}

export interface LateSave {
  /** `history.json`, `inbox.json`, `memory.md`. */
  file: string;
  bytes: Uint8Array;
  /** What memd knew of it before; of a list it may be torn after a power cut. */
  base?: Uint8Array;
  /** It has stood for a second: nobody is in the middle of it. */
  isRested: boolean;
  /** It would be let go now. */
  isLastLook: boolean;
}

/**
 * What became of a late save: merged; only kept beside, being no whole file (what
 * memd knew before stays what the rest of the save is compared with); or to be
 * asked again at the next look.
 */
export type LateSaveEnd = "merged" | "kept beside" | "later";

/** What one process knows of replaced files. */
export interface SeenSaves {
  /** By the name of the replaced file. */
  readonly files: Map<string, SeenSave>;
  /** Whether there was a first look, at which files are of an age that only the disk knows. */
  hasLooked: boolean;
}

export const noneSeen = (): SeenSaves => ({ files: new Map(), hasLooked: false });

interface SeenSave {
  hash: string;
  since: EpochMs;
  mtimeMs: number;
  unchangedSince: EpochMs;
  /** Saved into, and not merged yet. */
  waits: boolean;
}

/**
 * Hands what was saved into replaced files since to `merge`. Files older than a
 * minute are let go after a last look, unless they wait to be merged. How many
 * were dealt with.
 */
export async function takeLateSaves(
  writer: FileWriter,
  workspace: Workspace,
  seen: SeenSaves,
  now: EpochMs,
  merge: (save: LateSave) => Promise<LateSaveEnd>,
): Promise<number> {
  const { disk } = writer;
  const dir = at(workspace, FILES.displaced);
  const names = new Set((await disk.list(dir)).map(({ name }) => name));
  for (const name of seen.files.keys()) if (!names.has(name)) seen.files.delete(name);
  let merged = 0;
  for (const name of names) {
    const path = `${dir}/${name}`;
    const named = NAME.exec(name);
    const stat = await disk.stat(path);
    if (stat?.kind !== "file" || (named === null && !isLeft(name, names))) continue;
    const known = seen.files.get(name) ?? {
      ...(seen.hasLooked ? sinceNow(now) : sinceThen(stat, now)),
      hash: named === null ? "" : await hashKnown(writer, path, named[1] ?? "", named[2] ?? ""),
    };
    seen.files.set(name, known);
    const isLastLook = isOver(known.since, now);
    if (named === null) {
      // Not at once: its file may be about to come, its publisher at work.
      if (!isLastLook) continue;
      await disk.unlink(path);
      seen.files.delete(name);
      continue;
    }
    const file = named[1] ?? "";
    const isUnchanged = known.mtimeMs === stat.mtimeMs;
    if (!isUnchanged) known.unchangedSince = now;
    known.mtimeMs = stat.mtimeMs;
    // Two saves within one tick of the disk's clock look the same from outside: the last look reads in any case.
    if (isLastLook || !isUnchanged || known.waits) {
      // Should reading it fail, the next look does not take it for known.
      known.waits = true;
      const hash = await disk.hash(path);
      // An empty file is somebody's save that has only begun.
      known.waits = hash !== undefined && hash !== EMPTY && hash !== known.hash;
      const bytes = known.waits ? await disk.read(path) : undefined;
      if (bytes !== undefined) {
        const isRested = Math.abs(now - known.unchangedSince) >= REST_MS;
        const base = await disk.read(path + BASE);
        const save = { file, bytes, isRested, isLastLook, ...defined({ base }) };
        const end = await merge(save);
        if (end !== "later") {
          merged++;
          if (base !== undefined && end === "merged") await publish(writer, path + BASE, bytes);
          known.hash = await hashInSteps(bytes);
          known.waits = false;
        }
      }
    }
    if (!isLastLook || known.waits) continue;
    // Saved into while it was compared: the next look has that.
    if ((await disk.stat(path))?.mtimeMs !== stat.mtimeMs) continue;
    await letGo(writer, path);
    seen.files.delete(name);
  }
  seen.hasLooked = true;
  return merged;
}

/** Of what is merged already: a late save that was merged before a restart is none any more. */
async function hashKnown(writer: FileWriter, path: string, file: string, hash: string): Promise<string> {
  const base = hasDurableBase(file) ? await writer.disk.hash(path + BASE) : undefined;
  return base ?? hash;
}

/** Of one that came while this process looks: whatever the disk's clock says. */
function sinceNow(now: EpochMs): Omit<SeenSave, "hash"> {
  return { since: now, mtimeMs: -1, unchangedSince: now, waits: false };
}

/** Of one that stood there before: nobody knows yet whether it was saved into. */
function sinceThen({ ctimeMs, mtimeMs }: FileStat, now: EpochMs): Omit<SeenSave, "hash"> {
  const isJustAhead = ctimeMs > now && ctimeMs - now <= KEEP_MS;
  const since = isJustAhead ? now : epochMs(ctimeMs);
  return { since, mtimeMs, unchangedSince: epochMs(mtimeMs), waits: true };
}

/** A clock that was put back must not keep it for years. */
function isOver(since: EpochMs, now: EpochMs): boolean {
  return now - since > KEEP_MS || now < since;
}

/** What a process left that was killed: a base without its file, an unfinished publication. */
function isLeft(name: string, names: ReadonlySet<string>): boolean {
  return isTempName(name) || (name.endsWith(BASE) && !names.has(name.slice(0, -BASE.length)));
}
