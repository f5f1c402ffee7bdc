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
import type { Disk } from "../platform/disk.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";
import type { ArchiveContext } from "./context.js";

/** Where memd publishes, besides the memory tree. */
const PUBLISHING_DIRS = [
  "",
  FILES.summaries,
  "queue",
  FILES.processing,
  FILES.failed,
  FILES.conflicts,
  FILES.journal,
  "teller",
  FILES.derived,
];
/** Where any process may publish: what is being written at this moment is left alone. */
const SHARED_DIRS = [FILES.drops, FILES.told, FILES.pending, FILES.displaced];
const UNFINISHED_MS = HOUR_MS;

/** Of the prompts and the rolling summaries of conversations, of profiles with their older versions, of records, and of documents. */
async function dirsOfMany(disk: Disk, workspace: Workspace): Promise<string[]> {
  const below = async (dir: string, depth: number): Promise<string[]> => {
    const entries = await disk.list(at(workspace, dir));
    const inside = entries.filter(({ kind }) => kind === "dir").map(({ name }) => `${dir}/${name}`);
    if (depth === 1) return inside;
    return [...inside, ...(await Promise.all(inside.map((each) => below(each, depth - 1)))).flat()];
  };
  const memories = [FILES.records, ...(await below(`${FILES.records}/scopes`, 1))];
  const windows = memories.map((memory) => `${memory}/window`);
  const ofUsers = await Promise.all(windows.map((window) => below(window, 1)));
  const profiles = await below(`${FILES.records}/profiles`, 3);
  const documents = memories.flatMap((memory) => [`${memory}/documents`, `${memory}/records`]);
  const records = [...documents, `${FILES.records}/records/users`];
  return [...(await below("teller", 2)), ...windows, ...ofUsers.flat(), ...profiles, ...records];
}

export async function takeOver({ writer, workspace, catalogue, clock }: ArchiveContext): Promise<void> {
  const { disk } = writer;
  const unfinished = later(clock.now(), -UNFINISHED_MS);
  const takeOverDir = async (dir: string, before?: EpochMs): Promise<void> => {
    if ((await sweepTemps(disk, at(workspace, dir), before)) > 0) await disk.syncDir(at(workspace, dir));
  };
  const ofMany = await dirsOfMany(disk, workspace);
  const own = [...PUBLISHING_DIRS, ...(await catalogue.folders()), ...ofMany];
  // One after another would take a good part of a start.
  await Promise.all([
    ...own.map((dir) => takeOverDir(dir)),
    ...SHARED_DIRS.map((dir) => takeOverDir(dir, unfinished)),
    syncJournal(disk, workspace),
  ]);
}
