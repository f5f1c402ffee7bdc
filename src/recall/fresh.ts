/**
 * What is found is quoted as its file says it now: the files of hits are looked
 * at by size and time, and those that differ from what the index knows are read
 * again, or go from it, before anybody is answered.
 *
 * A few looks and seldom a read; nothing is written but the index. What a person
 * put where nothing was found is left to the next reconciling.
 */
import type { FileStat } from "../platform/disk.js";
import { at } from "../protocol/workspace.js";
import { indexFile, stampOf, type ReconcileParts, type ReconcileState } from "./reconcile.js";
import { placeOf, type FoundFile } from "./walk.js";

type Parts = Pick<ReconcileParts, "disk" | "workspace" | "engine" | "zone">;

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
  let hasChanged = false;
  let left = MOST_BYTES;
  for (const [index, place] of places.entries()) {
    const stat = stats[index];
    const known = stamps.get(place.path);
    // Of what cannot be looked at, or is read by somebody else at this moment, the index keeps what it has.
    if (stat === "unseen" || known === undefined) continue;
    if (stat?.kind !== "file") {
      await parts.engine.remove(place.path);
      hasChanged = true;
      continue;
    }
    const stamp = stampOf(stat, parts.zone);
    if (stamp === known || stamp === state.skipped.get(place.path)?.stamp || stat.size > left) continue;
    left -= stat.size;
    const file: FoundFile = { ...place, stat };
    await indexFile(parts, file, stamp, state);
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
