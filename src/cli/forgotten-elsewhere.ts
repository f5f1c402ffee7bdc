/** Where something may still stand that was forgotten here: exports that memd made, and commits of git. */
import { parseInstant } from "../model/time.js";
import { nodeDisk } from "../platform/node-disk.js";
import { dirname, join, relative } from "../platform/files.js";
import { type KnownExport, knownExports } from "../protocol/exports.js";
import { FILES, type Workspace } from "../protocol/workspace.js";
import { shortTime } from "./words.js";

export interface Elsewhere {
  /** That still stand where memd put them, or may stand somewhere else by now. */
  exports: (KnownExport & { stands: boolean })[];
  /** The repository whose commits hold files of the workspace. */
  repository?: string;
}

export async function elsewhere(workspace: Workspace): Promise<Elsewhere> {
  const known = await knownExports(nodeDisk, workspace);
  const exports = await Promise.all(
    known.map(async (each) => ({ ...each, stands: (await nodeDisk.stat(each.path)) !== undefined })),
  );
  const repository = await repositoryOf(workspace);
  return { exports, ...(repository === undefined ? {} : { repository }) };
}

/** A line each. */
export function elsewhereLines({ exports, repository }: Elsewhere): string[] {
  const lines = exports.map(({ path, at, stands }) => {
    const when = timeOf(at);
    return `It may still stand in the export of ${when}, ${path}${stands ? "" : " (not there any more: moved?)"}.`;
  });
  if (repository === undefined) return lines;
  const command = `git -C ${repository} filter-repo --force --replace-text FILE`;
  return [
    ...lines,
    `It may still stand in commits of ${repository}: \`${command}\` rewrites them, with what is to go in FILE, a text a line.`,
  ];
}

function timeOf(at: string): string {
  const instant = parseInstant(at);
  return instant === undefined ? at : shortTime(at);
}

/** By the list of what it has tracked: nothing of it is run. */
async function repositoryOf({ root }: Workspace): Promise<string | undefined> {
  for (let folder = root; ; folder = dirname(folder)) {
    const index = await nodeDisk.read(join(folder, ".git", "index")).catch(() => undefined);
    if (index !== undefined) return isTracked(index, relative(folder, root)) ? folder : undefined;
    if (folder === dirname(folder)) return undefined;
  }
}

function isTracked(index: Uint8Array, inside: string): boolean {
  const names = Buffer.from(index.buffer, index.byteOffset, index.byteLength);
  const prefix = inside === "" ? "" : `${inside}/`;
  return [FILES.history, FILES.workspace, `${FILES.records}/`, `${FILES.journal}/`].some((path) =>
    names.includes(prefix + path),
  );
}
