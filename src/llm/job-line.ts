/**
 * What goes over the pipes between pool and worker, one JSON value per line:
 * a job in; heartbeats and one outcome out. Both sides are the same build, but a
 * worker's line may be a library's, or cut: it is looked at before it is believed.
 * A worker gets an environment of its own, with the key of its provider alone.
 */
import * as z from "zod";
import type { Settings } from "../model/settings.js";
import type { EpochMs } from "../model/time.js";
import type { JobOutcome, UsageRecord } from "../model/work.js";
import { type Job, type JobResult, parseResult } from "./jobs/registry.js";
import { parseUsage } from "./usage.js";

export interface JobLine {
  job: Job;
  llm: Settings["llm"];
  /** The owner's patterns of secrets. */
  secrets: readonly string[];
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

/** A call's usage is sent when it ends, so that a worker that dies later does not hide what it spent. */
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

const ended = z.discriminatedUnion("to", [
  z.object({ to: z.literal("done"), result: z.unknown() }),
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
  const { data: outcome } = ended.safeParse(value);
  if (outcome !== undefined && outcome.to !== "done")
    return { ...(outcome as Exclude<JobOutcome<never>, { to: "done" }>), usage: [] };
  const result = parseResult(outcome?.result);
  return result === undefined
    ? { to: "failed", reason: "the worker's answer cannot be read", usage: [] }
    : { to: "done", result, usage: [] };
}

/**
 * Which model works for this workspace, and the environment its workers see.
 *
 * Pure. A key is only ever looked for under the name that the owner gave, so
 * that no conversation goes to an endpoint because some variable happens to be set.
 */
type Llm = Settings["llm"];
type Environment = Readonly<Record<string, string | undefined>>;

/** What a program needs to run and to reach an endpoint behind a company's certificate. */
const PASSED_ON = [
  "PATH",
  "LANG",
  "LC_ALL",
  "TZ",
  "TMPDIR",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SYSTEMROOT",
];

/** The variable that holds the key: the named one, else OpenAI's own at OpenAI's own address. */
export function keyVariable(llm: Llm): string | undefined {
  return (
    llm.api_key_env ??
    (llm.provider === "openai" && llm.base_url === undefined ? "OPENAI_API_KEY" : undefined)
  );
}

/** The key itself; undefined where there is none. */
export function keyIn(llm: Llm, variable: (name: string) => string | undefined): string | undefined {
  const name = keyVariable(llm);
  return name === undefined ? undefined : variable(name);
}

/** `builtin` unless the settings name an endpoint, or a key that is there. */
export function chooseProvider(llm: Llm, environment: Environment): "builtin" | "openai" {
  if (llm.provider !== undefined) return llm.provider;
  const named = keyVariable(llm);
  const keyIsThere = named !== undefined && (environment[named] ?? "") !== "";
  return keyIsThere || (named === undefined && llm.base_url !== undefined) ? "openai" : "builtin";
}

export function workerEnvironment(llm: Llm, environment: Environment): Record<string, string> {
  const key = keyVariable(llm);
  const passed = key === undefined ? PASSED_ON : [...PASSED_ON, key];
  const found: Record<string, string> = {};
  for (const name of passed) {
    const value = environment[name];
    if (value !== undefined) found[name] = value;
  }
  return found;
}
