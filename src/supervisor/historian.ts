/**
 * The historian: works the queue beside the rounds, one job of a conversation
 * at a time. Memos are folded at once; observations are written so that they
 * stand alone, and become records.
 *
 * A job leaves the queue when all of it stands where it belongs. Killed at any
 * point, the job is worked again from its file, and its records, whose ids
 * follow from it, replace themselves.
 */
import { MemdError, messageOf, isMemdError } from "../model/errors.js";
import { isGroup, LOCAL_USER, type FiledMessage, type ScopeId } from "../model/message.js";
import type { Memo } from "../model/record.js";
import type { Settings } from "../model/settings.js";
import {
  DAY_MS,
  isoOf,
  later,
  MINUTE_MS,
  monthOf,
  parseInstant,
  SECOND_MS,
  type EpochMs,
  type Zone,
} from "../model/time.js";
import type { AbsolutiseJob, JobId, UsageRecord } from "../model/work.js";
import { inConversation } from "../context/inputs.js";
import { absolutise, type Stated, type ToRewrite } from "../historian/absolutise.js";
import { aroundOf, type Around } from "../historian/around.js";
import { afterFailure } from "../historian/life.js";
import { eventsOf, settled, type Observed } from "../historian/records.js";
import { laneOf, nextDueAt, workable, type Waiting } from "../historian/turns.js";
import type { Pool } from "../llm/pool.js";
import type { Clock } from "../platform/clock.js";
import { sha256 } from "../platform/hash.js";
import type { Log } from "../platform/log.js";
import { setAside } from "../protocol/conflicts.js";
import { withMemo } from "../protocol/memos.js";
import { publishOver, readText, type Press } from "../protocol/publish.js";
import type { QueueJob } from "../protocol/queue-job.js";
import {
  claimJob,
  expireFailed,
  failJob,
  finishJob,
  jobIds,
  readJob,
  recoverJobs,
  removeJob,
  requeueJob,
  returnJobs,
} from "../protocol/queue-folders.js";
import { at, FILES, memosPath, type Workspace } from "../protocol/workspace.js";
import type { Lists } from "./conversations.js";
import { RecordShelf } from "./record-shelf.js";

export interface HistorianParts {
  press: Press;
  workspace: Workspace;
  clock: Clock;
  zone: Zone;
  settings: Settings;
  pool: Pool;
  log: Log;
  onUsage: (usage: readonly UsageRecord[]) => void;
}

/** What another program may still be writing. */
const UNFINISHED_MS = 2 * SECOND_MS;
/** After a model that cannot be had: for everybody, since there is one endpoint. */
const REST_MS = MINUTE_MS;
/** Of a scope; many more than any prompt shows. */
const KEPT_MEMOS = 300;

type Refused =
  { to: "unavailable"; reason: string; retryAfterMs?: number } | { to: "failed"; reason: string };

export class Historian {
  readonly #waiting = new Map<string, Waiting>();
  readonly #memoed = new Set<string>();
  /** Of a newer memd, and told. */
  readonly #newer = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #shelves = new Map<ScopeId, RecordShelf>();
  #restUntilMs = 0;
  #lookedAt: number | undefined;
  #unfinished = false;
  #stopping = false;

  /** `publishing` runs when no round does. */
  constructor(
    readonly parts: HistorianParts,
    readonly publishing: <T>(work: () => Promise<T>) => Promise<T>,
    /** With what keeps the disk from taking it, where that is why. */
    readonly ended: (fault?: unknown) => void,
  ) {}

