/**
 * Brings the index up to date with the files: what changed is read again, what
 * is gone is dropped.
 *
 * Works from names, sizes and times, so it can be run after any watch event,
 * every minute and at start. One bad file never stops it: such files are left
 * out and named. Nothing is written; a crash in between leaves an index that
 * the next run completes.
 *
 * The files of hits are looked at again before anybody is answered, so that what is
 * found is quoted as its file says it now.
 */
import type { Pace } from "../model/work.js";
import { isMemdError, type MemdError, messageOf } from "../model/errors.js";
import type { Passage } from "../model/passage.js";
import type { Zone } from "../model/time.js";
import type { Disk, FileStat } from "../platform/disk.js";
import { contentHash, contentHasher, dirname } from "../platform/files.js";
import { type FolderLook, type FolderLooks, wholeLooks } from "../platform/folder-looks.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";
import { isOfItsText, NotMemory, passagesOfFile } from "./file-passages.js";
import type { Engine } from "./index/engine.js";
import { lookThrough, passagesOfUnfiled, type UnfiledMessage } from "./message-passages.js";
import { PASSAGES_VERSION } from "./passages.js";
import { type FoundFile, type FoundFolder, memoryFolders, placeOf, type SkippedFile } from "./walk.js";

export interface ReconcileParts {
  disk: Disk;
  /** How folders are looked at; all of them, each time, where it is not given. */
  looks?: FolderLooks;
  workspace: Workspace;
  engine: Engine;
  zone: Zone;
  /** Awaited between files, so that nothing else in the process waits. */
  pace: Pace;
  /** The owner's patterns of secrets: what was read with others is read again. */
  patterns?: readonly string[];
  onProgress?: (progress: ReconcileProgress) => void;
  /** Asked between files that have changed: whether the others are left to the next run. One is read in any case. */
  isCalled?: () => boolean;
}

interface ReconcileProgress {
  done: number;
  files: number;
}

/** Kept by the caller between runs; starting with an empty one only costs reading bad files once more. */
export interface ReconcileState {
  skipped: Map<string, { stamp: string; reason: string }>;
  /** Folders as they were when all of their files stood in the index. */
  settled: Map<string, FolderLook>;
}

export function newReconcileState(): ReconcileState {
  return { skipped: new Map(), settled: new Map() };
}

export interface Reconciled {
  read: number;
  unchanged: number;
  removed: number;
  /** Changed files that were not read, since it was called. */
  left?: number;
  /** Everything that is left out at present, not only what was new in this run. */
  skipped: SkippedFile[];
}

/** `unfiled`: every message that has no verbatim block yet. */
export async function reconcile(
  parts: ReconcileParts,
  unfiled: readonly UnfiledMessage[],
  state: ReconcileState,
): Promise<Reconciled> {
  const { disk, workspace, engine, pace, looks = wholeLooks(disk) } = parts;
  const stamps = await engine.stamps();
  const { settled } = state;
  const { folders, skipped, unseen } = await memoryFolders({ disk, looks }, workspace);
  const count = folders.reduce((sum, { files }) => sum + files.length, 0);
  const result: Reconciled = { read: 0, unchanged: 0, removed: 0, skipped: [...skipped] };
  const stampOf = stampsOf(parts);
  const isSame = !hasChanged(folders, stamps, settled);
  let done = 0;
  for (const { dir, look, files } of folders) {
    if (settled.get(dir) === look) {
      result.unchanged += files.length;
      done += files.length;
      continue;
    }
    const before = result.unchanged;
    for (const file of files) {
      parts.onProgress?.({ done, files: count });
      done += 1;
      const stamp = stampOf(file.stat);
      if (stamps.get(file.path) === stamp) result.unchanged += 1;
      else if (state.skipped.get(file.path)?.stamp === stamp)
        result.skipped.push({ path: file.path, reason: reasonOf(state, file.path) });
      else if (result.left !== undefined || (result.read > 0 && parts.isCalled?.() === true))
        result.left = (result.left ?? 0) + 1;
      else if (await indexFile(parts, file, stamp, state)) result.read += 1;
      else result.skipped.push({ path: file.path, reason: reasonOf(state, file.path) });
      await pace();
    }
    if (dir !== "" && result.unchanged - before === files.length) settled.set(dir, look);
    else settled.delete(dir);
  }
  await indexUnfiled(parts, unfiled);

  // Last, so that a day that moved to the archive is never missing in between.
  if (!isSame) {
    const present = new Set(folders.flatMap(({ files }) => files.map(({ path }) => path)));
    result.removed = await removeGone(parts, present, stamps, unseen);
    for (const path of state.skipped.keys()) if (!present.has(path)) state.skipped.delete(path);
    const dirs = new Set(folders.map(({ dir }) => dir));
    for (const dir of settled.keys()) if (!dirs.has(dir)) settled.delete(dir);
  }
  return result;
}

/** Whether a folder has come, gone or changed since all of it stood in the index. */
function hasChanged(
  folders: readonly FoundFolder[],
  stamps: ReadonlyMap<string, string>,
  settled: ReconcileState["settled"],
): boolean {
  const real = folders.filter(({ dir }) => dir !== "");
  const isGone = stamps.has(FILES.memory) && folders.every(({ files }) => files[0]?.path !== FILES.memory);
  return isGone || real.length !== settled.size || real.some(({ dir, look }) => settled.get(dir) !== look);
}

/** How many were of no file any more. */
async function removeGone(
  { engine }: Pick<ReconcileParts, "engine">,
  present: ReadonlySet<string>,
  stamps: ReadonlyMap<string, string>,
  unseen: readonly string[],
): Promise<number> {
  let removed = 0;
  for (const path of stamps.keys()) {
    const stays =
      present.has(path) ||
      isJournal(path) ||
      unseen.some((place) => path === place || path.startsWith(`${place}/`));
    if (stays) continue;
    await engine.remove(path);
    removed += 1;
  }
  return removed;
}

