/** Runs one job with the provider that the settings choose. Returns an outcome; throws only for bugs and bad prompt files. */
import { addAll } from "../model/collections.js";
import type { JobOutcome, UsageRecord } from "../model/work.js";
import type { Clock } from "../platform/clock.js";
import type { Disk } from "../platform/disk.js";
import type { HttpFetch } from "../platform/http-client.js";
import { redacted, type Secret, withoutValues } from "../text/redact.js";
import { windowSize } from "./windows.js";
import { type Ask, createAsk, type Reply } from "./ask.js";
import { chooseProvider, type JobLine, keyIn, keyVariable } from "./job-line.js";
import type { ChatKind } from "./jobs/kind.js";
import { embedding } from "./jobs/embedding.js";
import { type Job, jobPrompts, type JobResult, kindOf, resultOf } from "./jobs/registry.js";
import { openaiProvider } from "./openai.js";
import type { PromptInputs } from "./prompts.js";

interface JobPorts {
  clock: Clock;
  disk: Disk;
  environment: (name: string) => string | undefined;
  fetch: HttpFetch;
  /** Gets every call when it has ended; the outcome itself carries none. */
  onUsage: (usage: UsageRecord) => void;
}

export async function runJob(line: JobLine, ports: JobPorts): Promise<JobOutcome<JobResult>> {
  const { llm, budgetTokens } = line;
  const job = withoutSecrets(line.job);
  const { clock, fetch, onUsage } = ports;
  if (job.kind === "embedding" && job.baseUrl !== undefined) {
    const home = { llm: { ...llm, base_url: job.baseUrl }, key: undefined, clock, fetch };
    return outcomeOf(job, job.model, await embedding.call(job, home, onUsage));
  }
  const variable = keyVariable(llm);
  const key = keyIn(llm, ports.environment);
  const provider = chooseProvider(llm, variable === undefined ? {} : { [variable]: key });
  const isBuiltin = provider === "builtin" || job.byWords === true;
  const builtin = isBuiltin ? await builtinAnswer(job) : undefined;
  if (builtin !== undefined) return { to: "done", result: builtin, usage: [] };
  if (variable !== undefined && (key ?? "") === "") {
    return { to: "failed", reason: `no key: the environment variable ${variable} is not set`, usage: [] };
  }
  const endpoint = { llm, key, clock, fetch };
  const kind = kindOf(job);
  if ("call" in kind) {
    if (budgetTokens === 0) return { to: "unavailable", reason: "budget", usage: [] };
    const called = job as Job & { model: string };
    return outcomeOf(job, called.model, await kind.call(called, endpoint, onUsage));
  }
  if (isBuiltin) return { to: "failed", reason: "the built-in provider does not do this", usage: [] };
  const ask = createAsk({ provider: openaiProvider(endpoint), onUsage, budgetTokens });
  return askModel(kind, job, { ...line, ...ports, ask });
}

/** A job's texts are told together: what is a secret in one of its utterances is none to be read in another. */
function withoutSecrets(job: Job): Job {
  const secrets: Secret[] = [];
  const clean = mapTexts(job, (text) => {
    const one = redacted(text);
    addAll(secrets, one.secrets);
    return one.clean;
  });
  return mapTexts(clean, (text) => withoutValues(text, secrets));
}

/** `change`: of each `text` in it, however deep. */
function mapTexts<T>(value: T, change: (text: string) => string): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each: unknown) => mapTexts(each, change)) as T;
  const mapped = Object.entries(value).map(([name, each]: [string, unknown]) => [
    name,
    name === "text" && typeof each === "string" ? change(each) : mapTexts(each, change),
  ]);
  return Object.fromEntries(mapped) as T;
}

/** Has a chat model do a job. */
export async function askModel(
  kind: ChatKind<Job, object, PromptInputs>,
  job: Job,
  {
    ask,
    llm,
    clock,
    disk,
    promptFolders,
  }: { ask: Ask } & Pick<JobLine, "llm" | "promptFolders"> & Pick<JobPorts, "clock" | "disk">,
): Promise<JobOutcome<JobResult>> {
  const prompts = await jobPrompts(disk, promptFolders);
  const feature = kind.feature?.(job) ?? job.kind;
  const reply = await kind.run(job, {
    prompts,
    windowTokens: windowSize(llm, prompts),
    clock,
    ask: (question, read, user = job.user) => ask.question({ ...question, feature, user }, read),
  });
  const [first = ""] = Object.keys(kind.prompts);
  const role = prompts[first]?.role;
  return outcomeOf(job, (role && ask.modelOf(role)) ?? "builtin", reply);
}

function outcomeOf(job: Job, by: string, reply: Reply<object>): JobOutcome<JobResult> {
  return reply.to === "answer"
    ? { to: "done", result: resultOf(job, by, reply.value), usage: [] }
    : { ...reply, usage: [] };
}

/** What the built-in provider makes of a job; undefined for what only a model or an endpoint can do. */
export async function builtinAnswer(job: Job): Promise<JobResult | undefined> {
  const kind = kindOf(job);
  if (!("builtin" in kind) || kind.builtin === undefined) return undefined;
  return resultOf(job, "builtin", await kind.builtin(job));
}
