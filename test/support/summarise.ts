/** Makes one owed summary as a pass does, with a model that is a function. */
import type { Archive } from "../../src/archive/archive.js";
import type { OwedSummary } from "../../src/archive/owed.js";
import { failSummary, planSummary, settleSummary, type SummaryEnd } from "../../src/archive/summarise.js";
import type { SummaryJob, SummaryOutcome } from "../../src/llm/jobs/summary.js";

export async function summarise(
  { context, summaries }: Archive,
  owed: OwedSummary,
  model: (job: SummaryJob) => Promise<SummaryOutcome>,
): Promise<SummaryEnd> {
  summaries.begin(owed.target);
  try {
    const plan = await planSummary(context, owed);
    if (plan.to === "changed") return plan;
    if (plan.to === "unreadable") return await failSummary(context, owed, plan);
    return await settleSummary(context, owed, plan, await model(plan.job));
  } finally {
    summaries.end(owed.target);
  }
}
