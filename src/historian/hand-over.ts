/**
 * A look at exchanges as a job of the queue, under a name that follows from what it is
 * about: handed over again it is the same job, and one that stands is left alone.
 */
import type { ModelWorkParts } from "../llm/job-context.js";
import type { FindingKind } from "../model/found.js";
import { type EpochMs, parseInstant } from "../model/time.js";
import { sha256 } from "../platform/files.js";
import { type QueueFolder, jobIds, readJob } from "../protocol/queue-folders.js";
import { writeJobOnce } from "../protocol/queue.js";
import type { ExchangesJob } from "../protocol/queue-job.js";
import type { Look } from "./exchanges.js";
import type { Whose } from "./cursor-store.js";
import { JOB_NAMES, type Waiting } from "./queue-reader.js";

interface HandedOver extends Whose {
  /** The conversation was closed then: of what was said before no fact of it alone is looked for. */
  closedAt?: EpochMs | undefined;
}

/** Undefined where nothing is to be looked for. */
export async function handOver(
  { writer, workspace }: Pick<ModelWorkParts, "writer" | "workspace">,
  { scope, session, user, of, closedAt }: HandedOver,
  look: Look,
): Promise<Waiting | undefined> {
  const all = [...look.earlier, ...look.said];
  const [first, last] = [look.said[0] ?? all[0], all.at(-1)];
  const moment = parseInstant(last?.at ?? "");
  if (first === undefined || last === undefined || moment === undefined) return undefined;
  const isClosed = closedAt !== undefined && moment <= closedAt;
  const wants = look.wants.filter((kind: FindingKind) => !isClosed || kind !== "fact");
  if (wants.length === 0) return undefined;
  const whose = { user, scope, session };
  const job: ExchangesJob = { version: 1, kind: "rounds", createdAt: last.at, ...whose, ...look, wants };
  const name = sha256(JSON.stringify([scope, session, user, first.id, look.wants])).slice(0, 8);
  const id = await writeJobOnce(writer, workspace, job, moment, `${JOB_NAMES[of ?? "said"]}${name}`);
  return { id, job };
}

/** Those that wait or have failed: killed before its cursor was kept, a job tells how far it was. */
export async function handedOver(
  { writer, workspace }: Pick<ModelWorkParts, "writer" | "workspace">,
  of: keyof typeof JOB_NAMES,
): Promise<{ whose: Whose; job: ExchangesJob; moment: EpochMs }[]> {
  const found: { whose: Whose; job: ExchangesJob; moment: EpochMs }[] = [];
  for (const folder of ["pending", "failed"] satisfies QueueFolder[])
    for (const id of await jobIds(writer, workspace, folder)) {
      // Thousands of others may wait beside them.
      if (!id.includes(JOB_NAMES[of])) continue;
      const file = await readJob(writer, workspace, folder, id);
      if (file?.read.is !== "job" || file.read.job.kind !== "rounds") continue;
      const { job } = file.read;
      const { scope, session, user } = job;
      const moment = parseInstant(job.createdAt);
      if (user === undefined || moment === undefined) continue;
      found.push({
        whose: of === "import" ? { scope, session, user, of } : { scope, session, user },
        job,
        moment,
      });
    }
  return found;
}