  get running(): number {
    return this.#running.size;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Before anything is worked: what a killed memd had under way waits again. */
  async recover(): Promise<void> {
    const { press, workspace, clock, settings, log } = this.parts;
    const jobs = await recoverJobs(press, workspace);
    if (jobs > 0) log.write({ level: "info", event: "jobs_recovered", jobs });
    const { failed_days: days, failed_files: most } = settings.historian;
    await expireFailed(press, workspace, later(clock.now(), -days * DAY_MS), most);
  }

  /** Looks what waits, folds memos, and begins what may be worked. */
  async consider(lists: Lists): Promise<void> {
    if (this.#stopping) return;
    const { clock, settings, press, workspace } = this.parts;
    await this.#look();
    await this.#foldMemos();
    if (!settings.cognitive.enabled || clock.monotonicMs() < this.#restUntilMs) return;
    for (const next of workable([...this.#waiting.values()], new Set(this.#running.keys()), clock.now())) {
      if (this.#running.size >= settings.worker.max_processes) return;
      if (!(await claimJob(press, workspace, next.id))) {
        this.#waiting.delete(next.id);
        continue;
      }
      this.#waiting.delete(next.id);
      this.#begin(next, [...lists.history, ...lists.inbox]);
    }
  }

  /** Whether the folder has changed since it was looked into. */
  async hasNews(): Promise<boolean> {
    return (await this.#folderStamp()) !== this.#lookedAt;
  }

  /** When to look again without being woken; undefined where there is nothing to wait for. */
  nextLookMs(): number | undefined {
    const { clock } = this.parts;
    if (this.#unfinished) return UNFINISHED_MS;
    if (this.#waiting.size === 0 || !this.parts.settings.cognitive.enabled) return undefined;
    const rest = this.#restUntilMs - clock.monotonicMs();
    if (rest > 0) return rest;
    const due = nextDueAt([...this.#waiting.values()], clock.now());
    return due === undefined ? undefined : Math.max(SECOND_MS, due - clock.now());
  }

  /** Settles when no job is being worked. */
  async rested(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.rested();
  }

  /** What is new in the folder, and what is gone from it. */
  async #look(): Promise<void> {
    const { press, workspace } = this.parts;
    this.#lookedAt = await this.#folderStamp();
    const present = new Set(await jobIds(press, workspace, "pending"));
    for (const id of this.#waiting.keys()) if (!present.has(id)) this.#waiting.delete(id);
    this.#unfinished = false;
    for (const id of present) {
      if (this.#waiting.has(id)) continue;
      const file = await readJob(press, workspace, "pending", id);
      if (file === undefined) continue;
      if (file.read.is === "job") this.#waiting.set(id, { id, job: file.read.job });
      else if (file.read.is === "newer") this.#tellNewer(id, file.read.reason);
      else await this.#refuse(id, file.read.reason, file.text);
    }
  }

  async #folderStamp(): Promise<number | undefined> {
    const { press, workspace } = this.parts;
    return (await press.disk.stat(at(workspace, FILES.pending)))?.mtimeMs;
  }

  /** Once: it waits for a memd that knows what to do with it. */
  #tellNewer(id: string, reason: string): void {
    if (this.#newer.has(id)) return;
    this.#newer.add(id);
    this.parts.log.write({ level: "warn", event: "job_postponed", job: id, reason });
  }

  /** Somebody's unfinished write, or no job at all. */
  async #refuse(id: string, reason: string, text: string): Promise<void> {
    const { press, workspace, clock, log } = this.parts;
    const stat = await press.disk.stat(at(workspace, `${FILES.pending}/${id}.json`));
    if (stat !== undefined && clock.now() - stat.mtimeMs < UNFINISHED_MS) {
      this.#unfinished = true;
      return;
    }
    const content = `${JSON.stringify({ error: reason, payload: text })}\n`;
    await failJob(press, workspace, "pending", id, content);
    log.write({ level: "warn", event: "job_failed", job: id, reason });
  }

  /** A scope's at once: a hundred memos are one write. */
  async #foldMemos(): Promise<void> {
    const { press, workspace, log } = this.parts;
    const fresh = [...this.#waiting.values()].filter(
      ({ id, job }) => job.memo !== undefined && !this.#memoed.has(id),
    );
    const scopes = new Set(fresh.map(({ job }) => job.scope as ScopeId));
    for (const scope of scopes) {
      const ofScope = fresh.filter(({ job }) => job.scope === scope);
      if (await foldMemosInto(press, workspace, scope, ofScope.flatMap(memoOf)))
        for (const { id } of ofScope) this.#memoed.add(id);
      else
        log.write({
          level: "warn",
          event: "file_unreadable",
          file: memosPath(scope),
          reason: "it is not text",
        });
    }
    for (const { id, job } of [...this.#waiting.values()]) {
      if (job.observations.length > 0 || !this.#memoed.has(id)) continue;
      await removeJob(press, workspace, "pending", id);
      this.#waiting.delete(id);
      this.#memoed.delete(id);
    }
    if (scopes.size > 0) this.ended();
  }

  #begin(next: Waiting, said: readonly FiledMessage[]): void {
    const lane = laneOf(next.job);
    const done = this.#work(next, said)
      .catch((error: unknown) => this.#fault(next.id, error))
      .then((fault) => {
        this.#running.delete(lane);
        if (!this.#stopping) this.ended(fault);
      });
    this.#running.set(lane, done);
  }

  async #work({ id, job }: Waiting, said: readonly FiledMessage[]): Promise<void> {
    const { settings, zone } = this.parts;
    const address = { user: job.user ?? "", scope: job.scope as ScopeId, session: job.session };
    const mine = said.filter((filed) => inConversation(address, filed));
    const madeAt = parseInstant(job.createdAt) ?? this.parts.clock.now();
    const around = aroundOf(mine, { user: job.user, at: madeAt }, settings.historian, zone);
    const answer = await absolutise<Refused>(
      job.observations,
      (texts) => this.#rewritten(id, job, madeAt, around, texts),
      {
        gate: settings.historian.gate,
        retries: settings.historian.rewrite_retries,
        force: job.force === true,
        known: [
          around.source,
          ...around.recent.map(({ name, text }) => `${name} ${text}`),
          around.speaker ?? "",
        ],
      },
    );
    if (this.#stopping) return;
    await this.publishing(async () => {
      if (this.#stopping) return;
      if (answer.to === "done") return this.#keep(id, job, madeAt, around, answer.stated);
      if (answer.to === "unavailable") return this.#postpone(id, job, answer);
      return this.#failed(id, job, madeAt, around, answer.reason);
    });
  }

  async #rewritten(
    id: string,
    job: QueueJob,
    madeAt: EpochMs,
    around: Around,
    texts: readonly ToRewrite[],
  ): Promise<{ to: "done"; texts: readonly string[] } | Refused> {
    const { pool, zone, onUsage } = this.parts;
    const speaker = around.speaker === LOCAL_USER ? THE_USER : around.speaker;
    const work: AbsolutiseJob = {
      kind: "absolutise",
      id: sha256(JSON.stringify([id, texts])).slice(0, 24) as JobId,
      ...(job.user !== undefined && !isGroup(job.scope) ? { user: job.user } : {}),
      ...(speaker === undefined ? {} : { speaker }),
      day: zone.dayOf(madeAt),
      clock: zone.clockOf(madeAt).slice(0, 5),
      texts: texts.map((text) => ({ ...text })),
      source: around.source,
      recent: around.recent,
    };
    const outcome = await pool.run(work);
    onUsage(outcome.usage);
    if (outcome.to === "done") return { to: "done", texts: outcome.result.texts };
    const { reason } = outcome;
    if (outcome.to === "failed") return { to: "failed", reason };
    return {
      to: "unavailable",
      reason,
      ...(outcome.retryAfterMs !== undefined && { retryAfterMs: outcome.retryAfterMs }),
    };
  }

  async #keep(
    id: string,
    job: QueueJob,
    madeAt: EpochMs,
    around: Around,
    stated: readonly Stated[],
  ): Promise<void> {
    const { press, workspace, log } = this.parts;
    const records = await this.#record(id, job, madeAt, around, stated);
    for (const { problem, isAbsolute } of stated)
      if (problem !== undefined)
        log.write({ level: "warn", event: "gate_failed", job: id, kept: isAbsolute, reason: problem });
    await finishJob(press, workspace, id);
    this.#memoed.delete(id);
    log.write({ level: "info", event: "job_done", job: id, records });
  }

  async #record(
    id: string,
    job: QueueJob,
    madeAt: EpochMs,
    around: Around,
    stated: readonly Stated[],
  ): Promise<number> {
    const { zone, clock } = this.parts;
    const observed: Observed = {
      job: id,
      at: madeAt,
      user: job.user,
      scope: job.scope as ScopeId,
      session: job.session,
      sources: around.sources,
      trust: around.trust,
    };
    const shelf = this.#shelfOf(observed.scope);
    await shelf.load();
    const now = clock.now();
    const lines = settled(eventsOf(stated, observed, zone, now), shelf.known, zone);
    return shelf.add(lines, monthOf(zone.dayOf(now)));
  }

  async #postpone(
    id: string,
    job: QueueJob,
    { reason, retryAfterMs }: { reason: string; retryAfterMs?: number },
  ): Promise<void> {
    const { press, workspace, clock, log } = this.parts;
    this.#restUntilMs = clock.monotonicMs() + Math.max(REST_MS, retryAfterMs ?? 0);
    await requeueJob(press, workspace, id, { ...job, error: reason });
    log.write({ level: "warn", event: "job_postponed", job: id, reason });
  }

  async #failed(id: string, job: QueueJob, madeAt: EpochMs, around: Around, reason: string): Promise<void> {
    const { press, workspace, clock, log } = this.parts;
    const attempts = (job.attempts ?? 0) + 1;
    const retry = afterFailure(attempts);
    log.write({ level: "warn", event: "job_failed", job: id, reason, attempts });
    if (retry.then === "failed") {
      const notBefore = isoOf(later(clock.now(), retry.waitSeconds * SECOND_MS));
      return requeueJob(press, workspace, id, { ...job, attempts, notBefore, error: reason });
    }
    // What was observed is never gone: it stands as it was said, and says so.
    const asSaid = job.observations.map((text): Stated => ({ text, isAbsolute: false }));
    await this.#record(id, job, madeAt, around, asSaid);
    const { notBefore: _notBefore, ...rest } = job;
    await failJob(
      press,
      workspace,
      "processing",
      id,
      `${JSON.stringify({ ...rest, attempts, error: reason })}\n`,
    );
  }

  /** A disk that refuses is everybody's trouble, and the job waits where the next start finds it; anything else is a bug that is told. */
  async #fault(id: string, error: unknown): Promise<unknown> {
    if (this.#stopping) return undefined;
    const { press, workspace, log } = this.parts;
    if (!isMemdError(error))
      log.write({ level: "error", event: "job_failed", job: id, reason: messageOf(error) });
    await this.publishing(() => returnJobs(press, workspace, [id])).catch(() => undefined);
    this.#restUntilMs = this.parts.clock.monotonicMs() + REST_MS;
    return isMemdError(error) ? error : new MemdError("internal", messageOf(error), { cause: error });
  }

  #shelfOf(scope: ScopeId): RecordShelf {
    const { press, workspace } = this.parts;
    const shelf = this.#shelves.get(scope) ?? new RecordShelf(press, workspace, scope);
    this.#shelves.set(scope, shelf);
    return shelf;
  }
}

/** Where there is one user, and nobody has said their name. */
const THE_USER = "the user";

function memoOf({ id, job }: Waiting): Memo[] {
  const madeAt = parseInstant(job.createdAt);
  if (job.memo === undefined || madeAt === undefined) return [];
  const user = job.user === undefined ? {} : { user: job.user };
  return [{ id, at: madeAt, ...user, scope: job.scope as ScopeId, session: job.session, text: job.memo }];
}

/** Each once, whatever is repeated. False where the file is not text: it is left alone, and the memos wait. */
async function foldMemosInto(
  press: Press,
  workspace: Workspace,
  scope: ScopeId,
  memos: readonly Memo[],
): Promise<boolean> {
  const file = memosPath(scope);
  const path = at(workspace, file);
  for (;;) {
    const base = await readText(press.disk, path).catch(notText);
    if (base === null) return false;
    let text: string | undefined = base;
    try {
      for (const memo of memos) text = withMemo(text, memo, KEPT_MEMOS) ?? text;
    } catch (error) {
      if (!(error instanceof SyntaxError) || base === undefined) throw error;
      // Somebody's edit that nobody can read: it stays, beside.
      await setAside(press, workspace, file, base, "unreadable");
      text = memos.reduce<string | undefined>(
        (told, memo) => withMemo(told, memo, KEPT_MEMOS) ?? told,
        undefined,
      );
    }
    if (text === undefined || text === base) return true;
    if (await publishOver(press, path, text, base)) return true;
  }
}

function notText(error: unknown): null {
  if (!(error instanceof SyntaxError)) throw error;
  return null;
}
