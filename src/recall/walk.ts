/**
 * Which files hold memory: memory.md, profiles, records of users and, for every
 * scope, its days, its archive, its summaries, its records and its documents.
 * Names and sizes only; nothing is read.
 *
 * Links are not followed: what stands outside the workspace is no memory.
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
  await addFile(walk, FILES.memory, "memory", "");
  if (!(await isFolder(walk, FILES.records))) return found;
  await addScope(walk, FILES.records);
  await addFolder(walk, `${FILES.records}/records/users`, ".jsonl", "user_records", "");
  for (const entity of ["users", "groups"])
    await addFolder(walk, `${FILES.records}/profiles/${entity}`, ".md", "profile", "");
  for (const { name } of await folders(walk, `${FILES.records}/scopes`))
    await addScope(walk, `${FILES.records}/scopes/${name}`);
  return found;
}

const SCOPED = new RegExp(`^(${FILES.records}/scopes/[^/]+)/(.+)$`);
const KINDS_BY_PLACE: readonly (readonly [RegExp, FoundFile["kind"]])[] = [
  [/^[^/]+\.md$/, "verbatim"],
  [/^archive\/[^/]+\/[^/]+\.md$/, "verbatim"],
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
  await addFiles(walk, folder, inside, ".md", "verbatim", folder);
  const has = (name: string): boolean => inside.some((entry) => entry.name === name && entry.kind === "dir");
  if (has("archive")) {
    for (const { name } of await folders(walk, `${folder}/archive`))
      await addFolder(walk, `${folder}/archive/${name}`, ".md", "verbatim", folder);
  }
  if (has("summary")) await addFolder(walk, `${folder}/summary`, ".md", "summary", folder);
  if (has("records")) await addFolder(walk, `${folder}/records`, ".jsonl", "records", folder);
  if (has("documents")) await addFolder(walk, `${folder}/documents`, ".md", "document", folder);
}

async function addFolder(
  walk: Walk,
  dir: string,
  ending: string,
  kind: FoundFile["kind"],
  folder: string,
): Promise<void> {
  if (!(await isFolder(walk, dir))) return;
  await addFiles(walk, dir, await entries(walk, dir), ending, kind, folder);
}

async function addFiles(
  walk: Walk,
  dir: string,
  inside: readonly DirEntry[],
  ending: string,
  kind: FoundFile["kind"],
  folder: string,
): Promise<void> {
  const paths = inside
    .filter((entry) => entry.name.endsWith(ending) && !entry.name.startsWith(".") && entry.kind !== "dir")
    .map(({ name }) => `${dir}/${name}`);
  // A folder at once: one after another would take most of the time of a tick.
  const stats = await Promise.all(paths.map((path) => statOf(walk, path)));
  for (const [at, path] of paths.entries()) addStat(walk, path, stats[at], kind, folder);
}

async function addFile(walk: Walk, path: string, kind: FoundFile["kind"], folder: string): Promise<void> {
  addStat(walk, path, await statOf(walk, path), kind, folder);
}

function addStat(
  walk: Walk,
  path: string,
  stat: FileStat | undefined,
  kind: FoundFile["kind"],
  folder: string,
): void {
  if (stat === undefined) return;
  if (stat.kind === "file") walk.found.files.push({ path, kind, folder, stat });
  else walk.found.skipped.push({ path, reason: "is a link or no plain file" });
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
