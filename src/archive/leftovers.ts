/**
 * What a process that was killed has left: unfinished publications go, and what
 * it published and appended is made durable.
 *
 * The second is not for its sake but for ours: a file that was renamed into place
 * a moment before the kill is seen here and may yet be gone once the power fails.
 * Nothing durable may be concluded from it before it is.
 */
import { HOUR_MS, later, type EpochMs } from "../model/time.js";
import { syncJournal } from "../protocol/journal.js";
import { sweepTemps } from "../protocol/publish.js";
import { at, FILES } from "../protocol/workspace.js";
import type { ArchiveContext } from "./context.js";

/** Where memd publishes, besides the memory tree. */
const PUBLISHING_DIRS = [
  "",
  FILES.summaries,
  "queue",
  FILES.conflicts,
  FILES.journal,
  "teller",
  FILES.derived,
];
/** Where any process may publish: what is being written at this moment is left alone. */
const SHARED_DIRS = [FILES.drops, FILES.pending, FILES.displaced];
const UNFINISHED_MS = HOUR_MS;

export async function takeOver({ press, workspace, catalogue, clock }: ArchiveContext): Promise<void> {
  const { disk } = press;
  const unfinished = later(clock.now(), -UNFINISHED_MS);
  const takeOverDir = async (dir: string, before?: EpochMs): Promise<void> => {
    if ((await sweepTemps(disk, at(workspace, dir), before)) > 0) await disk.syncDir(at(workspace, dir));
  };
  for (const dir of [...PUBLISHING_DIRS, ...(await catalogue.folders())]) await takeOverDir(dir);
  for (const dir of SHARED_DIRS) await takeOverDir(dir, unfinished);
  await syncJournal(disk, workspace);
}
