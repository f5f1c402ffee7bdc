/** Runs one job with the provider that the settings choose. Returns an outcome; throws only for bugs and bad prompt files. */
import type { JobOutcome, JobResult, UsageRecord } from "../model/work.js";
import type { Clock } from "../platform/clock.js";
import type { Disk } from "../platform/disk.js";
import type { HttpFetch } from "../platform/http-client.js";
import { runAbsolutiseJob } from "./absolutise.js";
import { createAsk } from "./ask.js";
import { runEmbeddingJob } from "./embedding.js";
import type { JobLine } from "./job-line.js";
import { builtinAnswer } from "./builtin/answer.js";
import { runCompareJob } from "./compare.js";
import { runExtractJob } from "./extract.js";
import { runObservationsJob } from "./observations.js";
import { openaiProvider } from "./openai.js";
import { runProfileJob } from "./profile.js";
import { runRerankJob } from "./rerank.js";
import { runRewriteJob } from "./rewrite.js";
import { runSummaryJob } from "./summary.js";
import { runTopicBriefJob } from "./topic-brief.js";
import { runTopicIndexJob } from "./topic-index.js";
import { runTopicReviewJob } from "./topic-review.js";
import { runTopicSplitJob } from "./topic-split.js";
import { runTopicWindowsJob } from "./topic-windows.js";
import { chooseProvider, keyVariable } from "./worker-environment.js";

interface JobPorts {
  clock: Clock;
  disk: Disk;
  environment: (name: string) => string | undefined;
  fetch: HttpFetch;
  /** Told of every call when it has ended; the outcome itself carries none. */
  onUsage: (usage: UsageRecord) => void;
}

export async function runJob(line: JobLine, ports: JobPorts): Promise<JobOutcome<JobResult>> {
  const { job, llm } = line;
  const variable = keyVariable(llm);
  const key = variable === undefined ? undefined : ports.environment(variable);
  const isBuiltin = chooseProvider(llm, variable === undefined ? {} : { [variable]: key }) === "builtin";
  const builtin = isBuiltin ? await builtinAnswer(job) : undefined;
  if (builtin !== undefined) return { to: "done", result: builtin, usage: [] };
  if (variable !== undefined && (key ?? "") === "") {
    return { to: "failed", reason: `no key: the environment variable ${variable} is not set`, usage: [] };
  }
  const endpoint = { llm, key, clock: ports.clock, fetch: ports.fetch };
  if (job.kind === "embedding" || job.kind === "rerank") {
    if (line.budgetTokens === 0) return { to: "unavailable", reason: "budget", usage: [] };
    return job.kind === "embedding"
      ? runEmbeddingJob(job, endpoint, ports.onUsage)
      : runRerankJob(job, endpoint, ports.onUsage);
  }
  if (isBuiltin) return { to: "failed", reason: "the built-in provider does not do this", usage: [] };
  const ask = createAsk({
    provider: openaiProvider(endpoint),
    onUsage: ports.onUsage,
    budgetTokens: line.budgetTokens,
  });
  const { disk } = ports;
  const { promptFolders } = line;
  switch (job.kind) {
    case "summary":
      return runSummaryJob(job, { ask, llm, disk, promptFolders });
    case "observations":
      return runObservationsJob(job, { ask, llm, disk, promptFolders });
    case "absolutise":
      return runAbsolutiseJob(job, { ask, disk, promptFolders });
    case "compare":
      return runCompareJob(job, { ask, disk, promptFolders });
    case "extract":
      return runExtractJob(job, { ask, llm, disk, promptFolders });
    case "profile":
      return runProfileJob(job, { ask, disk, promptFolders });
    case "topic_split":
      return runTopicSplitJob(job, { ask, llm, disk, promptFolders });
    case "topic_brief":
      return runTopicBriefJob(job, { ask, llm, disk, promptFolders });
    case "topic_windows":
      return runTopicWindowsJob(job, { ask, disk, promptFolders, clock: ports.clock });
    case "topic_index":
      return runTopicIndexJob(job, { ask, llm, disk, promptFolders });
    case "topic_review":
      return runTopicReviewJob(job, { ask, llm, disk, promptFolders });
    case "rewrite":
      return runRewriteJob(job, { ask, disk, promptFolders });
    default:
      return job satisfies never;
  }
}
