/** `memd init`: makes a folder a workspace, with a sample conversation or a repository where that is asked for. What stands there stays as it is. */
import { heldIn, takenIn } from "../adapters/folder.js";
import { defined } from "../model/collections.js";
import { MemdError } from "../model/errors.js";
import { join } from "../platform/files.js";
import { nodeDisk } from "../platform/node-disk.js";
import { APART, FILES } from "../protocol/workspace.js";
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
  const real = await nodeDisk.realPath(folder);
  if (real !== undefined && (await nodeDisk.stat(real))?.kind !== "dir")
    throw new MemdError("usage", `${folder} is a file; a workspace is a folder.`);
  const taken = real === undefined || (await isWorkspace(folder)) ? undefined : await takenIn(nodeDisk, real);
  const place = taken === undefined ? folder : join(folder, APART);
  const isThere = await isWorkspace(place);
  if (isThere && withGit && !dryRun) return tellRepository(place, options, []);
  const found = foundOf(real === undefined || isThere ? [] : await heldIn(nodeDisk, real), here);
  if (dryRun) return tellDryRun(options, { found, isThere, place, taken });
  const files = await makeWorkspace(place, sample, { theirs: await theirMemory(folder, taken) });
  const made = [
    ...apartLines(place, taken),
    `${place} is a memd workspace now.`,
    ...files.map((file) => `  ${file}`),
    ...foundLines(found),
  ];
  if (withGit) return tellRepository(place, options, made, { files, found });
  const where = taken === undefined ? "there" : `in ${APART}/`;
  tell(options, { workspace: place, files, found }, () => [
    ...made,
    `Next: \`memd start${here}\`; write to inbox.json and history.json ${where}, or try \`memd say hello${here}\`.`,
  ]);
}

async function isWorkspace(folder: string): Promise<boolean> {
  return (await nodeDisk.stat(join(folder, FILES.workspace))) !== undefined;
}

/** Of the program that has taken the folder. */
async function theirMemory(folder: string, taken: string | undefined): Promise<string | undefined> {
  if (taken === undefined) return undefined;
  const memory = await nodeDisk.stat(join(folder, FILES.records));
  return memory?.kind === "dir" ? join("..", FILES.records) : undefined;
}

function apartLines(place: string, taken: string | undefined): string[] {
  if (taken === undefined) return [];
  return [
    `${taken} is another program's: memd keeps its own apart, in ${place}, and is found from here too.`,
  ];
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

interface Plan {
  found: readonly Found[];
  isThere: boolean;
  /** What would become one. */
  place: string;
  /** Why that is not the folder itself. */
  taken: string | undefined;
}

function tellDryRun(options: CommonOptions, { found, isThere, place, taken }: Plan): void {
  const says = isThere ? `${place} is a memd workspace already` : `${place} can become a memd workspace`;
  tell(options, defined({ workspace: place, files: [], found, taken }), () => [
    ...foundLines(found),
    ...apartLines(place, taken),
    `${says}. Nothing was made: this was a dry run.`,
  ]);
}

function foundLines(found: readonly Found[]): string[] {
  return found.flatMap(({ what, then }) => [`Found ${what}`, `  ${then}`]);
}
