/** `memd init`: makes a folder a workspace, with a sample conversation or a repository where that is asked for. What stands there stays as it is. */
import { heldIn, takenIn } from "../adapters/folder.js";
import { defined } from "../model/collections.js";
import { MemdError } from "../model/errors.js";
import { join } from "../platform/files.js";
import { nodeDisk } from "../platform/node-disk.js";
import { FILES } from "../protocol/workspace.js";
import { shellQuoted } from "../text/shell.js";
import { type CommonOptions, tell, typed, workspaceFolder } from "./context.js";
import { type Found, foundOf } from "./found.js";
import { makeWorkspace } from "./make-workspace.js";

type InitFlags = CommonOptions & { sample?: boolean; git?: boolean; dryRun?: boolean };

export async function init(named: string | undefined, options: InitFlags): Promise<void> {
  if (named !== undefined && options.workspace !== undefined)
    throw new MemdError("usage", "The folder is named twice: once is enough.");
  const folder = workspaceFolder(named === undefined ? options : { ...options, workspace: named });
  const here = typed(folder) === "." ? "" : ` -w ${shellQuoted(typed(folder))}`;
  const { git: withGit = false, dryRun = false, sample = false } = options;
  const isThere = (await nodeDisk.stat(join(folder, FILES.workspace))) !== undefined;
  if (isThere && withGit && !dryRun) return tellRepository(folder, options, []);
  const real = await nodeDisk.realPath(folder);
  if (real !== undefined && (await nodeDisk.stat(real))?.kind !== "dir")
    throw new MemdError("usage", `${folder} is a file; a workspace is a folder.`);
  const found = foundOf(real === undefined || isThere ? [] : await heldIn(nodeDisk, real), here);
  if (dryRun) return tellDryRun(folder, options, found, isThere);
  const files = await makeWorkspace(folder, sample);
  const made = [
    `${folder} is a memd workspace now.`,
    ...files.map((file) => `  ${file}`),
    ...foundLines(found),
  ];
  if (withGit) return tellRepository(folder, options, made, { files, found });
  tell(options, { workspace: folder, files, found }, () => [
    ...made,
    `Next: \`memd start${here}\`; write to inbox.json and history.json there, or try \`memd say hello${here}\`.`,
  ]);
}

/** It has a repository from now on, and memd commits there. */
async function tellRepository(
  folder: string,
  options: CommonOptions,
  before: readonly string[],
  done: { files?: string[]; found?: Found[] } = {},
): Promise<void> {
  const { putUnderGit, repositoryLines } = await import("./init-git.js");
  const repository = await putUnderGit(folder);
  tell(options, { workspace: folder, ...done, git: repository }, () => [
    ...before,
    ...repositoryLines(repository),
  ]);
}

async function tellDryRun(
  folder: string,
  options: CommonOptions,
  found: readonly Found[],
  isThere: boolean,
): Promise<void> {
  const taken = isThere ? undefined : await takenIn(nodeDisk, folder);
  const says =
    taken !== undefined
      ? `${folder} cannot become a memd workspace: ${taken} is another program's.`
      : `${folder} ${isThere ? "is a memd workspace already" : "can become a memd workspace"}.`;
  tell(options, defined({ workspace: folder, files: [], found, taken }), () => [
    ...foundLines(found),
    `${says} Nothing was made: this was a dry run.`,
  ]);
}

function foundLines(found: readonly Found[]): string[] {
  return found.flatMap(({ what, then }) => [`Found ${what}`, `  ${then}`]);
}
