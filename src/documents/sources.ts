/**
 * The files of the workspace that `documents` in memd.toml names. Names and sizes only; nothing is read.
 * Links are not followed unless `files.linked` names them, memd's own files and hidden ones are never
 * documents, and a folder without end is left off at a number that is told.
 */
import { isMemdError, messageOf } from "../model/errors.js";
import { globBase, globMatcher } from "../platform/glob.js";
import type { DirEntry, Disk, FileStat } from "../platform/disk.js";
import { FILES, OWN_FOLDERS, at, type Workspace } from "../protocol/workspace.js";

export interface SourceFile {
  /** Relative to the workspace. */
  path: string;
  size: number;
  /** Changes when the file does. */
  stamp: string;
}

export interface SourceFiles {
  files: SourceFile[];
  /** Folders that could not be looked into, or not wholly: what is known of them is kept. */
  unseen: { path: string; reason: string }[];
}

/** `names`: looked at, of files and folders. */
const MOST_SOURCES = { names: 100_000, files: 10_000 };
type Most = typeof MOST_SOURCES;

const OWN_FILES: ReadonlySet<string> = new Set([FILES.memory, FILES.soul, FILES.awareness]);

interface Walk {
  disk: Disk;
  workspace: Workspace;
  matches: (path: string) => boolean;
  bases: readonly string[];
  most: Most;
  names: number;
  found: SourceFiles;
}

export async function sourceFiles(
  disk: Disk,
  workspace: Workspace,
  globs: readonly string[],
  most: Most = MOST_SOURCES,
): Promise<SourceFiles> {
  const found: SourceFiles = { files: [], unseen: [] };
  if (globs.length === 0) return found;
  const bases = globs.map(globBase);
  const walk: Walk = { disk, workspace, matches: globMatcher(globs), bases, most, names: 0, found };
  await lookInto(walk, "");
  return found;
}

/** Whether a path may be a document at all, whatever the settings say. */
export function mayBeSource(path: string): boolean {
  const parts = path.split("/");
  const [top = ""] = parts;
  if (parts.some((part) => part === "" || part.startsWith(".") || part === "node_modules")) return false;
  return parts.length === 1 ? !OWN_FILES.has(path) : !OWN_FOLDERS.has(top);
}

/** The stamp of a file that may be read; undefined where there is none. */
export function sourceStamp(stat: FileStat | undefined): string | undefined {
  return stat?.kind === "file" ? `${stat.size} ${stat.mtimeMs}` : undefined;
}

async function lookInto(walk: Walk, dir: string): Promise<void> {
  const { found, most, matches } = walk;
  for (const { name, kind } of await entriesOf(walk, dir)) {
    const path = dir === "" ? name : `${dir}/${name}`;
    if (kind === "other" || !mayBeSource(kind === "dir" ? `${path}/x` : path)) continue;
    if (kind === "dir") {
      if (leadsSomewhere(walk, path)) await lookInto(walk, path);
    } else if (matches(path)) {
      if (found.files.length >= most.files) return leaveOff(walk, dir, `${most.files} documents`);
      const stat = await walk.disk.stat(at(walk.workspace, path));
      const stamp = sourceStamp(stat);
      if (stat !== undefined && stamp !== undefined) found.files.push({ path, size: stat.size, stamp });
    }
  }
}

async function entriesOf(walk: Walk, dir: string): Promise<DirEntry[]> {
  const { disk, workspace, found, most } = walk;
  const left = most.names - walk.names;
  if (left <= 0) {
    leaveOff(walk, dir, `${most.names} names`);
    return [];
  }
  try {
    const entries = await disk.list(at(workspace, dir), left + 1);
    walk.names += entries.length;
    if (entries.length > left) leaveOff(walk, dir, `${most.names} names`);
    return entries.slice(0, left);
  } catch (error) {
    // Somebody's folder that memd may not enter is their affair.
    if (!isMemdError(error, "disk_denied")) throw error;
    found.unseen.push({ path: dir, reason: messageOf(error) });
    return [];
  }
}

/** Once: every folder after it is left off too. */
function leaveOff({ found }: Walk, dir: string, limit: string): void {
  const place = dir === "" ? "the workspace" : dir;
  const reason = `more than ${limit}: ${place} and what comes after it is left off`;
  if (!found.unseen.some(({ path }) => path === "")) found.unseen.push({ path: "", reason });
}

/** Below a folder that a glob begins with, or on the way to it. */
function leadsSomewhere({ bases }: Walk, dir: string): boolean {
  return bases.some(
    (base) => base === "" || base === dir || dir.startsWith(`${base}/`) || base.startsWith(`${dir}/`),
  );
}
