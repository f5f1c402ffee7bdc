/** What working a job has brought, before it is written down. Shapes only. */
import type { JobResult } from "../llm/jobs/registry.js";
import { defined } from "../model/collections.js";
import type { MemoryRecord } from "../model/record.js";
import type { JobOutcome } from "../model/work.js";
import type { QueueJob } from "../protocol/queue-job.js";

export interface JobOutput {
  /** With what need not be asked for again, should the rest of it fail. */
  job: QueueJob;
  records: MemoryRecord[];
  /** What a profile is told from, where that is not the records. */
  profileFrom?: readonly MemoryRecord[];
  /** How the user is addressed, where the profile does not say. */
  called?: string;
  /** What could not be made to stand alone, for the log. */
  problems: { problem: string; isAbsolute: boolean }[];
}

/** Why a provider gave nothing: it cannot be had now, or it cannot do this. */
export type Refused =
  { to: "unavailable"; reason: string; retryAfterMs?: number } | { to: "failed"; reason: string };

export function refusalOf(outcome: Exclude<JobOutcome<JobResult>, { to: "done" }>): Refused {
  const { reason } = outcome;
  if (outcome.to === "failed") return { to: "failed", reason };
  const { retryAfterMs } = outcome;
  return { to: "unavailable", reason, ...defined({ retryAfterMs }) };
}
