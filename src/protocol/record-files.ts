/** Which files of a workspace hold records, relative to it. Names only; nothing is read. */
import type { ScopeId } from "../model/address.js";
import type { MemoryRecord } from "../model/record.js";
import type { Disk } from "../platform/disk.js";
import { at, memoryDir, userRecordsPaths, type Workspace } from "./workspace.js";

/** A scope's records stand by month, what is of user level in one file for each user. */
export type RecordPlace = { scope: ScopeId } | { user: string };

export function placeOfRecord({ level, scope, user }: MemoryRecord): RecordPlace {
  return level === "user" && user !== undefined ? { user } : { scope };
}

/** Those of a place that stand. */
export async function recordFiles(disk: Disk, workspace: Workspace, place: RecordPlace): Promise<string[]> {
  if ("scope" in place) return recordFilesUnder(disk, workspace, memoryDir(place.scope));
  const paths = userRecordsPaths(place.user);
  const stats = await Promise.all(paths.map((path) => disk.stat(at(workspace, path))));
  return paths.filter((_path, index) => stats[index]?.kind === "file");
}

/** The same of a scope by its folder, `memory/scopes/main%3Adocs`. */
export function recordFilesUnder(disk: Disk, workspace: Workspace, scopeDir: string): Promise<string[]> {
  return linesFilesIn(disk, workspace, `${scopeDir}/records`);
}

/** Of every scope and every user. */
export async function allRecordFiles(disk: Disk, workspace: Workspace): Promise<string[]> {
  const scopes = await disk.list(at(workspace, "memory/scopes"));
  const folders = [
    "memory/records",
    "memory/records/users",
    ...scopes.flatMap(({ kind, name }) => (kind === "dir" ? [`memory/scopes/${name}/records`] : [])),
  ];
  return (await Promise.all(folders.map((folder) => linesFilesIn(disk, workspace, folder)))).flat();
}

async function linesFilesIn(disk: Disk, workspace: Workspace, folder: string): Promise<string[]> {
  const entries = await disk.list(at(workspace, folder));
  return entries
    .filter(({ kind, name }) => kind === "file" && name.endsWith(".jsonl"))
    .map(({ name }) => `${folder}/${name}`);
}
