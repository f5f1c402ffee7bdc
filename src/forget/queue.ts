/**
 * The queue without what is forgotten: jobs of a conversation go, in whichever
 * folder they stand, and a job that names a message is handed over again without it.
 */
import type { MessageId } from "../model/message.js";
import { parseCursors, printCursors, type CursorEntry } from "../protocol/cursors.js";
import { isOf, type Forgetting, type Forgotten, type ForgetTarget } from "../protocol/forgotten.js";
import { ifNoText, ifReadable, publish, readText, removeFile } from "../protocol/publish.js";
import { jobIds, readJob, removeJob, requeueJob, type QueueFolder } from "../protocol/queue-folders.js";
import type { QueueJob, ExchangesJob, SpokenLine } from "../protocol/queue-job.js";
import { at, FILES } from "../protocol/workspace.js";
import type { ScopeId } from "../model/address.js";
import { type Files, isMentioned } from "./other-files.js";

const FOLDERS: readonly QueueFolder[] = ["pending", "processing", "failed"];

/** Ids of the jobs that would go or change. */
export async function plannedJobs(files: Files, target: ForgetTarget, gone: Forgotten): Promise<string[]> {
  const found: string[] = [];
  for await (const { id } of touchedJobs(files, target, gone)) found.push(id);
  return found;
}

export async function clearQueue(files: Files, { target }: Forgetting, gone: Forgotten): Promise<void> {
  const { writer, workspace } = files;
  for await (const { folder, id, left } of touchedJobs(files, target, gone)) {
    if (left === undefined) await removeJob(writer, workspace, folder, id);
    else if (folder === "processing") await requeueJob(writer, workspace, id, left);
    else await publish(writer, at(workspace, `${FILES[folder]}/${id}.json`), `${JSON.stringify(left)}\n`);
  }
  await clearCursors(files, target, gone);
}

/** `left`: undefined where all of it goes. */
async function* touchedJobs(
  { writer, workspace }: Files,
  target: ForgetTarget,
  gone: Forgotten,
): AsyncGenerator<{ folder: QueueFolder; id: string; left: QueueJob | undefined }> {
  for (const folder of FOLDERS)
    for (const id of await jobIds(writer, workspace, folder)) {
      const file = await readJob(writer, workspace, folder, id);
      if (file?.read.is === "job") {
        const left = without(file.read.job, target, gone);
        if (left !== file.read.job) yield { folder, id, left };
      } else if (file !== undefined && isMentioned(file.text, target)) yield { folder, id, left: undefined };
    }
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
  { writer, workspace }: Files,
  target: ForgetTarget,
  gone: Forgotten,
): Promise<void> {
  const file = at(workspace, FILES.cursors);
  const text = await readText(writer.disk, file).catch(ifNoText);
  if (text === undefined) return;
  const entries = ifReadable(() => parseCursors(text));
  // Nobody can read it, so nobody could tell what it says: all is looked at once more.
  if (entries === undefined) return void (await removeFile(writer, file));
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
