/**
 * Work for a model: what a job carries to a worker and what comes back.
 *
 * Plain data that survives JSON. A job is made by a stage, run by llm/, and its
 * result settled by the stage; neither side knows how the other does it.
 */
import type { Role } from "./message.js";
import type { Day, Month } from "./time.js";

/** Hash of what the job is about: the same work has the same id, across restarts too. */
export type JobId = string & { readonly __of: "job" };

export type Tier = "day" | "month";

/** One message as a model sees it. Private messages never get this far. */
export interface Utterance {
  /** ISO 8601 instant. */
  at: string;
  /** Local `YYYY-MM-DD`. */
  day: Day;
  /** Local `HH:MM`. */
  clock: string;
  role: Role;
  /** Name to show: the speaker, else the user, else the role. */
  name: string;
  text: string;
}

/** One section to write. Outside groups each user's section is made from that user's conversation only. */
export interface SummarySectionInput {
  /** Whose section; absent in a group, where one section is for all. */
  user?: string;
  /** Conversation not yet covered by any summary. */
  utterances: Utterance[];
  /** Day summaries that stand for their days (month tier only), oldest first. */
  days: { day: Day; text: string }[];
  /** The section as it stands, which the new one must carry on. */
  previous?: string;
}

export interface SummaryJob {
  kind: "summary";
  id: JobId;
  tier: Tier;
  scope: string;
  date: Day | Month;
  sections: SummarySectionInput[];
}

export interface SummaryResult {
  kind: "summary";
  id: JobId;
  /** `builtin`, or the model's name. */
  by: string;
  sections: { user?: string; text: string }[];
}

export type Job = SummaryJob;
export type JobResult = SummaryResult;

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
export type JobOutcome =
  | { to: "done"; result: JobResult; usage: UsageRecord[] }
  | { to: "unavailable"; reason: string; retryAfterMs?: number; usage: UsageRecord[] }
  | { to: "failed"; reason: string; usage: UsageRecord[] };
