/**
 * The jobs that wait, as the files of `queue/pending/` say: read once each, set
 * aside where they are none, and their memos folded at once into the `memos.json` of
 * their scope, each once, beside whatever a person wrote there.
 */
import type { ScopeId } from "../model/address.js";
import { defined } from "../model/collections.js";
import type { Memo } from "../model/record.js";
import { DAY_MS, epochMs, type EpochMs, parseInstant, SECOND_MS } from "../model/time.js";
import type { Clock } from "../platform/clock.js";
import type { Log } from "../platform/log.js";
import { setAside } from "../protocol/conflicts.js";
import { withMemo } from "../protocol/memos.js";
import { type FileWriter, rewriteText } from "../protocol/publish.js";
import { failJob, jobIds, readJob, removeJob } from "../protocol/queue-folders.js";
import { printedTime } from "../protocol/queue.js";
import type { QueueJob } from "../protocol/queue-job.js";
import { at, FILES, memosPath, type Workspace } from "../protocol/workspace.js";

/** What another program may still be writing. */
export const UNFINISHED_MS = 2 * SECOND_MS;

export class JobQueue {
  readonly #waiting = new Map<string, Waiting>();
  readonly #memoed = new Set<string>();
  /** Of a newer memd, and logged. */
  readonly #newer = new Set<string>();
  #readAt: number | undefined;
  #unfinished = false;

  constructor(readonly parts: { writer: FileWriter; workspace: Workspace; clock: Clock; log: Log }) {}

