/**
 * Makes one owed summary: plan → job → settle(answer). The answer is kept until
 * it stands on the disk: where that cannot be written, the model is not asked again.
 */
import type { SummaryJob, SummaryOutcome } from "../llm/jobs/summary.js";
import type { JobId } from "../model/work.js";
import type { Pool } from "../llm/pool.js";
import type { UsageLog } from "../llm/usage-log.js";
import type { Put } from "../platform/jobs.js";
import type { Archive } from "./archive.js";
import type { OwedSummary } from "./owed.js";
import { failSummary, planSummary, settleSummary, type SummaryEnd } from "./summarise.js";

export interface SummaryParts {
  archive: Archive;
  pool: Pool;
  usage: UsageLog;
}

export class Summaries {
  /** Answers, refusals too, of which nothing stands on the disk yet. */
  readonly #answers = new Map<JobId, SummaryOutcome>();

  constructor(readonly parts: SummaryParts) {}

  /** `isAsked`: a model that refused is asked again. */
  async make(owed: OwedSummary, isAsked: boolean, put: Put): Promise<SummaryEnd> {
    const { summaries } = this.parts.archive;
    summaries.begin(owed.target);
    const end = await this.#make(owed, isAsked, put).finally(() => summaries.end(owed.target));
    this.#log(owed, end);
    return end;
  }

  /** What was answered may tell of what has been forgotten. */
  forget(): void {
    this.#answers.clear();
  }

  async #make(owed: OwedSummary, isAsked: boolean, put: Put): Promise<SummaryEnd> {
    const { context } = this.parts.archive;
    let end: SummaryEnd = { to: "changed" };
    const plan = await planSummary(context, owed);
    switch (plan.to) {
      case "changed":
        return end;
      case "unreadable":
        await put(async () => (end = await failSummary(context, owed, plan)));
        return end;
      case "ask": {
        const answer = await this.#answer(plan.job, isAsked);
        await put(async () => (end = await settleSummary(context, owed, plan, answer)));
        this.#answers.delete(plan.job.id);
        return end;
      }
      default:
        return plan satisfies never;
    }
  }

  async #answer(job: SummaryJob, isAsked: boolean): Promise<SummaryOutcome> {
    const { pool, usage, archive } = this.parts;
    const kept = this.#answers.get(job.id);
    if (kept !== undefined && (kept.to === "done" || !isAsked)) return kept;
    const outcome = await pool.run(job);
    this.#answers.set(job.id, outcome);
    await usage.add(outcome.usage);
    if (outcome.to === "unavailable" && outcome.reason === "budget")
      archive.context.log.write({ level: "warn", event: "budget_paused", tokens: usage.tokensToday() });
    return outcome;
  }

  #log({ tier, scope, date }: OwedSummary, end: SummaryEnd): void {
    const { context, summaries } = this.parts.archive;
    const left = summaries.all.length;
    if (end.to === "made")
      context.log.write({ level: "info", event: "summary_made", tier, scope, date, by: end.by, left });
    if (end.to === "failed") {
      const { reason, attempts } = end;
      context.log.write({ level: "warn", event: "job_failed", tier, scope, date, reason, attempts, left });
    }
  }
}
