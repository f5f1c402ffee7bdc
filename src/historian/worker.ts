/**
 * The historian: works the queue beside the rounds, one job of a conversation
 * at a time. Memos are folded at once; observations, and what is found in rounds
 * that are over, stand alone, become records, and tell profiles something new.
 *
 * A job leaves the queue when all of it stands where it belongs. Killed at any
 * point, the job is worked again from its file, and its records, whose ids
 * follow from it, replace themselves.
 */
import { isMemdError, MemdError, messageOf } from "../model/errors.js";
import type { FiledMessage } from "../model/message.js";
import type { MemoryRecord } from "../model/record.js";
import { DAY_MS, isoOf, later, MINUTE_MS, SECOND_MS } from "../model/time.js";
import type { Pair, Verdicts } from "./compare.js";
import { afterFailure } from "./life.js";
import { laneOf, nextDueAt, workable, type Waiting } from "./turns.js";
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
import { workJob } from "./work-job.js";
import type { JobOutput } from "./job-output.js";
import { closeConversation } from "./close-conversation.js";
import type { Lists } from "../model/conversations.js";
import { JobQueue, UNFINISHED_MS } from "./queue-reader.js";
import type { ModelWorkParts } from "../llm/job-context.js";
import { asSaid } from "./observations.js";
import { mergeProfiles, type Put } from "./profile-merge.js";
import type { Refused } from "./refusal.js";
import { EnqueueExchanges } from "./enqueue-exchanges.js";
import { compared, RecordStores } from "./record-store.js";

/** Something was forgotten while a job was being worked. */
class Overtaken extends Error {}

/** After a model that cannot be had: for everybody, since there is one endpoint. */
const REST_MS = MINUTE_MS;

export class HistorianWorker {
  readonly #queue: JobQueue;
  readonly #rounds: EnqueueExchanges;
  readonly #shelves: RecordStores;
  readonly #running = new Map<string, Promise<void>>();
  /** What was said, as of the last look. */
  #said: readonly FiledMessage[] = [];
  /** In `queue/processing/`, and not being worked. */
  readonly #stranded = new Set<string>();
  #restUntilMs = 0;
  #toldMs = 0;
  #stopping = false;

  /** `publishing` runs when no round does. */
  constructor(
    readonly parts: ModelWorkParts,
    readonly publishing: <T>(work: () => Promise<T>) => Promise<T>,
    /** With what keeps the disk from taking it, where that is why. */
    readonly ended: (fault?: unknown) => void,
  ) {
    this.#queue = new JobQueue(parts);
    this.#rounds = new EnqueueExchanges(parts);
    this.#shelves = new RecordStores(parts);
  }

  get running(): number {
    return this.#running.size;
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
    await this.#rounds.load();
  }

