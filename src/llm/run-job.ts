/** Runs one job with the provider that the settings choose. Returns an outcome; throws only for bugs and bad prompt files. */
import type { JobOutcome, UsageRecord } from "../model/work.js";
import type { Clock } from "../platform/clock.js";
import type { Disk } from "../platform/disk.js";
import type { HttpFetch } from "../platform/http-client.js";
import { createAsk } from "./ask.js";
import { builtinSummary } from "./builtin/summary.js";
import type { JobLine } from "./job-line.js";
import { openaiProvider } from "./openai.js";
import { runSummaryJob } from "./summary.js";
import { chooseProvider, keyVariable } from "./worker-environment.js";

interface JobPorts {
  clock: Clock;
  disk: Disk;
  environment: (name: string) => string | undefined;
  fetch: HttpFetch;
  /** Told of every call when it has ended; the outcome itself carries none. */
  onUsage: (usage: UsageRecord) => void;
}

export async function runJob(line: JobLine, ports: JobPorts): Promise<JobOutcome> {
  const { job, llm } = line;
  const variable = keyVariable(llm);
  const key = variable === undefined ? undefined : ports.environment(variable);
  if (chooseProvider(llm, variable === undefined ? {} : { [variable]: key }) === "builtin") {
    return { to: "done", result: await builtinSummary(job), usage: [] };
  }
  if (variable !== undefined && (key ?? "") === "") {
    return { to: "failed", reason: `no key: the environment variable ${variable} is not set`, usage: [] };
  }
  const provider = openaiProvider({ llm, key, clock: ports.clock, fetch: ports.fetch });
  const ask = createAsk({ provider, onUsage: ports.onUsage, budgetTokens: line.budgetTokens });
  return runSummaryJob(job, { ask, llm, disk: ports.disk, promptFolders: line.promptFolders });
}
