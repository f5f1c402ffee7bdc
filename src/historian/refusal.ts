/** Why a provider gave nothing: it cannot be had now, or it cannot do this. */
import type { JobOutcome } from "../model/work.js";
import type { JobResult } from "../llm/jobs/registry.js";
import { defined } from "../model/defined.js";

export type Refused =
  { to: "unavailable"; reason: string; retryAfterMs?: number } | { to: "failed"; reason: string };

export function refusalOf(outcome: Exclude<JobOutcome<JobResult>, { to: "done" }>): Refused {
  const { reason } = outcome;
  if (outcome.to === "failed") return { to: "failed", reason };
  const { retryAfterMs } = outcome;
  return { to: "unavailable", reason, ...defined({ retryAfterMs }) };
}
