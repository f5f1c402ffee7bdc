/**
 * The queue without what is forgotten: jobs of a conversation go, in whichever
 * folder they stand, and a job that names a message is handed over again without it.
 */
import type { MessageId } from "../model/message.js";
import { parseCursors, printCursors, type CursorEntry } from "../protocol/cursors.js";
import { isOf, type Forgetting, type Forgotten, type ForgetTarget } from "../protocol/forgotten.js";
import { type FileWriter, ifNoText, publish, readText, removeFile } from "../protocol/publish.js";
import { jobIds, readJob, removeJob, requeueJob, type QueueFolder } from "../protocol/queue-folders.js";
import type { QueueJob, ExchangesJob, SpokenLine } from "../protocol/queue-job.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";
import type { ScopeId } from "../model/address.js";
import { isMentioned } from "./other-files.js";

const FOLDERS: readonly QueueFolder[] = ["pending", "processing", "failed"];

/** Ids of the jobs that would go or change. */
export async function plannedJobs(
  writer: Pick<FileWriter, "disk">,
  workspace: Workspace,
  target: ForgetTarget,
  gone: Forgotten,
): Promise<string[]> {
  const found: string[] = [];
  for (const folder of FOLDERS)
    for (const id of await jobIds(writer, workspace, folder)) {
      const file = await readJob(writer, workspace, folder, id);
      if (file === undefined) continue;
      const left = file.read.is === "job" ? without(file.read.job, target, gone) : undefined;
      if (file.read.is === "job" ? left !== file.read.job : isMentioned(file.text, target)) found.push(id);
    }
  return found;
}

export async function clearQueue(
  writer: FileWriter,
  workspace: Workspace,
  { target }: Forgetting,
  gone: Forgotten,
): Promise<void> {
  for (const folder of FOLDERS)
    for (const id of await jobIds(writer, workspace, folder)) {
      const file = await readJob(writer, workspace, folder, id);
      if (file === undefined) continue;
      if (file.read.is !== "job") {
        if (isMentioned(file.text, target)) await removeJob(writer, workspace, folder, id);
        continue;
      }
      const left = without(file.read.job, target, gone);
      if (left === file.read.job) continue;
      if (left === undefined) await removeJob(writer, workspace, folder, id);
      else if (folder === "processing") await requeueJob(writer, workspace, id, left);
      else await publish(writer, at(workspace, `${FILES[folder]}/${id}.json`), `${JSON.stringify(left)}\n`);
    }
  await clearCursors(writer, workspace, target, gone);
}

/** The job itself where nothing of it is forgotten, undefined where all of it is. */
function without(job: QueueJob, target: ForgetTarget, gone: Forgotten): QueueJob | undefined {
  // It says whose profile is to be told again, and nothing else.
  if (job.kind === "profile") return job;
  if (isOf(target, job)) return undefined;
  return job.kind === "rounds" ? roundsWithout(job, gone) : job;
}

/** What was found in it is looked for again. */
function roundsWithout(job: ExchangesJob, gone: Forgotten): ExchangesJob | undefined {
  const stays = ({ id }: SpokenLine): boolean => !gone.hasId(id, [job.scope as ScopeId]);
  const said = job.said.filter(stays);
  const earlier = job.earlier.filter(stays);
  if (said.length + earlier.length === job.said.length + job.earlier.length) return job;
  if (said.length === 0) return undefined;
  const { found: _found, ...rest } = job;
  return { ...rest, said, earlier };
}

async function clearCursors(
  writer: FileWriter,
  workspace: Workspace,
  target: ForgetTarget,
  gone: Forgotten,
): Promise<void> {
  const file = at(workspace, FILES.cursors);
  const text = await readText(writer.disk, file).catch(ifNoText);
  if (text === undefined) return;
  const entries = readable(text);
  if (entries === undefined) {
    // Nobody can read it, so nobody could tell what it says: all is looked at once more.
    await removeFile(writer, file);
    return;
  }
  const next = printCursors(
    entries.filter((entry) => !isOf(target, entry)).map((entry) => cursorWithout(entry, gone)),
  );
  if (next !== text) await publish(writer, file, next);
}

function cursorWithout(entry: CursorEntry, gone: Forgotten): CursorEntry {
  const isGone = (id: string): boolean => gone.hasId(id, [entry.scope as ScopeId]);
  const { through, stretch } = entry;
  return {
    ...entry,
    // Its time is enough to tell what came after it.
    through: isGone(through.id) ? { ...through, id: "forgotten" as MessageId } : through,
    stretch: { ...stretch, said: stretch.said.filter(({ id }) => !isGone(id)) },
  };
}

function readable(text: string): CursorEntry[] | undefined {
  try {
    return parseCursors(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
