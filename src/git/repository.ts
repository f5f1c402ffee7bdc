/**
 * What is asked of a repository: where HEAD is, whether somebody else is moving it,
 * and what stands there no more since it moved. Nothing here changes anything.
 */
import { MemdError } from "../model/errors.js";
import type { Disk } from "../platform/disk.js";
import { join, stampOf } from "../platform/files.js";
import type { Git, GitRequest } from "../platform/git.js";
import { FILES } from "../protocol/workspace.js";

/** Where HEAD is. */
export interface Head {
  /** Undefined before the first commit. */
  commit?: string;
  tree?: string;
  /** `refs/heads/main`; undefined where none is checked out. */
  branch?: string;
}

export interface Repository {
  git: Git;
  /** Absolute: of this working tree, and what it shares with others. */
  dir: string;
  shared: string;
}

/** What memd keeps under git, relative to the workspace. */
export const KEPT: readonly string[] = [FILES.memory, FILES.records];

/** Undefined where the folder is in none. Throws `git_failed` where git does not run. */
export async function repositoryAt(git: Git): Promise<Repository | undefined> {
  const found = await git({ args: ["rev-parse", "--absolute-git-dir"] });
  if (found.is === "refused" && /not a git repository/.test(found.says)) return undefined;
  if (found.is !== "done") throw failure("rev-parse", found.says);
  const dir = found.out.trimEnd();
  const shared = await asked(git, { args: ["rev-parse", "--path-format=absolute", "--git-common-dir"] });
  return { git, dir, shared: shared.trimEnd() };
}

export async function headOf({ git }: Repository): Promise<Head> {
  const branch = await answerOf(git, ["symbolic-ref", "-q", "HEAD"]);
  const commit = await answerOf(git, ["rev-parse", "-q", "--verify", "HEAD^{commit}"]);
  // Of that commit: HEAD may have moved on since.
  const tree = commit && (await answerOf(git, ["rev-parse", "-q", "--verify", `${commit}^{tree}`]));
  return {
    ...(commit !== undefined && { commit }),
    ...(tree !== undefined && { tree }),
    ...(branch !== undefined && { branch }),
  };
}

/** What tells one place of HEAD from another, whatever branch it is called. */
export function knownOf({ commit, tree }: Head): Pick<Head, "commit" | "tree"> {
  return { ...(commit !== undefined && { commit }), ...(tree !== undefined && { tree }) };
}

/** Whether all that stood there at `from` is there at `to`: it went on from it, or has lost and changed nothing of memd's. */
export async function keepsAll({ git }: Repository, from: string, to: string): Promise<boolean> {
  const ancestor = await git({ args: ["merge-base", "--is-ancestor", from, to] });
  if (ancestor.is === "done") return true;
  const lost = await git({
    args: ["diff-tree", "-r", "--name-only", "--diff-filter=DMT", from, to, "--", ...KEPT],
  });
  return lost.is === "done" && lost.out.trim() === "";
}

/** What git and its user leave there while they work. */
const UNDER_WAY = [
  "MERGE_HEAD",
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
  "BISECT_LOG",
  "rebase-merge",
  "rebase-apply",
] as const;
const LOCKS = ["index.lock", "HEAD.lock"] as const;
/** A lock that stands for so long was left by a git that was killed: it holds up commits alone. */
const OLD_LOCK_MS = 60_000;

/** By which name somebody else is at work there. */
export async function underWay(disk: Disk, { dir }: Repository, now: number): Promise<string | undefined> {
  for (const name of UNDER_WAY) if ((await disk.stat(join(dir, name))) !== undefined) return name;
  for (const name of LOCKS) {
    const lock = await disk.stat(join(dir, name));
    if (lock !== undefined && Math.abs(now - lock.mtimeMs) < OLD_LOCK_MS) return name;
  }
  return undefined;
}

/** Changes when HEAD may have moved. */
export async function headStamp(disk: Disk, { dir, shared }: Repository, branch = "HEAD"): Promise<string> {
  const files = [
    join(dir, "HEAD"),
    join(dir, "logs", "HEAD"),
    join(shared, branch),
    join(shared, "packed-refs"),
  ];
  const stamps: string[] = [];
  for (const file of files) stamps.push(stampOf(await disk.stat(file)));
  return stamps.join("\n");
}

/** What it prints; throws `git_failed`. */
export async function asked(git: Git, request: GitRequest): Promise<string> {
  const end = await git(request);
  if (end.is === "done") return end.out;
  throw failure(request.args[0] ?? "", end.says);
}

/** What it prints on one line; undefined where it has nothing to say of that. */
async function answerOf(git: Git, args: readonly string[]): Promise<string | undefined> {
  const end = await git({ args });
  if (end.is === "done") return end.out.trim();
  if (end.is === "refused" && end.code === 1) return undefined;
  throw failure(args[0] ?? "", end.says);
}

export function failure(command: string, says: string): MemdError {
  return new MemdError("git_failed", `git ${command} failed: ${says === "" ? "it did not say why" : says}.`);
}
