/**
 * Which files hold memory: memory.md, profiles, records of users and, for every scope, its days, its
 * archive, its summaries, its records and its documents. Names and sizes only; nothing is read. Links
 * are not followed: what stands outside the workspace is no memory.
 */
import { addAll } from "../model/collections.js";
import { messageOf } from "../model/errors.js";
import type { DirEntry, Disk, FileStat } from "../platform/disk.js";
import type { FolderLook, FolderLooks } from "../platform/folder-looks.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";

export interface FoundFile {
  /** Relative to the workspace. */
  path: string;
  kind: "memory" | "verbatim" | "summary" | "records" | "user_records" | "profile" | "document";
  /** The scope's folder, relative; empty for what is of no scope. */
  folder: string;
  stat: FileStat;
}

export interface SkippedFile {
  /** Relative to the workspace. */
  path: string;
  /** Half a sentence: "is of scope x, not of this folder". */
  reason: string;
}

export interface FoundFolder {
  /** Relative to the workspace; empty for the one file that stands beside the folders. */
  dir: string;
  /** The same object while nothing in it has changed. */
  look: FolderLook;
  files: FoundFile[];
}

interface FoundFiles {
  folders: FoundFolder[];
  skipped: SkippedFile[];
  /** Places that could not be looked into: what was known of them is kept. */
  unseen: string[];
}

interface Looking {
  disk: Disk;
  looks: FolderLooks;
}

export async function memoryFolders({ disk, looks }: Looking, workspace: Workspace): Promise<FoundFiles> {
  const found: FoundFiles = { folders: [], skipped: [], unseen: [] };
  const walk = { disk, looks, workspace, found };
  await addTop(walk);
  if (!(await isFolder(walk, FILES.records))) return found;
  await addScope(walk, FILES.records);
  await addFolder(walk, `${FILES.records}/records/users`);
  for (const entity of ["users", "groups"]) await addFolder(walk, `${FILES.records}/profiles/${entity}`);
  for (const { name } of await folders(walk, `${FILES.records}/scopes`))
    await addScope(walk, `${FILES.records}/scopes/${name}`);
  return found;
}

const SCOPED = new RegExp(`^(${FILES.records}/scopes/[^/]+)/(.+)$`, "s");
const KINDS_BY_PLACE: readonly (readonly [RegExp, FoundFile["kind"]])[] = [
  [/^(?:archive\/[^/]+\/)?[^/]+\.md$/, "verbatim"],
  [/^summary\/[^/]+\.md$/, "summary"],
  [/^records\/[^/]+\.jsonl$/, "records"],
  [/^documents\/[^/]+\.md$/, "document"],
];
const KINDS_OF_NO_SCOPE: readonly (readonly [RegExp, FoundFile["kind"]])[] = [
  [/^records\/users\/[^/]+\.jsonl$/, "user_records"],
  [/^profiles\/(?:users|groups)\/[^/]+\.md$/, "profile"],
];

/** What the walk would take a file for, by its name alone; undefined for what it passes over. */
export function placeOf(path: string): Omit<FoundFile, "stat"> | undefined {
  if (path === FILES.memory) return { path, kind: "memory", folder: "" };
  if (!path.startsWith(`${FILES.records}/`)) return undefined;
  const inside = path.slice(FILES.records.length + 1);
  const ofNoScope = KINDS_OF_NO_SCOPE.find(([place]) => place.test(inside))?.[1];
  if (ofNoScope !== undefined) return { path, kind: ofNoScope, folder: "" };
  const [, folder = FILES.records, rest = inside] = SCOPED.exec(path) ?? [];
  const kind = KINDS_BY_PLACE.find(([place]) => place.test(rest))?.[1];
  return kind && { path, kind, folder };
}

interface Walk extends Looking {
  workspace: Workspace;
  found: FoundFiles;
}

