/**
 * The folders of the queue: a job is a file that moves from one to the next.
 *
 * Each move is a second name, or a publication, made durable before the first
 * one goes: a crash leaves the file in one place or in two, never in none, and
 * `recoverJobs` at the start makes one of two.
 */
import { messageOf } from "../model/errors.js";
import { type EpochMs } from "../model/time.js";
import { type FileWriter, isTempName, publish, readText, removeFile } from "./publish.js";
import { parseQueueJob, type QueueJob, type ReadJob } from "./queue-job.js";
import { at, FILES, type Workspace } from "./workspace.js";

export type QueueFolder = "pending" | "processing" | "failed";

interface QueueFile {
  /** The name without `.json`. */
  id: string;
  read: ReadJob;
  text: string;
}

const ENDING = ".json";

/** Names without `.json`, in the order in which the jobs were made; links and folders are none. */
export async function jobIds(
  { disk }: Pick<FileWriter, "disk">,
  workspace: Workspace,
  folder: QueueFolder,
): Promise<string[]> {
  const entries = await disk.list(at(workspace, FILES[folder]));
  return entries
    .filter(({ kind, name }) => kind === "file" && name.endsWith(ENDING) && !isTempName(name))
    .map(({ name }) => name.slice(0, -ENDING.length));
}

/** Undefined when it is gone. */
export async function readJob(
  { disk }: Pick<FileWriter, "disk">,
  workspace: Workspace,
  folder: QueueFolder,
  id: string,
): Promise<QueueFile | undefined> {
  try {
    const text = await readText(disk, fileOf(workspace, folder, id));
    return text === undefined ? undefined : { id, read: parseQueueJob(text), text };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { id, read: { is: "unreadable", reason: messageOf(error) }, text: "" };
  }
}

/** False when it was gone, or somebody else has it: of two who claim it one gets it. */
export async function claimJob(writer: FileWriter, workspace: Workspace, id: string): Promise<boolean> {
  return moveJob(writer, workspace, id, "pending", "processing");
}

/** A second name, made durable, before the first one goes. */
async function moveJob(
  writer: FileWriter,
  workspace: Workspace,
  id: string,
  from: QueueFolder,
  to: QueueFolder,
): Promise<boolean> {
  const { disk } = writer;
  const [here, there] = [fileOf(workspace, from, id), fileOf(workspace, to, id)];
  if ((await disk.stat(here)) === undefined) return false;
  await disk.makeDir(at(workspace, FILES[to]));
  await writer.guard();
  if (!(await disk.link(here, there))) return false;
  await disk.syncDir(at(workspace, FILES[to]));
  return removeJob(writer, workspace, from, id);
}

/** All of it stands where it belongs. */
export async function finishJob(writer: FileWriter, workspace: Workspace, id: string): Promise<void> {
  await removeJob(writer, workspace, "processing", id);
}

/** Back to where it waits, with what is known of it by now. */
export async function requeueJob(
  writer: FileWriter,
  workspace: Workspace,
  id: string,
  job: QueueJob,
  from: QueueFolder = "processing",
): Promise<void> {
  await publish(writer, fileOf(workspace, "pending", id), `${JSON.stringify(job)}\n`);
  await removeJob(writer, workspace, from, id);
}

/** With what it says and why it failed. */
export async function failJob(
  writer: FileWriter,
  workspace: Workspace,
  from: QueueFolder,
  id: string,
  content: string,
): Promise<void> {
  await publish(writer, fileOf(workspace, "failed", id), content);
  await removeJob(writer, workspace, from, id);
}

export async function removeJob(
  writer: FileWriter,
  workspace: Workspace,
  folder: QueueFolder,
  id: string,
): Promise<boolean> {
  return await removeFile(writer, fileOf(workspace, folder, id));
}

/** What a killed memd had under way waits again; of two files of one job the one that waits says more. How many came back. */
export async function recoverJobs(writer: FileWriter, workspace: Workspace): Promise<number> {
  const under = await jobIds(writer, workspace, "processing");
  await returnJobs(writer, workspace, under);
  return under.length;
}

/** Back to where they wait, as they were claimed. */
export async function returnJobs(
  writer: FileWriter,
  workspace: Workspace,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) {
    const stands = await Promise.all(
      (["pending", "failed"] as const).map((folder) => writer.disk.stat(fileOf(workspace, folder, id))),
    );
    if (stands.some((stat) => stat !== undefined)) await removeJob(writer, workspace, "processing", id);
    else await moveJob(writer, workspace, id, "processing", "pending");
  }
}

/** What failed long ago, and the oldest beyond `most`. */
export async function expireFailed(
  writer: FileWriter,
  workspace: Workspace,
  before: EpochMs,
  most: number,
): Promise<string[]> {
  const ids = await jobIds(writer, workspace, "failed");
  const stats = await Promise.all(ids.map((id) => writer.disk.stat(fileOf(workspace, "failed", id))));
  const tooMany = Math.max(0, ids.length - most);
  const expired = ids.filter((_id, index) => index < tooMany || (stats[index]?.mtimeMs ?? Infinity) < before);
  for (const id of expired) await removeJob(writer, workspace, "failed", id);
  return expired;
}

function fileOf(workspace: Workspace, folder: QueueFolder, id: string): string {
  return at(workspace, `${FILES[folder]}/${id}${ENDING}`);
}
