/**
 * What becomes of a job once it was worked: it leaves the queue, waits again, or fails for
 * good; what it observed is kept as it was said then. Runs when no tick does.
 */
import type { ModelWorkParts } from "../llm/job-context.js";
import type { MemoryRecord } from "../model/record.js";
import { isoOf, later, MINUTE_MS, SECOND_MS } from "../model/time.js";
import type { Refused } from "../model/work.js";
import type { Resting } from "../platform/background.js";
import { failJob, finishJob, requeueJob } from "../protocol/queue-folders.js";
import type { QueueJob } from "../protocol/queue-job.js";
import { closeConversation, type EnqueueExchanges } from "./enqueue-exchanges.js";
import { afterFailure } from "./life.js";
import type { JobQueue } from "./queue-reader.js";
import type { RecordStores } from "./record-store.js";

/** After a model that cannot be had: for everybody, since there is one endpoint. */
export const REST_MS = MINUTE_MS;

export class JobEnds {
  constructor(
    readonly parts: ModelWorkParts,
    readonly queue: JobQueue,
    readonly exchanges: EnqueueExchanges,
    readonly records: RecordStores,
    readonly resting: Resting,
  ) {}

  async finish(id: string, job: QueueJob): Promise<void> {
    const { writer, workspace, log } = this.parts;
    await closeConversation(this.parts, this.exchanges, job);
    await finishJob(writer, workspace, id);
    this.queue.forget(id);
    log.write({ level: "info", event: "job_done", job: id });
  }

  /** `atLast`: what is kept of it should it never succeed. */
  async refused(
    id: string,
    job: QueueJob,
    refused: Refused,
    atLast: readonly MemoryRecord[] = [],
  ): Promise<void> {
    const { reason } = refused;
    if (refused.to === "failed") return this.#failed(id, job, reason, atLast);
    this.resting.rest(Math.max(REST_MS, refused.retryAfterMs ?? 0));
    await this.#requeue(id, { ...job, error: reason });
    this.parts.log.write({ level: "warn", event: "job_postponed", job: id, reason });
  }

  async #requeue(id: string, job: QueueJob): Promise<void> {
    const { writer, workspace } = this.parts;
    await requeueJob(writer, workspace, id, job);
    this.queue.giveBack({ id, job });
  }

  async #failed(id: string, job: QueueJob, reason: string, atLast: readonly MemoryRecord[]): Promise<void> {
    const { writer, workspace, clock, log } = this.parts;
    const attempts = (job.attempts ?? 0) + 1;
    const retry = afterFailure(attempts, this.parts.settings.historian.job_retries);
    log.write({ level: "warn", event: "job_failed", job: id, reason, attempts });
    const failed: QueueJob = { ...job, attempts, error: reason };
    if (retry.then === "failed") {
      const notBefore = isoOf(later(clock.now(), retry.waitSeconds * SECOND_MS));
      return this.#requeue(id, { ...failed, notBefore });
    }
    await this.records.keep(atLast);
    await closeConversation(this.parts, this.exchanges, job);
    const content = `${JSON.stringify({ ...failed, notBefore: undefined })}\n`;
    await failJob(writer, workspace, "processing", id, content);
  }
}