async function addScope(walk: Walk, folder: string): Promise<void> {
  const inside = await addEntries(walk, folder);
  const has = (name: string): boolean => inside.some((entry) => entry.name === name && entry.kind === "dir");
  if (has("archive"))
    for (const { name } of await folders(walk, `${folder}/archive`))
      await addFolder(walk, `${folder}/archive/${name}`);
  for (const name of ["summary", "records", "documents"])
    if (has(name)) await addFolder(walk, `${folder}/${name}`);
}

async function addFolder(walk: Walk, dir: string): Promise<void> {
  if (await isFolder(walk, dir)) await addEntries(walk, dir);
}

/** What was made of a look is made once. */
const filesOfLook = new WeakMap<FolderLook, Pick<FoundFolder, "files"> & Pick<FoundFiles, "skipped">>();

async function addEntries(walk: Walk, dir: string): Promise<readonly DirEntry[]> {
  const look = await lookOf(walk, dir);
  const made = filesOfLook.get(look) ?? filesIn(dir, look);
  filesOfLook.set(look, made);
  const { files, skipped } = made;
  walk.found.folders.push({ dir, look, files });
  addAll(walk.found.skipped, skipped);
  for (const [name, error] of look.failed) {
    if (placeOf(`${dir}/${name}`) === undefined) continue;
    walk.found.unseen.push(`${dir}/${name}`);
    walk.found.skipped.push({ path: `${dir}/${name}`, reason: messageOf(error) });
  }
  return look.entries;
}

function filesIn(dir: string, { stats }: FolderLook): { files: FoundFile[]; skipped: SkippedFile[] } {
  const files: FoundFile[] = [];
  const skipped: SkippedFile[] = [];
  for (const [name, stat] of stats) {
    const place = placeOf(`${dir}/${name}`);
    if (place === undefined) continue;
    if (stat.kind === "file") files.push({ ...place, stat });
    else skipped.push({ path: place.path, reason: "is a link or no plain file" });
  }
  return { files, skipped };
}

/** The one file that stands beside the folders. */
async function addTop(walk: Walk): Promise<void> {
  const stat = await statOf(walk, FILES.memory);
  const stats = new Map(stat === undefined ? [] : [[FILES.memory, stat] as const]);
  const look: FolderLook = { entries: [], stats, failed: new Map() };
  const place = placeOf(FILES.memory);
  const isFile = stat?.kind === "file" && place !== undefined;
  walk.found.folders.push({ dir: "", look, files: isFile ? [{ ...place, stat }] : [] });
  if (stat !== undefined && !isFile)
    walk.found.skipped.push({ path: FILES.memory, reason: "is a link or no plain file" });
}

async function folders(walk: Walk, dir: string): Promise<DirEntry[]> {
  if (!(await isFolder(walk, dir))) return [];
  return (await lookOf(walk, dir)).entries.filter(({ kind }) => kind === "dir");
}

const NOTHING: FolderLook = { entries: [], stats: new Map(), failed: new Map() };

async function lookOf({ looks, workspace, found }: Walk, dir: string): Promise<FolderLook> {
  try {
    return await looks.look(at(workspace, dir));
  } catch (error) {
    found.unseen.push(dir);
    found.skipped.push({ path: dir, reason: messageOf(error) });
    return { ...NOTHING };
  }
}

/** What stands in place of a folder says nothing about what was in it. */
async function isFolder(walk: Walk, dir: string): Promise<boolean> {
  const kind = (await statOf(walk, dir))?.kind;
  if (kind !== undefined && kind !== "dir") {
    walk.found.unseen.push(dir);
    walk.found.skipped.push({ path: dir, reason: "is a link or no folder" });
  }
  return kind === "dir";
}

async function statOf({ disk, workspace, found }: Walk, path: string): Promise<FileStat | undefined> {
  try {
    return await disk.stat(at(workspace, path));
  } catch (error) {
    found.unseen.push(path);
    found.skipped.push({ path, reason: messageOf(error) });
    return undefined;
  }
}