  /** Looks what waits, folds memos, and begins what may be worked. */
  async consider(lists: Lists): Promise<void> {
    if (this.#stopping) return;
    this.#said = [...lists.history, ...lists.inbox];
    await this.#return();
    await this.#rounds.consider(lists);
    await this.#queue.look();
    if (await this.#queue.foldMemos()) this.ended();
    await this.#claim();
  }

  /** When to look again without being woken; undefined where there is nothing to wait for. */
  nextLookMs(): number | undefined {
    const { clock, settings } = this.parts;
    if (this.#queue.hasUnfinished) return UNFINISHED_MS;
    if (!settings.cognitive.enabled) return undefined;
    const { waiting } = this.#queue;
    const restMs = this.#restUntilMs - clock.monotonicMs();
    if (waiting.length > 0 && restMs > 0) return restMs;
    const due = [nextDueAt(waiting, clock.now()), this.#rounds.nextAt].filter((at) => at !== undefined);
    return due.length === 0 ? undefined : Math.max(SECOND_MS, Math.min(...due) - clock.now());
  }

  /** Something was forgotten: nothing of it is looked at any more. Runs when no round does. */
  async forgot(isGone: (filed: FiledMessage) => boolean): Promise<void> {
    this.#said = this.#said.filter((filed) => !isGone(filed));
    await this.#rounds.load();
    await this.#queue.look();
  }

  /** Settles when no job is being worked. */
  async rested(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.rested();
  }

  /** What a fault cut off waits again; a disk that refuses even that is asked with the next round. */
  async #return(): Promise<void> {
    const { writer, workspace } = this.parts;
    await returnJobs(writer, workspace, [...this.#stranded]);
    this.#stranded.clear();
  }

  /** As many as may be worked at once. */
  async #claim(): Promise<void> {
    const { clock, settings, writer, workspace } = this.parts;
    if (!settings.cognitive.enabled || clock.monotonicMs() < this.#restUntilMs) return;
    for (const next of workable(this.#queue.waiting, new Set(this.#running.keys()), clock.now())) {
      if (this.#running.size >= settings.worker.max_processes) return;
      const isMine = await claimJob(writer, workspace, next.id);
      this.#queue.take(next.id);
      if (isMine) this.#begin(next);
    }
  }

  #begin(next: Waiting): void {
    const lane = laneOf(next.job);
    const { epoch } = this.parts.forgotten;
    const put: Put = (work) => this.#put(work, epoch);
    const done = this.#work(next, put)
      .catch((error: unknown) =>
        error instanceof Overtaken ? void this.#stranded.add(next.id) : this.#fault(next.id, error),
      )
      .then((fault) => {
        this.#running.delete(lane);
        return this.#goOn(fault);
      });
    this.#running.set(lane, done);
  }

  /** A long queue needs no round between its jobs: what they brought is told once a second, and at the end. */
  async #goOn(fault: unknown): Promise<void> {
    if (this.#stopping) return;
    if (fault === undefined)
      await this.#put(() => this.#claim()).catch((error: unknown) => this.ended(error));
    const nowMs = this.parts.clock.monotonicMs();
    if (fault === undefined && this.#running.size > 0 && nowMs - this.#toldMs < SECOND_MS) return;
    this.#toldMs = nowMs;
    this.ended(fault);
  }

  async #work({ id, job }: Waiting, put: Put): Promise<void> {
    const answer = await workJob(this.parts, id, job, this.#said);
    if (answer.to !== "done") {
      const atLast = job.kind === "end" ? asSaid(this.parts, id, job, this.#said) : [];
      return put(() => this.#refused(id, job, answer, atLast));
    }
    const { brought } = answer;
    let pairs: Pair[] = [];
    await put(async () => void (pairs = await this.#shelves.pairs(brought.records)));
    const compare = await compared(this.parts, id, pairs);
    if (compare.to !== "done") return put(() => this.#refused(id, brought.job, compare, brought.records));
    await put(() => this.#keep(id, brought, compare.verdicts));
    const { done, refused } = await mergeProfiles(this.parts, put, id, brought);
    const left: QueueJob = { ...brought.job, done };
    await put(() => (refused === undefined ? this.#finish(id, left) : this.#refused(id, left, refused, [])));
  }

  /** Once memd is being stopped nothing is written any more: the job waits in its folder. */
  async #put(work: () => Promise<void>, epoch = this.parts.forgotten.epoch): Promise<void> {
    await this.publishing(async () => {
      if (this.#stopping) return;
      // It may tell what has been forgotten meanwhile: where the job still stands, it is worked anew.
      if (epoch !== this.parts.forgotten.epoch) throw new Overtaken();
      await work();
    });
  }

  async #keep(id: string, { records, problems }: JobOutput, verdicts: Verdicts): Promise<void> {
    const { log } = this.parts;
    const written = await this.#shelves.keep(records, verdicts);
    for (const { problem, isAbsolute } of problems)
      log.write({ level: "warn", event: "gate_failed", job: id, kept: isAbsolute, reason: problem });
    log.write({ level: "info", event: "records_written", job: id, records: written });
  }

  async #finish(id: string, job: QueueJob): Promise<void> {
    const { writer, workspace, log } = this.parts;
    if (job.kind === "end" && job.close === true) await closeConversation(this.parts, this.#rounds, job);
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
    return refused.to === "unavailable"
      ? this.#postpone(id, job, refused.reason, refused.retryAfterMs ?? 0)
      : this.#failed(id, job, refused.reason, atLast);
  }

  async #postpone(id: string, job: QueueJob, reason: string, retryAfterMs: number): Promise<void> {
    const { clock, log } = this.parts;
    this.#restUntilMs = clock.monotonicMs() + Math.max(REST_MS, retryAfterMs);
    await this.#requeue(id, { ...job, error: reason });
    log.write({ level: "warn", event: "job_postponed", job: id, reason });
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
    await this.#shelves.keep(atLast);
    if (job.kind === "end" && job.close === true) await closeConversation(this.parts, this.#rounds, job);
    const content = `${JSON.stringify({ ...failed, notBefore: undefined })}\n`;
    await failJob(writer, workspace, "processing", id, content);
  }

  /** A disk that refuses is everybody's trouble, and the job waits where the next start finds it; anything else is a bug that is told. */
  async #fault(id: string, error: unknown): Promise<unknown> {
    if (this.#stopping) return undefined;
    const { log, clock } = this.parts;
    if (!isMemdError(error))
      log.write({ level: "error", event: "job_failed", job: id, reason: messageOf(error) });
    this.#restUntilMs = clock.monotonicMs() + REST_MS;
    this.#stranded.add(id);
    await this.publishing(() => this.#return()).catch(() => undefined);
    return isMemdError(error) ? error : new MemdError("internal", messageOf(error), { cause: error });
  }
}
