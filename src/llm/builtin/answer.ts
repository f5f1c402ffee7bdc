/** What the built-in provider says to a job; undefined for what only a model or an endpoint can do. */
import type { Job, JobResult } from "../../model/work.js";
import { builtinAbsolutise } from "./absolutise.js";
import { builtinCompare } from "./compare.js";
import { builtinExtract } from "./extract.js";
import { builtinObservations } from "./observations.js";
import { builtinProfile } from "./profile.js";
import { builtinSummary } from "./summary.js";
import { builtinTopicBrief, builtinTopicReview, builtinTopicSplit } from "./topics.js";

export async function builtinAnswer(job: Job): Promise<JobResult | undefined> {
  switch (job.kind) {
    case "summary":
      return builtinSummary(job);
    case "observations":
      return builtinObservations(job);
    case "absolutise":
      return builtinAbsolutise(job);
    case "extract":
      return builtinExtract(job);
    case "compare":
      return builtinCompare(job);
    case "profile":
      return builtinProfile(job);
    case "topic_split":
      return builtinTopicSplit(job);
    case "topic_brief":
      return builtinTopicBrief(job);
    case "topic_review":
      return builtinTopicReview(job);
    case "topic_windows":
    case "topic_index":
    case "embedding":
    case "rerank":
    case "rewrite":
      return undefined;
    default:
      return job satisfies never;
  }
}
