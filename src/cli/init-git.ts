/**
 * `memd init --git`: a repository for a workspace, in which memd commits what it
 * writes. Asked again, it has memd go on from what git has checked out.
 */
import { commitPaths } from "../git/commit.js";
import { asked, headOf, KEPT, repositoryAt, type Repository, underWay } from "../git/repository.js";
import { acceptCommit } from "../git/state.js";
import { shortCommit } from "../git/hold.js";
import { MemdError } from "../model/errors.js";
import { isoOf } from "../model/time.js";
import { type Git, systemGit } from "../platform/git.js";
import { nodeDisk, ownerless } from "../platform/node-disk.js";
import { environment } from "../platform/process.js";
import { rewriteText } from "../protocol/publish.js";
import { parseSettings, readSettings } from "../protocol/settings.js";
import { withCommits } from "../protocol/settings-text.js";
import { openWorkspaceAt } from "../protocol/workspace-file.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";
import { commandClock } from "./context.js";
import { addIgnored } from "./make-workspace.js";

export interface UnderGit {
  /** False where there was one. */
  made: boolean;
  /** `main`. */
  branch: string | undefined;
  commit: string | undefined;
  /** So many were committed now. */
  files: number;
  /** `git.commit` was not set before. */
  switchedOn: boolean;
  /** A repository of somebody's in which this folder lies, and which memd leaves alone. */
  above: string | undefined;
}

/** What of a workspace is for a repository. */
const COMMITTED = [FILES.ignored, FILES.workspace, FILES.settings, ...KEPT];

/** Throws `git_failed`, and `git_moved` while somebody merges or rebases there. */
export async function putUnderGit(folder: string): Promise<UnderGit> {
  const workspace = await openWorkspaceAt(nodeDisk, folder);
  const { git: settings } = await readSettings(nodeDisk, workspace);
  const place = { folder: workspace.root, environment: environment() };
  const git = systemGit({ ...place, parent: settings.parent });
  const standing = await repositoryAt(git);
  const above = standing === undefined ? await topOf(systemGit({ ...place, parent: true })) : undefined;
  if (standing === undefined) await asked(git, { args: ["init", "-q", "--template=", "--shared=0600"] });
  const repository = standing ?? (await repositoryAt(git));
  if (repository === undefined) throw new MemdError("git_failed", `git made no repository in ${folder}.`);
  const by = await underWay(nodeDisk, repository, commandClock().now());
  if (by !== undefined) throw new MemdError("git_moved", `Somebody's git is at work here (${by}).`);
  await addIgnored(workspace.root);
  const switchedOn = await switchOn(workspace);
  const { files, ...head } = await commitAll(repository, workspace);
  if (head.commit !== undefined) await acceptCommit(ownerless, workspace, head.commit);
  return { made: standing === undefined, ...head, files, switchedOn, above };
}

export function repositoryLines(repository: UnderGit): string[] {
  const { made, branch, commit, files, switchedOn, above } = repository;
  const where = commit === undefined ? "nothing yet" : `${branch ?? "no branch"} at ${shortCommit(commit)}`;
  const what = files === 0 ? "nothing was left to commit" : `${files} files committed`;
  return [
    `${made ? "Made a repository" : "There is a repository"}: ${where}, ${what}.`,
    switchedOn
      ? "memd commits there what it writes (git.commit in memd.toml); one that runs does so after a restart."
      : "memd commits there what it writes, and goes on from what stands now.",
    ...(branch === undefined ? ["No branch is checked out: until one is, memd commits nothing."] : []),
    ...(above === undefined
      ? []
      : [`The repository in ${above} is left alone; name this folder in its .gitignore.`]),
  ];
}

async function topOf(git: Git): Promise<string | undefined> {
  const found = await git({ args: ["rev-parse", "--show-toplevel"] });
  return found.is === "done" ? found.out.trimEnd() : undefined;
}

async function switchOn(workspace: Workspace): Promise<boolean> {
  return rewriteText(ownerless, at(workspace, FILES.settings), (text = "", bytes) => {
    if (bytes !== undefined && text === "" && bytes.byteLength > 0) return undefined;
    const next = withCommits(text, parseSettings(text).git.commit);
    if (next !== undefined && !parseSettings(next).git.commit)
      throw new MemdError(
        "settings_invalid",
        `Write \`commit = true\` under \`[git]\` in ${FILES.settings}.`,
      );
    return next;
  });
}

async function commitAll(
  repository: Repository,
  workspace: Workspace,
): Promise<Pick<UnderGit, "branch" | "commit" | "files">> {
  const { git } = repository;
  const head = await headOf(repository);
  const branch = head.branch?.replace(/^refs\/heads\//, "");
  const changed = ["--others", "--modified", "--deleted", "--exclude-standard"];
  const listed = await asked(git, { args: ["ls-files", "-z", ...changed, "--", ...COMMITTED] });
  const paths = [...new Set(listed.split("\0").filter((path) => path !== ""))];
  if (head.branch === undefined || paths.length === 0) return { branch, commit: head.commit, files: 0 };
  const index = at(workspace, `${FILES.derived}/.git-index.${ownerless.random.name(8)}.tmp`);
  await nodeDisk.makeDir(at(workspace, FILES.derived));
  try {
    const message = head.commit === undefined ? "memory: as it begins" : "memory: as it stands";
    const commit = { paths, message, head, index, at: isoOf(commandClock().now()) };
    const made = await commitPaths(git, commit);
    return { branch, commit: (made ?? head).commit, files: made === undefined ? 0 : paths.length };
  } finally {
    await nodeDisk.unlink(index);
  }
}
