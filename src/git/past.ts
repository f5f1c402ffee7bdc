/**
 * How to take out of a repository's commits what the memory said before: every
 * commit is given the memory as it is now. memd never does that itself; these are
 * lines for a shell, for a person to run.
 */
import { isMemdError } from "../model/errors.js";
import { shellQuoted } from "../text/shell.js";
import type { Git } from "../platform/git.js";
import { asked, KEPT, repositoryAt } from "./repository.js";

/** Undefined where no commit holds any of the memory, or git does not run. */
export async function rewritingLines(git: Git): Promise<string[] | undefined> {
  try {
    return await linesFor(git);
  } catch (error) {
    if (isMemdError(error, "git_failed")) return undefined;
    throw error;
  }
}

async function linesFor(git: Git): Promise<string[] | undefined> {
  if ((await repositoryAt(git)) === undefined) return undefined;
  const held = await asked(git, { args: ["log", "--all", "-1", "--format=%h", "--", ...KEPT] });
  if (held.trim() === "") return undefined;
  const top = (await asked(git, { args: ["rev-parse", "--show-toplevel"] })).trimEnd();
  const prefix = (await asked(git, { args: ["rev-parse", "--show-prefix"] })).trimEnd();
  const left = await asked(git, { args: ["status", "--porcelain", "--untracked-files=all", "--", ...KEPT] });
  const places = KEPT.map((kept) => `"\${AT}${kept}"`).join(" ");
  return [
    `cd ${shellQuoted(top)}`,
    `export AT=${shellQuoted(prefix)}`,
    ...(left.trim() === ""
      ? []
      : [`git add -A -- ${places} && git commit -q -m "memory: what is left" -- ${places}`]),
    'export KEEP="$(git rev-parse HEAD)"',
    `FILTER_BRANCH_SQUELCH_WARNING=1 git filter-branch -f --prune-empty --tag-name-filter cat --index-filter '${filter(places)}' -- --all`,
    "git for-each-ref --format='delete %(refname)' refs/original | git update-ref --stdin",
    "git reflog expire --expire=now --all && git gc --quiet --prune=now",
  ];
}

function filter(places: string): string {
  const away = `git rm -r -q --cached --ignore-unmatch -- ${places}`;
  return `${away}; git ls-tree -r "$KEEP" -- ${places} | git update-index --index-info`;
}
