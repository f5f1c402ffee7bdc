/**
 * Which files hold memory: memory.md, profiles, records of users and, for every scope, its days, its
 * archive, its summaries, its records and its documents. Names and sizes only; nothing is read. Links
 * are not followed: what stands outside the workspace is no memory.
 */
import { messageOf } from "../model/errors.js";
import type { DirEntry, Disk, FileStat } from "../platform/disk.js";
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

interface FoundFiles {
  files: FoundFile[];
  skipped: SkippedFile[];
  /** Places that could not be looked into: what was known of them is kept. */
  unseen: string[];
}

export async function memoryFiles(disk: Disk, workspace: Workspace): Promise<FoundFiles> {
  const found: FoundFiles = { files: [], skipped: [], unseen: [] };
  const walk = { disk, workspace, found };
  await addFiles(walk, [FILES.memory]);
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

interface Walk {
  disk: Disk;
  workspace: Workspace;
  found: FoundFiles;
}

async function addScope(walk: Walk, folder: string): Promise<void> {
  const inside = await entries(walk, folder);
  await addEntries(walk, folder, inside);
  const has = (name: string): boolean => inside.some((entry) => entry.name === name && entry.kind === "dir");
  if (has("archive"))
    for (const { name } of await folders(walk, `${folder}/archive`))
      await addFolder(walk, `${folder}/archive/${name}`);
  for (const name of ["summary", "records", "documents"])
    if (has(name)) await addFolder(walk, `${folder}/${name}`);
}

async function addFolder(walk: Walk, dir: string): Promise<void> {
  if (await isFolder(walk, dir)) await addEntries(walk, dir, await entries(walk, dir));
}

async function addEntries(walk: Walk, dir: string, inside: readonly DirEntry[]): Promise<void> {
  const names = inside.filter(({ name, kind }) => kind !== "dir" && !name.startsWith("."));
  await addFiles(
    walk,
    names.map(({ name }) => `${dir}/${name}`),
  );
}

async function addFiles(walk: Walk, paths: readonly string[]): Promise<void> {
  const places = paths.flatMap((path) => placeOf(path) ?? []);
  // A folder at once: one after another would take most of the time of a tick.
  const stats = await Promise.all(places.map(({ path }) => statOf(walk, path)));
  for (const [at, place] of places.entries()) {
    const stat = stats[at];
    if (stat?.kind === "file") walk.found.files.push({ ...place, stat });
    else if (stat !== undefined)
      walk.found.skipped.push({ path: place.path, reason: "is a link or no plain file" });
  }
}

async function folders(walk: Walk, dir: string): Promise<DirEntry[]> {
  if (!(await isFolder(walk, dir))) return [];
  return (await entries(walk, dir)).filter(({ kind }) => kind === "dir");
}

async function entries({ disk, workspace, found }: Walk, dir: string): Promise<DirEntry[]> {
  try {
    return await disk.list(at(workspace, dir));
  } catch (error) {
    found.unseen.push(dir);
    found.skipped.push({ path: dir, reason: messageOf(error) });
    return [];
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
