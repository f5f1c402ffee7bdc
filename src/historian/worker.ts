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
import { DAY_MS, later, SECOND_MS } from "../model/time.js";
import type { Pair, Verdicts } from "./compare.js";
import { CursorStore } from "./cursor-store.js";
import { OwedExchanges, type Past } from "./owed-exchanges.js";
import {
  isOfPast,
  JobQueue,
  laneOf,
  nextDueAt,
  UNFINISHED_MS,
  type Waiting,
  workable,
} from "./queue-reader.js";
import type { QueueJob } from "../protocol/queue-job.js";
import { claimJob, expireFailed, recoverJobs, returnJobs } from "../protocol/queue-folders.js";
import { asSaid, workJob } from "./work-job.js";
import type { JobOutput } from "./records.js";
import { EnqueueExchanges } from "./enqueue-exchanges.js";
import { JobEnds, REST_MS } from "./job-ends.js";
import {
  type Background,
  Jobs,
  type Loop,
  type Put as JobPut,
  type Tick,
  Waiters,
} from "../platform/background.js";
import type { ModelWorkParts } from "../llm/job-context.js";
import { mergeProfiles, type Put } from "./profile-files.js";
import { compared, RecordStores } from "./record-store.js";

/** Something was forgotten while a job was being worked, or memd stops. */
class Overtaken extends Error {}

/** The index reads a file again when a line has come: of what nobody waits for, many at once. */
const PAST_SEEN_MS = 30 * SECOND_MS;

export class HistorianWorker implements Background {
  readonly name = "queue";
  readonly #queue: JobQueue;
  readonly #cursors: CursorStore;
  readonly #exchanges: EnqueueExchanges;
  readonly #owed: OwedExchanges;
  readonly #records: RecordStores;
  /** By conversation. */
  readonly #jobs: Jobs;
  readonly #ends: JobEnds;
  /** The messages of both lists, as of the last poll. */
  #messages: readonly FiledMessage[] = [];
  /** In `queue/processing/`, and not being worked. */
  readonly #stranded = new Set<string>();
  /** Of what was imported, being worked. */
  readonly #ofPast = new Set<string>();
  #wokenAtMs = 0;
  /** Whether something was written since the loop was woken that is of today. */
  #isAwaited = false;
  #isAsked = false;
  readonly #idlers = new Waiters<void>();

  constructor(
    readonly parts: ModelWorkParts,
    readonly loop: Loop,
    past: Past,
    /** Whether models may be asked about the past now: part of a day's tokens is for what is said that day. */
    mayAsk: () => boolean,
  ) {
    this.#queue = new JobQueue(parts);
    this.#cursors = new CursorStore(parts);
    this.#exchanges = new EnqueueExchanges(parts, this.#cursors, (key) => past.has(key));
    this.#owed = new OwedExchanges(parts, this.#cursors, past, mayAsk);
    this.#records = new RecordStores(parts);
    this.#jobs = new Jobs(parts, loop, { restMs: 0 });
    this.#ends = new JobEnds(parts, this.#queue, this.#exchanges, this.#records, this.#jobs.resting);
  }

  /** What is owed of the past holds nobody up: who waits for rest does not wait for years. */
  get running(): number {
    return this.#jobs.running - this.#ofPast.size;
  }

  /** The same with what is of the past. */
  get underWay(): number {
    return this.#jobs.running;
  }

  /** Settles when nothing of the past is being worked either, nor can be for now. */
  caughtUp(): Promise<void> {
    return this.underWay === 0 ? Promise.resolve() : this.#idlers.wait();
  }

  refuse(trouble: Error): void {
    this.#idlers.refuse(trouble);
  }

  /** Somebody waits for what agents left behind, where memd only reads. */
  get isAsked(): boolean {
    return this.#isAsked;
  }

  /** Meanwhile what agents left behind is worked, and nothing else. */
  async whileAsked<T>(wait: () => Promise<T>): Promise<T> {
    // What a memd that works knows from its start: else what is kept of other conversations would be written over.
    await this.loop.exclusive(() => this.recover());
    this.#isAsked = true;
    try {
      return await wait();
    } finally {
      this.#isAsked = false;
    }
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
    await this.#load();
  }

