/**
 * Work for a model, as far as it is of no kind: whose job it was, what its calls
 * cost and how it ended. What kinds there are stands in llm/jobs/registry.ts.
 */
import * as z from "zod";

/** Hash of what the job is about: the same work has the same id, across restarts too. */
export type JobId = string & { readonly __of: "job" };

export type Tier = "day" | "month";
/** `window`: of the part of a conversation that no longer fits into the prompt. */
export type SummaryTier = Tier | "window";

export const CHAT_ROLES = ["summary", "historian", "topic", "strong"] as const;
export type ChatRole = (typeof CHAT_ROLES)[number];

/** Sums of larger ones would be no numbers any more. */
const count = z.number().nonnegative().max(Number.MAX_SAFE_INTEGER);

/** What one model call cost; a line of `logs/usage.jsonl`. */
export const usageRecord = z.object({
  at: z.string(),
  role: z.enum([...CHAT_ROLES, "embedding", "rerank"]),
  /** `day_summary`, `month_summary`, … */
  feature: z.string(),
  user: z.string().optional(),
  model: z.string(),
  tokensIn: count,
  tokensOut: count,
  tokensCached: count,
  ms: count,
  outcome: z.enum(["ok", "empty", "invalid", "timeout", "rate_limited", "unavailable", "failed"]),
});
export type UsageRecord = z.infer<typeof usageRecord>;

/**
 * Why nothing came of it. `unavailable` (endpoint down, 429, 5xx, budget spent) says
 * nothing about what was asked; `failed` is its own fault: unusable output,
 * a worker that died, a request refused.
 */
export type Refused =
  { to: "unavailable"; reason: string; retryAfterMs?: number } | { to: "failed"; reason: string };

/** How a job ended. */
export type JobOutcome<Result> = ({ to: "done"; result: Result } | Refused) & { usage: UsageRecord[] };

/** Awaited between the steps of long work; undefined where there is nothing to wait for. */
export type Pace = () => Promise<void> | undefined;
