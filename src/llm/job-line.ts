/**
 * What goes over the pipes between pool and worker, one JSON value per line:
 * a job in; heartbeats and one outcome out. Both sides are the same build, but a
 * worker's line may be a library's, or cut: it is looked at before it is believed.
 */
import { z } from "zod";
import type { Settings } from "../model/settings.js";
import type { EpochMs } from "../model/time.js";
import { FINDING_KINDS } from "../model/finding.js";
import type { Job, JobOutcome, JobResult, UsageRecord } from "../model/work.js";
import { parseUsage } from "./usage.js";

export interface JobLine {
  job: Job;
  llm: Settings["llm"];
  /** The worker's clock starts here: it may be another than the machine's. */
  now: EpochMs;
  /** A line at least this often, so that only a stuck worker is silent. */
  beatMs: number;
  /** An answer of an endpoint may not be larger. */
  maxBodyBytes: number;
  promptFolders: readonly string[];
  /** Tokens left today; absent without a cap. */
  budgetTokens?: number;
}

/** A call's usage is told when it ends, so that a worker that dies later does not hide what it spent. */
type WorkerLine = { beat: true } | { usage: UsageRecord } | { outcome: JobOutcome<JobResult> };

export function printJobLine(line: JobLine): string {
  return JSON.stringify(line);
}

/** Throws SyntaxError for what is not JSON. */
export function parseJobLine(text: string): JobLine {
  return JSON.parse(text) as JobLine;
}

export function printWorkerLine(line: WorkerLine): string {
  return JSON.stringify(line);
}

/** A library that prints to stdout, or a line cut in two, is no more than a sign of life. */
export function parseWorkerLine(text: string): WorkerLine {
  try {
    const line: unknown = JSON.parse(text);
    if (typeof line === "object" && line !== null && "outcome" in line)
      return { outcome: outcomeIn(line.outcome) };
    const usage = parseUsage((line as { usage?: unknown } | null)?.usage);
    if (usage !== undefined) return { usage };
  } catch {
    // Not JSON: noise.
  }
  return { beat: true };
}

const result = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("summary"),
    id: z.string(),
    by: z.string(),
    sections: z.array(z.object({ user: z.string().optional(), text: z.string() })),
  }),
  z.object({ kind: z.literal("embedding"), id: z.string(), vectors: z.array(z.array(z.number())) }),
  z.object({ kind: z.literal("rerank"), id: z.string(), scores: z.array(z.number()) }),
  z.object({ kind: z.literal("observations"), id: z.string(), observations: z.array(z.string()) }),
  z.object({ kind: z.literal("absolutise"), id: z.string(), by: z.string(), texts: z.array(z.string()) }),
  z.object({
    kind: z.literal("extract"),
    id: z.string(),
    by: z.string(),
    findings: z.array(
      z.object({
        kind: z.enum(FINDING_KINDS),
        text: z.string(),
        from: z.array(z.number()),
        on: z.string().optional(),
        until: z.string().optional(),
      }),
    ),
  }),
  z.object({
    kind: z.literal("compare"),
    id: z.string(),
    by: z.string(),
    verdicts: z.array(
      z.object({ is: z.enum(["same", "contradicts", "different"]), text: z.string().optional() }),
    ),
  }),
  z.object({
    kind: z.literal("profile"),
    id: z.string(),
    by: z.string(),
    name: z.string().optional(),
    tags: z.array(z.string()),
    bullets: z.array(z.string()),
  }),
  z.object({ kind: z.literal("rewrite"), id: z.string(), queries: z.array(z.string()) }),
  z.object({
    kind: z.literal("topic_split"),
    id: z.string(),
    by: z.string(),
    groups: z.array(
      z.object({
        topic: z.string().optional(),
        name: z.string(),
        stretches: z.array(z.array(z.number().int())),
      }),
    ),
  }),
  z.object({
    kind: z.literal("topic_brief"),
    id: z.string(),
    by: z.string(),
    text: z.string(),
    refs: z.array(z.number().int()),
  }),
  z.object({
    kind: z.literal("topic_windows"),
    id: z.string(),
    by: z.string(),
    windows: z.array(
      z
        .object({
          id: z.string(),
          relevance: z.number().min(0).max(1),
          refs: z.array(z.number().int()),
          summary: z.string(),
        })
        .or(z.object({ id: z.string(), failed: z.string() })),
    ),
  }),
  z.object({
    kind: z.literal("topic_index"),
    id: z.string(),
    by: z.string(),
    found: z.array(z.object({ id: z.string(), level: z.enum(["high", "medium", "low"]) })),
  }),
  z.object({
    kind: z.literal("topic_review"),
    id: z.string(),
    by: z.string(),
    merges: z.array(z.array(z.string())),
    archive: z.array(z.string()),
  }),
]);
const ended = z.discriminatedUnion("to", [
  z.object({ to: z.literal("done"), result }),
  z.object({
    to: z.literal("unavailable"),
    reason: z.string(),
    // An endless wait is none in JSON.
    retryAfterMs: z.number().nonnegative().optional().catch(undefined),
  }),
  z.object({ to: z.literal("failed"), reason: z.string() }),
]);

/** The worker has ended its job, whatever it says of it. */
function outcomeIn(value: unknown): JobOutcome<JobResult> {
  const parsed = ended.safeParse(value);
  if (!parsed.success) return { to: "failed", reason: "the worker's answer cannot be read", usage: [] };
  return { ...(parsed.data as JobOutcome<JobResult>), usage: [] };
}