  /** What is owed of imports: how far it is, and which messages it is of. */
  get owed(): Pick<OwedExchanges, "progress" | "keys"> {
    return this.#owed;
  }

  /** Reads what waits, folds memos, and begins what may be worked. True where memos were folded. */
  async poll({ lists }: Pick<Tick, "lists">): Promise<boolean> {
    if (this.#jobs.isStopping) return false;
    this.#messages = [...lists.history, ...lists.inbox];
    await this.#return();
    if (!this.#isAsked) {
      await this.#exchanges.enqueue(lists);
      this.#owed.look();
      // What stood before a cursor was kept may be gone from the queue in a moment.
      await this.#cursors.keep();
    }
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
    const due = [nextDueAt(waiting, clock.now()), this.#exchanges.nextAt, this.#owed.nextAt].filter(
      (at) => at !== undefined,
    );
    return due.length === 0
      ? undefined
      : Math.max(settings.historian.poll_seconds * SECOND_MS, Math.min(...due) - clock.now());
  }

  async forget(isGone: (filed: FiledMessage) => boolean): Promise<void> {
    this.#messages = this.#messages.filter((filed) => !isGone(filed));
    await this.#load();
    await this.#queue.read();
  }

  async #load(): Promise<void> {
    await this.#cursors.load();
    await this.#exchanges.load();
    await this.#owed.load();
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
    if (!this.#isAsked)
      for (const job of await this.#owed.feed(this.#queue.waiting, this.#jobs.keys, this.#mostOfPast))
        this.#queue.giveBack(job);
    const waiting = this.#queue.waiting.filter(({ job }) => !this.#isAsked || job.kind === "end");
    for (const next of workable(waiting, this.#jobs.keys, clock.now())) {
      if (this.#jobs.running >= settings.worker.max_processes) return;
      const isPast = isOfPast(next.id);
      if (isPast && this.#ofPast.size >= this.#mostOfPast) continue;
      const isMine = await claimJob(writer, workspace, next.id);
      this.#queue.take(next.id);
      if (!isMine) continue;
      if (isPast) this.#ofPast.add(next.id);
      this.#jobs.start(
        laneOf(next.job),
        (put) => this.#work(next, put).finally(() => this.#ofPast.delete(next.id)),
        () => this.#goOn(isPast),
      );
    }
  }

  /** One worker is left to what is said today, where there are several. */
  get #mostOfPast(): number {
    return Math.max(1, this.parts.settings.worker.max_processes - 1);
  }

  /** A long queue needs no tick between its jobs: what they wrote is seen once a second, of the past less often, and at the end. */
  async #goOn(isPast: boolean): Promise<void> {
    await this.#jobs
      .put()(() => this.#claim())
      .catch((error: unknown) => this.loop.fault(error));
    this.#isAwaited ||= !isPast;
    const nowMs = this.parts.clock.monotonicMs();
    const pauseMs = this.#isAwaited ? SECOND_MS : PAST_SEEN_MS;
    if (this.#jobs.running === 0) this.#idlers.tell();
    else if (nowMs - this.#wokenAtMs < pauseMs) return;
    this.#wokenAtMs = nowMs;
    this.#isAwaited = false;
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
      return put(() => this.#ends.refused(id, job, answer, atLast));
    }
    const { output } = answer;
    let pairs: Pair[] = [];
    await put(async () => void (pairs = await this.#records.pairs(output.records)));
    const compare = await compared(this.parts, id, pairs);
    if (compare.to !== "done") return put(() => this.#ends.refused(id, output.job, compare, output.records));
    await put(() => this.#keep(id, output, compare.verdicts));
    const { done, refused } = await mergeProfiles(this.parts, this.#records, put, id, output);
    const left: QueueJob = { ...output.job, done };
    await put(() =>
      refused === undefined ? this.#ends.finish(id, left) : this.#ends.refused(id, left, refused),
    );
  }

  async #keep(id: string, { records, problems }: JobOutput, verdicts: Verdicts): Promise<void> {
    const { log } = this.parts;
    const written = await this.#records.keep(records, verdicts);
    for (const { problem, isAbsolute } of problems)
      log.write({ level: "warn", event: "gate_failed", job: id, kept: isAbsolute, reason: problem });
    log.write({ level: "info", event: "records_written", job: id, records: written });
  }
}
