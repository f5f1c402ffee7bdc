/**
 * A commit of these paths and nothing else. It is made beside the user's index, and
 * HEAD goes to it only where HEAD still is where memd saw it last: what others have
 * staged stays staged, and what they have checked out meanwhile is not written to.
 *
 * Of the user's index only the entries of these paths change, first of all, so that
 * it never holds an older version of them than HEAD. Killed anywhere, the paths are
 * committed by the next one.
 */
import type { Git } from "../platform/git.js";
import { asked, failure, type Head } from "./repository.js";

export interface Commit {
  /** Relative to the workspace; those that stand no more are taken out. */
  paths: readonly string[];
  message: string;
  /** What it follows. */
  head: Head;
  /** Absolute: a name that is free, for an index of its own. */
  index: string;
  /** ISO 8601. */
  at: string;
}

/** Where HEAD is then; undefined where there was nothing to commit. Throws `git_failed`, and then HEAD is where it was. */
export async function commitPaths(git: Git, commit: Commit): Promise<Head | undefined> {
  const { head, index, at, message } = commit;
  const paths = await notIgnored(git, commit.paths);
  if (paths.length === 0) return undefined;
  const given = { input: paths.map((path) => `${path}\0`).join("") };
  const stage = ["update-index", "--add", "--remove", "-z", "--stdin"];
  await asked(git, { args: ["read-tree", head.commit ?? "--empty"], index });
  await asked(git, { args: stage, index, ...given });
  const tree = (await asked(git, { args: ["write-tree"], index })).trim();
  if (tree === head.tree) return undefined;
  const parents = head.commit === undefined ? [] : ["-p", head.commit];
  const made = await asked(git, { args: ["commit-tree", tree, ...parents], input: `${message}\n`, at });
  const commitId = made.trim();
  await asked(git, { args: stage, ...given });
  const [subject = ""] = message.split("\n");
  const before = head.commit ?? "0".repeat(commitId.length);
  await asked(git, { args: ["update-ref", "-m", subject, "HEAD", commitId, before], at });
  return { ...head, commit: commitId, tree };
}

/** Without what the user's `.gitignore` names: theirs is the last word. */
async function notIgnored(git: Git, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const input = paths.map((path) => `${path}\0`).join("");
  const end = await git({ args: ["check-ignore", "-z", "--stdin"], input });
  // 1 says that none is.
  if (end.is === "refused" && end.code === 1) return [...paths];
  if (end.is !== "done") throw failure("check-ignore", end.says);
  const ignored = new Set(end.out.split("\0"));
  return paths.filter((path) => !ignored.has(path));
}
