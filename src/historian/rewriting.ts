/** Has a provider write texts again so that they stand alone, with what was said around them. */
import { defined } from "../model/defined.js";
import { isGroup, LOCAL_USER } from "../model/address.js";
import type { EpochMs } from "../model/time.js";
import type { AbsolutiseJob } from "../llm/jobs/absolutise.js";
import type { ToRewrite } from "./absolutise.js";
import type { QueueJob } from "../protocol/queue-job.js";
import { jobIdOf } from "../llm/job-id.js";
import type { ModelWorkParts } from "../llm/job-context.js";
import { refusalOf, type Refused } from "./refusal.js";

/** Where there is one user, and nobody has said their name. */
const THE_USER = "the user";

/** Who is meant by "I", in words for a provider. */
export function speakerFor(named: string | undefined): string | undefined {
  return named === LOCAL_USER ? THE_USER : named;
}

export interface Statement extends Pick<AbsolutiseJob, "source" | "recent"> {
  /** Of the job in the queue. */
  id: string;
  job: Pick<QueueJob, "user" | "scope">;
  at: EpochMs;
  speaker: string | undefined;
}

export async function rewritten(
  { pool, zone, onUsage }: ModelWorkParts,
  { id, job, at, speaker, source, recent }: Statement,
  texts: readonly ToRewrite[],
): Promise<{ to: "done"; texts: readonly string[] } | Refused> {
  const work: AbsolutiseJob = {
    kind: "absolutise",
    id: jobIdOf(id, texts),
    ...(job.user !== undefined && !isGroup(job.scope) ? { user: job.user } : {}),
    ...defined({ speaker }),
    day: zone.dayOf(at),
    clock: zone.clockOf(at).slice(0, 5),
    texts: texts.map((text) => ({ ...text })),
    source,
    recent,
  };
  const outcome = await pool.run(work);
  onUsage(outcome.usage);
  return outcome.to === "done" ? { to: "done", texts: outcome.result.texts } : refusalOf(outcome);
}
