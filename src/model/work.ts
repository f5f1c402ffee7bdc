/**
 * Work for a model, as far as it is of no kind: whose job it was, what its calls
 * cost and how it ended. What kinds there are stands in llm/jobs/registry.ts.
 */

/** Hash of what the job is about: the same work has the same id, across restarts too. */
export type JobId = string & { readonly __of: "job" };

export type Tier = "day" | "month";
/** `window`: of the part of a conversation that no longer fits into the prompt. */
export type SummaryTier = Tier | "window";

/** What one model call cost; a line of `logs/usage.jsonl`. */
export interface UsageRecord {
  at: string;
  role: "summary" | "historian" | "topic" | "strong" | "embedding" | "rerank";
  /** `day_summary`, `month_summary`, … */
  feature: string;
  user?: string;
  model: string;
  tokensIn: number;
  tokensOut: number;
  tokensCached: number;
  ms: number;
  outcome: "ok" | "empty" | "invalid" | "timeout" | "rate_limited" | "unavailable" | "failed";
}

/**
 * How a job ended. `unavailable` (endpoint down, 429, 5xx, budget spent) says
 * nothing about the job itself; `failed` is its own fault: unusable output,
 * a worker that died, a request refused.
 */
export type JobOutcome<Result> =
  | { to: "done"; result: Result; usage: UsageRecord[] }
  | { to: "unavailable"; reason: string; retryAfterMs?: number; usage: UsageRecord[] }
  | { to: "failed"; reason: string; usage: UsageRecord[] };