/** Only the messages without a block, for when nothing else changed: cheap enough for every new message. */
export async function indexUnfiled(
  parts: Pick<ReconcileParts, "engine" | "zone" | "pace" | "patterns">,
  unfiled: readonly UnfiledMessage[],
): Promise<void> {
  const { engine, zone, pace, patterns = [] } = parts;
  await lookThrough(unfiled, pace);
  const stamps = await engine.stamps();
  const present = new Set<string>();
  for (const [path, made] of passagesOfUnfiled(unfiled, zone)) {
    present.add(path);
    const passages: Passage[] = [];
    const hasher = contentHasher();
    hasher.update(JSON.stringify([PASSAGES_VERSION, patterns]));
    for (const passage of made) {
      passages.push(passage);
      hasher.update(JSON.stringify(passage));
      await pace();
    }
    const stamp = hasher.digest();
    if (stamps.get(path) !== stamp) await engine.upsert(path, stamp, passages);
  }
  for (const path of stamps.keys()) if (isJournal(path) && !present.has(path)) await engine.remove(path);
}

/** What takes longer than some ten milliseconds to be made passages of. */
const LONG_BYTES = 16 * 1024;

/** False when the file is left out; the reason is then in the state. */
async function indexFile(
  parts: Pick<ReconcileParts, "disk" | "workspace" | "engine" | "zone" | "patterns">,
  file: FoundFile,
  stamp: string,
  state: ReconcileState,
): Promise<boolean> {
  const { disk, workspace, engine } = parts;
  try {
    const bytes = await disk.read(at(workspace, file.path));
    if (bytes === undefined) return true;
    if (bytes.length > LONG_BYTES && engine.upsertFile !== undefined) {
      const read = { file, stamp, bytes, zone: parts.zone.name, patterns: parts.patterns ?? [] };
      const reason = await engine.upsertFile(read);
      if (reason !== undefined) throw new NotMemory(reason);
    } else {
      await engine.upsert(file.path, stamp, [...passagesOfFile(file, bytes, parts.zone).passages]);
    }
    state.skipped.delete(file.path);
    return true;
  } catch (error) {
    if (!isOfItsText(error) && !isUnreadable(error)) throw error;
    state.skipped.set(file.path, { stamp, reason: messageOf(error) });
    // A disk that refuses to read says nothing about the text; a text that is not ours any more must go.
    if (!isUnreadable(error)) await engine.remove(file.path);
    return false;
  }
}

function isUnreadable(error: unknown): error is MemdError {
  return isMemdError(error, "disk_denied") || isMemdError(error, "disk_fault");
}

type StampParts = Pick<ReconcileParts, "zone" | "patterns">;

/** Tells versions of a file apart, and of what is made of it. */
function stampsOf({ zone, patterns = [] }: StampParts): (stat: FileStat) => string {
  const made = [PASSAGES_VERSION, contentHash(patterns.join("\n")), zone.name].join(" ");
  return ({ size, mtimeMs, ino }) => `${made} ${size} ${mtimeMs} ${ino}`;
}

function isJournal(path: string): boolean {
  return path.startsWith(`${FILES.journal}/`);
}

function reasonOf(state: ReconcileState, path: string): string {
  return state.skipped.get(path)?.reason ?? "could not be read";
}

/**
 * What is found is quoted as its file says it now: the files of hits are looked
 * at by size and time, and those that differ from what the index knows are read
 * again, or go from it, before anybody is answered.
 *
 * A few looks and seldom a read; nothing is written but the index. What a person
 * put where nothing was found is left to the next reconciling.
 */
type Parts = Pick<ReconcileParts, "disk" | "workspace" | "engine" | "zone" | "patterns">;

/** Best first; what ranks behind so many files is hardly quoted. */
const MOST_FILES = 80;
/** Read while somebody waits; a larger one is read by the next tick. */
const MOST_BYTES = 2 * 1024 * 1024;

/** Whether the index knows of any of these files, relative to the workspace, something else than before. */
export async function readAgainWhereChanged(
  parts: Parts,
  paths: readonly string[],
  state: ReconcileState,
): Promise<boolean> {
  const places = [...new Set(paths)].slice(0, MOST_FILES).flatMap((path) => placeOf(path) ?? []);
  if (places.length === 0) return false;
  const [stamps, ...stats] = await Promise.all([
    parts.engine.stamps(),
    ...places.map(({ path }) => lookAt(parts, path)),
  ]);
  const stampOf = stampsOf(parts);
  let hasChanged = false;
  let left = MOST_BYTES;
  for (const [index, place] of places.entries()) {
    const stat = stats[index];
    const known = stamps.get(place.path);
    // Of what cannot be looked at, or is read by somebody else at this moment, the index keeps what it has.
    if (stat === "unseen" || known === undefined) continue;
    if (stat?.kind !== "file") {
      await parts.engine.remove(place.path);
      state.settled.delete(dirname(place.path));
      hasChanged = true;
      continue;
    }
    const stamp = stampOf(stat);
    if (stamp === known || stamp === state.skipped.get(place.path)?.stamp || stat.size > left) continue;
    left -= stat.size;
    const file: FoundFile = { ...place, stat };
    await indexFile(parts, file, stamp, state);
    state.settled.delete(dirname(place.path));
    hasChanged = true;
  }
  return hasChanged;
}

async function lookAt({ disk, workspace }: Parts, path: string): Promise<FileStat | undefined | "unseen"> {
  try {
    return await disk.stat(at(workspace, path));
  } catch {
    // A fault of the disk is told by the ticks; somebody waits here.
    return "unseen";
  }
}
