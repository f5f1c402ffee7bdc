/** What the built-in provider makes of a job; undefined for what only a model or an endpoint can do. */
import { kindOf, resultOf, type Job, type JobResult } from "../jobs/registry.js";

export async function builtinAnswer(job: Job): Promise<JobResult | undefined> {
  const kind = kindOf(job);
  if (!("builtin" in kind) || kind.builtin === undefined) return undefined;
  return resultOf(job, "builtin", await kind.builtin(job));
}
