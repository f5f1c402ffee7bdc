/** Exports that memd made, in which something may still stand that was forgotten here. */
import { parseInstant } from "../model/time.js";
import { nodeDisk } from "../platform/node-disk.js";
import { type KnownExport, knownExports } from "../protocol/exports.js";
import type { Workspace } from "../protocol/workspace.js";
import { shortTime } from "./words.js";

/** One that still stands where memd put it, or may stand somewhere else by now. */
type StandingExport = KnownExport & { stands: boolean };

export async function standingExports(workspace: Workspace): Promise<StandingExport[]> {
  const known = await knownExports(nodeDisk, workspace);
  return Promise.all(
    known.map(async (each) => ({ ...each, stands: (await nodeDisk.stat(each.path)) !== undefined })),
  );
}

/** A line each. */
export function exportLines(exports: readonly StandingExport[]): string[] {
  return exports.map(({ path, at, stands }) => {
    const when = parseInstant(at) === undefined ? at : shortTime(at);
    return `It may still stand in the export of ${when}, ${path}${stands ? "" : " (not there any more: moved?)"}.`;
  });
}
