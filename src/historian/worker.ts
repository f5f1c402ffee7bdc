/**
 * The historian: works the queue beside the ticks, one job of a conversation
 * at a time. Memos are folded at once; observations, and what is found in
 * exchanges that are over, stand alone, become records, and go into profiles.
 *
 * A job leaves the queue when all of it stands where it belongs. Killed at any
 * point, the job is worked again from its file, and its records, whose ids
 * follow from it, replace themselves.
 */
import { isMemdError, messageOf } from "../model/errors.js";
import type { FiledMessage } from "../model/message.js";
import type { MemoryRecord } from "../model/record.js";
import { DAY_MS, isoOf, later, MINUTE_MS, SECOND_MS } from "../model/time.js";
import type { Pair, Verdicts } from "./compare.js";
import { afterFailure } from "./life.js";
import { JobQueue, laneOf, nextDueAt, UNFINISHED_MS, type Waiting, workable } from "./queue-reader.js";
import type { QueueJob } from "../protocol/queue-job.js";
import {
  claimJob,
  expireFailed,
  failJob,
  finishJob,
  recoverJobs,
  requeueJob,
  returnJobs,
} from "../protocol/queue-folders.js";
import { asSaid, workJob } from "./work-job.js";
import type { Refused } from "../model/work.js";
import type { JobOutput } from "./records.js";
import { closeConversation, EnqueueExchanges } from "./enqueue-exchanges.js";
import { type Background, Jobs, type Loop, type Put as JobPut, type Tick } from "../platform/background.js";
import type { ModelWorkParts } from "../llm/job-context.js";
import { mergeProfiles, type Put } from "./profile-files.js";
import { compared, RecordStores } from "./record-store.js";

/** Something was forgotten while a job was being worked, or memd stops. */
class Overtaken extends Error {}

/** After a model that cannot be had: for everybody, since there is one endpoint. */
const REST_MS = MINUTE_MS;

export class HistorianWorker implements Background {
  readonly name = "queue";
  readonly #queue: JobQueue;
  readonly #exchanges: EnqueueExchanges;
  readonly #records: RecordStores;
  /** By conversation. */
  readonly #jobs: Jobs;
  /** The messages of both lists, as of the last poll. */
  #messages: readonly FiledMessage[] = [];
  /** In `queue/processing/`, and not being worked. */
  readonly #stranded = new Set<string>();
  #wokenAtMs = 0;

  constructor(
    readonly parts: ModelWorkParts,
    readonly loop: Loop,
  ) {
    this.#queue = new JobQueue(parts);
    this.#exchanges = new EnqueueExchanges(parts);
    this.#records = new RecordStores(parts);
    this.#jobs = new Jobs(parts, loop, { restMs: 0 });
  }

  get running(): number {
    return this.#jobs.running;
  }

  /** Whether jobs have come or gone since it looked. */
  hasNews(): Promise<boolean> {
    return this.#queue.hasNews();
  }

  /** Before anything is worked: what a killed memd had under way waits again. */
  async recover(): Promise<void> {
    const { writer, workspace, clock, settings, log } = this.parts;
    const jobs = await recoverJobs(writer, workspace);
    if (jobs > 0) log.write({ level: "info", event: "jobs_recovered", jobs });
    const { failed_days: days, failed_files: most } = settings.historian;
    await expireFailed(writer, workspace, later(clock.now(), -days * DAY_MS), most);
    await this.#exchanges.load();
  }

