/**
 * Summaries under way: each owed one has its job run by a worker beside the
 * rounds, and its answer published by the archive.
 */
import { MemdError } from "../model/errors.js";
import type { JobId } from "../model/work.js";
import type { SummaryJob, SummaryOutcome } from "../llm/jobs/summary.js";
import type { Pool } from "../llm/pool.js";
import type { UsageLog } from "../llm/usage-log.js";
import type { Archive } from "./archive.js";
import type { TargetKey } from "./retries.js";
import type { OwedSummary } from "./owed.js";
import type { SummaryEnd } from "./summarise.js";
import type { Log } from "../platform/log.js";

export class Summaries {
  readonly #running = new Map<TargetKey, Promise<void>>();
  /** Answers, refusals too, of which nothing stands on the disk yet: where that cannot be written, the model is not asked again. */
  readonly #answers = new Map<JobId, SummaryOutcome>();
  #stopping = false;

  constructor(
    readonly stages: { archive: Archive; pool: Pool; usage: UsageLog },
    readonly log: Log,
  ) {}

  get running(): number {
    return this.#running.size;
  }

  /** Starts one; `ended` hears how it ended, or what kept it from ending. `anew`: a model that refused is asked again. */
  start(
    owed: OwedSummary,
    anew: boolean,
    ended: (end: SummaryEnd | { to: "fault"; error: unknown }) => void,
  ): void {
    let asked: JobId | undefined;
    const run = (job: SummaryJob): Promise<SummaryOutcome> => {
      asked = job.id;
      if (anew && this.#answers.get(job.id)?.to !== "done") this.#answers.delete(job.id);
      return this.#run(job);
    };
    const made = this.stages.archive
      .summarise(owed, run)
      .then((end) => {
        if (asked !== undefined) this.#answers.delete(asked);
        this.#tell(owed, end);
        return end;
      })
      .catch((error: unknown) => ({ to: "fault" as const, error }))
      .then((end) => {
        this.#running.delete(owed.target);
        if (!this.#stopping) ended(end);
      });
    this.#running.set(owed.target, made);
  }

  /** Ends the workers; what was under way is owed as before. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.stages.pool.close();
    await Promise.allSettled(this.#running.values());
  }

  /** What was answered may tell of what has been forgotten. */
  forget(): void {
    this.#answers.clear();
  }

  async #run(job: SummaryJob): Promise<SummaryOutcome> {
    const { pool, usage } = this.stages;
    const kept = this.#answers.get(job.id);
    const outcome = kept ?? (await pool.run(job));
    // A job that ended because memd stops says nothing about the job: no step of the retry.
    if (this.#stopping) throw new MemdError("not_running", "memd was stopped.");
    this.#answers.set(job.id, outcome);
    await usage.add(kept === undefined ? outcome.usage : []);
    if (kept === undefined && outcome.to === "unavailable" && outcome.reason === "budget") {
      this.log.write({ level: "warn", event: "budget_paused", tokens: usage.tokensToday() });
    }
    return outcome;
  }

  #tell({ tier, scope, date }: OwedSummary, end: SummaryEnd): void {
    const left = this.stages.archive.owed().length;
    if (end.to === "made")
      this.log.write({ level: "info", event: "summary_made", tier, scope, date, by: end.by, left });
    if (end.to === "failed") {
      const { reason, attempts } = end;
      this.log.write({ level: "warn", event: "job_failed", tier, scope, date, reason, attempts, left });
    }
  }
}
