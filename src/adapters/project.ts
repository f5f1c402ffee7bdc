/**
 * Which project a folder is of: the repository around it, so that all its worktrees and all
 * folders in it are one; else the folder itself.
 */
import type { ScopeId } from "../model/address.js";
import type { Disk } from "../platform/disk.js";
import { basename, dirname, join, resolve, shortHash } from "../platform/files.js";

type Looking = Pick<Disk, "stat" | "read">;

/** The folder that the project is known by, which need not be there any more. */
export async function projectOf(disk: Looking, folder: string): Promise<string> {
  for (let dir = resolve(folder); ; dir = dirname(dir)) {
    const common = await commonDir(disk, join(dir, ".git"));
    if (common !== undefined) return basename(common) === ".git" ? dirname(common) : common;
    if (dir === dirname(dir)) return resolve(folder);
  }
}

/** `boat-3f2a91c0`: two projects of one name are two. */
export function scopeOfProject(project: string): ScopeId {
  const name = basename(project).replaceAll(/[\s:/]+/g, "-");
  return `${name}-${shortHash(project)}` as ScopeId;
}

const GITDIR = "gitdir:";

/** What all worktrees share; undefined where `.git` is not there. */
async function commonDir(disk: Looking, git: string): Promise<string | undefined> {
  const stat = await disk.stat(git);
  if (stat?.kind === "dir") return git;
  if (stat?.kind !== "file") return undefined;
  const says = await lineOf(disk, git);
  if (!says.startsWith(GITDIR)) return undefined;
  const own = resolve(dirname(git), says.slice(GITDIR.length).trim());
  const common = (await lineOf(disk, join(own, "commondir"))).trim();
  return common === "" ? own : resolve(own, common);
}

async function lineOf(disk: Looking, file: string): Promise<string> {
  return new TextDecoder().decode((await disk.read(file)) ?? new Uint8Array());
}
