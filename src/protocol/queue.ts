/** `queue/pending/`: one job per file, published under a name that nothing has. */
import { type EpochMs, isoOf } from "../model/time.js";
import { type FileWriter, publishNew } from "./publish.js";
import type { QueueJob } from "./queue-job.js";
import { at, FILES, type Workspace } from "./workspace.js";

/** Publishes a job; its id. Time-ordered names, so that jobs keep their order. */
export async function writeJob(
  writer: FileWriter,
  workspace: Workspace,
  job: QueueJob,
  now: EpochMs,
): Promise<string> {
  for (;;) {
    const id = `${printedTime(now)}-${writer.random.name(8)}`;
    const file = at(workspace, `${FILES.pending}/${id}.json`);
    if (await publishNew(writer, file, `${JSON.stringify(job)}\n`)) return id;
  }
}

/** The same, under a name that follows from what the job is about: one that stands is left alone. */
export async function writeJobOnce(
  writer: FileWriter,
  workspace: Workspace,
  job: QueueJob,
  about: EpochMs,
  name: string,
): Promise<string> {
  const id = `${printedTime(about)}-${name}`;
  await publishNew(writer, at(workspace, `${FILES.pending}/${id}.json`), `${JSON.stringify(job)}\n`);
  return id;
}

/** As names of files begin: `2026-01-28T06-03-22-104Z`. */
export function printedTime(at: EpochMs): string {
  return isoOf(at).replaceAll(/[:.]/g, "-");
}