  get waiting(): Waiting[] {
    return [...this.#waiting.values()];
  }

  /** Whether something stands there that may become a job in a moment. */
  get hasUnfinished(): boolean {
    return this.#unfinished;
  }

  /** Whether the folder has changed since it was read. */
  async hasNews(): Promise<boolean> {
    return (await this.#folderStamp()) !== this.#readAt;
  }

  /** It is being worked, or gone. */
  take(id: string): void {
    this.#waiting.delete(id);
  }

  /** It waits again, in front of what came after it. */
  giveBack(job: Waiting): void {
    this.#waiting.set(job.id, job);
  }

  /** All of it is done. */
  forget(id: string): void {
    this.#memoed.delete(id);
  }

  /** What is new in the folder, and what is gone from it. */
  async read(): Promise<void> {
    const { writer, workspace } = this.parts;
    this.#readAt = await this.#folderStamp();
    const present = new Set(await jobIds(writer, workspace, "pending"));
    for (const id of this.#waiting.keys()) if (!present.has(id)) this.#waiting.delete(id);
    this.#unfinished = false;
    for (const id of present) {
      if (this.#waiting.has(id)) continue;
      const file = await readJob(writer, workspace, "pending", id);
      if (file === undefined) continue;
      if (file.read.is === "job") this.#waiting.set(id, { id, job: file.read.job });
      else if (file.read.is === "newer") this.#logNewer(id, file.read.reason);
      else await this.#refuse(id, file.read.reason, file.text);
    }
  }

  /** A scope's at once: a hundred memos are one write. True where some were. */
  async foldMemos(): Promise<boolean> {
    const { writer, workspace, log } = this.parts;
    const fresh = this.waiting.filter(({ id, job }) => memoIn(job) !== undefined && !this.#memoed.has(id));
    const scopes = new Set(fresh.map(({ job }) => job.scope as ScopeId));
    for (const scope of scopes) {
      const ofScope = fresh.filter(({ job }) => job.scope === scope);
      if (await foldMemosInto(writer, workspace, scope, ofScope.flatMap(memoOf)))
        for (const { id } of ofScope) this.#memoed.add(id);
      else {
        const file = memosPath(scope);
        log.write({ level: "warn", event: "file_unreadable", file, reason: "it is not text" });
      }
    }
    for (const { id, job } of this.waiting) {
      if (job.kind !== "end" || job.observations.length > 0 || job.close === true) continue;
      if (!this.#memoed.has(id)) continue;
      await removeJob(writer, workspace, "pending", id);
      this.#waiting.delete(id);
      this.#memoed.delete(id);
    }
    return scopes.size > 0;
  }

  async #folderStamp(): Promise<number | undefined> {
    const { writer, workspace } = this.parts;
    return (await writer.disk.stat(at(workspace, FILES.pending)))?.mtimeMs;
  }

  /** Once: it waits for a memd that knows what to do with it. */
  #logNewer(id: string, reason: string): void {
    if (this.#newer.has(id)) return;
    this.#newer.add(id);
    this.parts.log.write({ level: "warn", event: "job_postponed", job: id, reason });
  }

  /** Somebody's unfinished write, or no job at all. */
  async #refuse(id: string, reason: string, text: string): Promise<void> {
    const { writer, workspace, clock, log } = this.parts;
    const stat = await writer.disk.stat(at(workspace, `${FILES.pending}/${id}.json`));
    if (stat !== undefined && clock.now() - stat.mtimeMs < UNFINISHED_MS) {
      this.#unfinished = true;
      return;
    }
    const content = `${JSON.stringify({ error: reason, payload: text })}\n`;
    await failJob(writer, workspace, "pending", id, content);
    log.write({ level: "warn", event: "job_failed", job: id, reason });
  }
}

function memoOf({ id, job }: Waiting): Memo[] {
  const madeAt = parseInstant(job.createdAt);
  const text = memoIn(job);
  if (text === undefined || madeAt === undefined) return [];
  const { user, session } = job;
  return [defined({ id, at: madeAt, user, scope: job.scope as ScopeId, session, text })];
}

function memoIn(job: QueueJob): string | undefined {
  return job.kind === "end" ? job.memo : undefined;
}

export interface Waiting {
  /** The file's name without `.json`; names are in the order in which jobs were made. */
  id: string;
  job: QueueJob;
}

/** What tells jobs that look at exchanges from others by name. */
export const JOB_NAMES = { said: "rounds-", import: "past-" } as const;
const OF_PAST = /-past-[0-9a-f]{8}$/;

/** Whether it looks at what was imported. */
export function isOfPast(id: string): boolean {
  return OF_PAST.test(id);
}

/** What was said since then is of today, and comes first. */
export const TODAY_MS = DAY_MS;

/** Asked over and over of thousands. */
const lanes = new WeakMap<object, string>();

/** Of whose conversation a job is. */
export function laneOf(job: Pick<QueueJob, "scope" | "session" | "user">): string {
  const lane = lanes.get(job) ?? JSON.stringify([job.scope, job.session, job.user ?? null]);
  lanes.set(job, lane);
  return lane;
}

/**
 * Which jobs may be worked now: of each conversation the oldest, in order, and none that waits,
 * which holds up its own conversation and no other. Those of today come first, and what was imported
 * last. `busy` are lanes of which one is being worked.
 */
export function workable(jobs: readonly Waiting[], busy: ReadonlySet<string>, now: EpochMs): Waiting[] {
  const seen = new Set<string>();
  const today = printedTime(epochMs(now - TODAY_MS));
  const rankOf = ({ id }: Waiting): number => (id >= today ? 0 : isOfPast(id) ? 2 : 1);
  return [...jobs]
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .filter(({ job }) => {
      const lane = laneOf(job);
      const isFirst = !seen.has(lane);
      seen.add(lane);
      return isFirst && !busy.has(lane) && (dueAt(job) ?? 0) <= now;
    })
    .sort((one, other) => rankOf(one) - rankOf(other));
}

/** When the first of those that wait may be tried; undefined where none waits. */
export function nextDueAt(jobs: readonly Waiting[], now: EpochMs): EpochMs | undefined {
  const times = jobs.flatMap(({ job }) => dueAt(job) ?? []).filter((at) => at > now);
  return times.length === 0 ? undefined : times.reduce((one, other) => (one < other ? one : other));
}

function dueAt({ notBefore }: QueueJob): EpochMs | undefined {
  return notBefore === undefined ? undefined : parseInstant(notBefore);
}

/** Of a scope; many more than any prompt shows. */
const KEPT_MEMOS = 300;

/** False where the file is not text: it is left alone, and the memos wait. */
async function foldMemosInto(
  writer: FileWriter,
  workspace: Workspace,
  scope: ScopeId,
  memos: readonly Memo[],
): Promise<boolean> {
  const file = memosPath(scope);
  let isText = true;
  await rewriteText(writer, at(workspace, file), async (base, bytes) => {
    isText = bytes === undefined || base !== undefined;
    if (!isText) return undefined;
    try {
      return withMemos(base, memos);
    } catch (error) {
      if (!(error instanceof SyntaxError) || base === undefined) throw error;
      // Somebody's edit that nobody can read: it stays, beside.
      await setAside(writer, workspace, file, base, "unreadable");
      return withMemos(undefined, memos);
    }
  });
  return isText;
}

function withMemos(base: string | undefined, memos: readonly Memo[]): string | undefined {
  return memos.reduce((text, memo) => withMemo(text, memo, KEPT_MEMOS) ?? text, base);
}
