/** The queue as people see it: what waits, what failed and why, and what may be done about it. */
import { defined } from "../model/collections.js";
import { MemdError } from "../model/errors.js";
import { stateAfter, type JobEvent } from "../historian/life.js";
import { jobIds, readJob, removeJob, requeueJob, type QueueFolder } from "../protocol/queue-folders.js";
import { parseQueueJob } from "../protocol/queue-job.js";
import type { AnswerOf } from "./operations.js";
import type { Memd } from "./memd.js";

type QueueEntry = AnswerOf<"dropJob">;

/** Where the queue stands. */
type Place = Pick<Memd["archive"]["context"], "writer" | "workspace">;

const FOLDERS: readonly QueueFolder[] = ["processing", "pending", "failed"];

export async function listQueue({ writer, workspace }: Place): Promise<QueueEntry[]> {
  const entries: QueueEntry[] = [];
  for (const state of FOLDERS)
    for (const id of await jobIds(writer, workspace, state)) {
      const entry = await entryOf({ writer, workspace }, state, id);
      if (entry !== undefined) entries.push(entry);
    }
  return entries;
}

/** How many stand in each folder. */
export async function countQueue({ writer, workspace }: Place): Promise<Record<QueueFolder, number>> {
  const [processing = 0, pending = 0, failed = 0] = await Promise.all(
    FOLDERS.map(async (folder) => (await jobIds(writer, workspace, folder)).length),
  );
  return { processing, pending, failed };
}

export async function showJob(
  { writer, workspace }: Place,
  given: string,
): Promise<QueueEntry & { text: string }> {
  const { state, id } = await jobNamed({ writer, workspace }, given);
  const file = await readJob(writer, workspace, state, id);
  const entry = await entryOf({ writer, workspace }, state, id);
  if (file === undefined || entry === undefined) throw noSuch(given);
  return { ...entry, text: file.text };
}

/** A failed job waits again, with all its tries; what is no job cannot. */
export async function retryJob(memd: Memd, given: string): Promise<QueueEntry> {
  return memd.exclusive(async () => {
    const { writer, workspace } = memd.archive.context;
    const { state, id } = await jobNamed({ writer, workspace }, given);
    ensure(state, "retried", id);
    const text = (await readJob(writer, workspace, state, id))?.text ?? "";
    const read = parseQueueJob(text);
    const look = `Look at it with \`memd queue show ${id}\`.`;
    if (read.is !== "job") throw new MemdError("usage", `${id} is no job: ${read.reason}. ${look}`);
    const { attempts: _attempts, notBefore: _notBefore, error: _error, ...job } = read.job;
    await requeueJob(writer, workspace, id, job, "failed");
    return { id, state: "pending" as const, job };
  });
}

export async function dropJob(memd: Memd, given: string): Promise<QueueEntry> {
  return memd.exclusive(async () => {
    const { writer, workspace } = memd.archive.context;
    const { state, id } = await jobNamed({ writer, workspace }, given);
    ensure(state, "dropped", id);
    const entry = await entryOf({ writer, workspace }, state, id);
    await removeJob(writer, workspace, state, id);
    return entry ?? { id, state };
  });
}

function ensure(state: QueueFolder, event: JobEvent, id: string): void {
  if (stateAfter(state, event) !== undefined) return;
  const doing = event === "retried" ? "has not failed" : "is being worked";
  throw new MemdError("usage", `${id} ${doing}: it is ${state}. See \`memd queue list\`.`);
}

/** By its id, or by an end of it that no other has. */
async function jobNamed(
  { writer, workspace }: Place,
  given: string,
): Promise<{ state: QueueFolder; id: string }> {
  const found: { state: QueueFolder; id: string }[] = [];
  for (const state of FOLDERS)
    for (const id of await jobIds(writer, workspace, state)) {
      if (id === given) return { state, id };
      if (given !== "" && id.endsWith(given)) found.push({ state, id });
    }
  const [first, ...more] = found;
  if (first === undefined) throw noSuch(given);
  if (more.length > 0)
    throw new MemdError("usage", `${found.length} jobs end in ${given}: write more of the id.`);
  return first;
}

function noSuch(given: string): MemdError {
  return new MemdError("usage", `There is no job ${given}. See \`memd queue list\`.`);
}

async function entryOf(
  { writer, workspace }: Place,
  state: QueueFolder,
  id: string,
): Promise<QueueEntry | undefined> {
  const file = await readJob(writer, workspace, state, id);
  if (file === undefined) return undefined;
  if (file.read.is !== "job") return { id, state, error: errorIn(file.text) ?? file.read.reason };
  const { error } = file.read.job;
  return defined({ id, state, job: file.read.job, error });
}

/** What was no job when it came says why. */
function errorIn(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === "string" ? error : undefined;
  } catch {
    // Not JSON either: the reason of the reader is told.
    return undefined;
  }
}