  /** Reads what waits, folds memos, and begins what may be worked. True where memos were folded. */
  async poll({ lists }: Pick<Tick, "lists">): Promise<boolean> {
    if (this.#jobs.isStopping) return false;
    this.#messages = [...lists.history, ...lists.inbox];
    await this.#return();
    await this.#exchanges.enqueue(lists);
    await this.#queue.read();
    const hasFolded = await this.#queue.foldMemos();
    await this.#claim();
    return hasFolded;
  }

  get nextMs(): number | undefined {
    const { clock, settings } = this.parts;
    if (this.#queue.hasUnfinished) return UNFINISHED_MS;
    if (!settings.cognitive.enabled) return undefined;
    const { waiting } = this.#queue;
    const restMs = this.#jobs.resting.leftMs();
    if (waiting.length > 0 && restMs > 0) return restMs;
    const due = [nextDueAt(waiting, clock.now()), this.#exchanges.nextAt].filter((at) => at !== undefined);
    return due.length === 0 ? undefined : Math.max(SECOND_MS, Math.min(...due) - clock.now());
  }

  async forget(isGone: (filed: FiledMessage) => boolean): Promise<void> {
    this.#messages = this.#messages.filter((filed) => !isGone(filed));
    await this.#exchanges.load();
    await this.#queue.read();
  }

  /** Settles when no job is being worked. */
  over(): Promise<void> {
    return this.#jobs.over();
  }

  stop(): Promise<void> {
    return this.#jobs.stop();
  }

  /** What a fault cut off waits again; a disk that refuses even that is asked with the next tick. */
  async #return(): Promise<void> {
    const { writer, workspace } = this.parts;
    await returnJobs(writer, workspace, [...this.#stranded]);
    this.#stranded.clear();
  }

  /** As many as may be worked at once. */
  async #claim(): Promise<void> {
    const { clock, settings, writer, workspace } = this.parts;
    if (!settings.cognitive.enabled || this.#jobs.resting.leftMs() > 0) return;
    for (const next of workable(this.#queue.waiting, this.#jobs.keys, clock.now())) {
      if (this.running >= settings.worker.max_processes) return;
      const isMine = await claimJob(writer, workspace, next.id);
      this.#queue.take(next.id);
      if (isMine)
        this.#jobs.start(
          laneOf(next.job),
          (put) => this.#work(next, put),
          () => this.#goOn(),
        );
    }
  }

  /** A long queue needs no tick between its jobs: what they wrote is seen once a second, and at the end. */
  async #goOn(): Promise<void> {
    await this.#jobs
      .put()(() => this.#claim())
      .catch((error: unknown) => this.loop.fault(error));
    const nowMs = this.parts.clock.monotonicMs();
    if (this.running > 0 && nowMs - this.#wokenAtMs < SECOND_MS) return;
    this.#wokenAtMs = nowMs;
    this.loop.done(true);
  }

  /** A disk that refuses is everybody's trouble, and the job waits where the next start finds it; anything else is a bug. */
  async #work(next: Waiting, putIn: JobPut): Promise<void> {
    const put: Put = async (work) => {
      if (!(await putIn(work))) throw new Overtaken();
    };
    try {
      await this.#workThrough(next, put);
    } catch (error) {
      this.#stranded.add(next.id);
      if (error instanceof Overtaken || this.#jobs.isStopping) return;
      if (!isMemdError(error))
        this.parts.log.write({ level: "error", event: "job_failed", job: next.id, reason: messageOf(error) });
      this.#jobs.resting.rest(REST_MS);
      await this.#jobs
        .put()(() => this.#return())
        .catch(() => undefined);
      throw error;
    }
  }

  async #workThrough({ id, job }: Waiting, put: Put): Promise<void> {
    const answer = await workJob(this.parts, id, job, this.#messages);
    if (answer.to !== "done") {
      const atLast = job.kind === "end" ? asSaid(this.parts, id, job, this.#messages) : [];
      return put(() => this.#refused(id, job, answer, atLast));
    }
    const { output } = answer;
    let pairs: Pair[] = [];
    await put(async () => void (pairs = await this.#records.pairs(output.records)));
    const compare = await compared(this.parts, id, pairs);
    if (compare.to !== "done") return put(() => this.#refused(id, output.job, compare, output.records));
    await put(() => this.#keep(id, output, compare.verdicts));
    const { done, refused } = await mergeProfiles(this.parts, put, id, output);
    const left: QueueJob = { ...output.job, done };
    await put(() => (refused === undefined ? this.#finish(id, left) : this.#refused(id, left, refused, [])));
  }

  async #keep(id: string, { records, problems }: JobOutput, verdicts: Verdicts): Promise<void> {
    const { log } = this.parts;
    const written = await this.#records.keep(records, verdicts);
    for (const { problem, isAbsolute } of problems)
      log.write({ level: "warn", event: "gate_failed", job: id, kept: isAbsolute, reason: problem });
    log.write({ level: "info", event: "records_written", job: id, records: written });
  }

  async #finish(id: string, job: QueueJob): Promise<void> {
    const { writer, workspace, log } = this.parts;
    await closeConversation(this.parts, this.#exchanges, job);
    await finishJob(writer, workspace, id);
    this.#queue.forget(id);
    log.write({ level: "info", event: "job_done", job: id });
  }

  /** `atLast`: what is kept of it should it never succeed. */
  async #refused(
    id: string,
    job: QueueJob,
    refused: Refused,
    atLast: readonly MemoryRecord[],
  ): Promise<void> {
    const { reason } = refused;
    if (refused.to === "failed") return this.#failed(id, job, reason, atLast);
    this.#jobs.resting.rest(Math.max(REST_MS, refused.retryAfterMs ?? 0));
    await this.#requeue(id, { ...job, error: reason });
    this.parts.log.write({ level: "warn", event: "job_postponed", job: id, reason });
  }

  async #requeue(id: string, job: QueueJob): Promise<void> {
    const { writer, workspace } = this.parts;
    await requeueJob(writer, workspace, id, job);
    this.#queue.giveBack({ id, job });
  }

  async #failed(id: string, job: QueueJob, reason: string, atLast: readonly MemoryRecord[]): Promise<void> {
    const { writer, workspace, clock, log } = this.parts;
    const attempts = (job.attempts ?? 0) + 1;
    const retry = afterFailure(attempts);
    log.write({ level: "warn", event: "job_failed", job: id, reason, attempts });
    const failed: QueueJob = { ...job, attempts, error: reason };
    if (retry.then === "failed") {
      const notBefore = isoOf(later(clock.now(), retry.waitSeconds * SECOND_MS));
      return this.#requeue(id, { ...failed, notBefore });
    }
    await this.#records.keep(atLast);
    await closeConversation(this.parts, this.#exchanges, job);
    const content = `${JSON.stringify({ ...failed, notBefore: undefined })}\n`;
    await failJob(writer, workspace, "processing", id, content);
  }
}
