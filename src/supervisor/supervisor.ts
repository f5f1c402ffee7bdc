/**
 * The supervisor of one workspace: sees what changed, decides what is due, and
 * has the stages do it, one round at a time.
 *
 * A round takes in what others wrote, refreshes the prompt, and starts what is
 * due; summaries are made beside it. A round that fails for want of disk is
 * tried again soon, and nothing is acknowledged meanwhile. Killed at any point,
 * the next start goes on from the files.
 */
import type { Archive } from "../archive/archive.js";
import type { Address } from "../model/address.js";
import { EXIT, isMemdError, MemdError } from "../model/errors.js";
import type { IncomingMessage } from "../model/message.js";
import { MINUTE_MS, SECOND_MS, type EpochMs } from "../model/time.js";
import type { Pool } from "../llm/pool.js";
import { jobPrompts } from "../llm/jobs/registry.js";
import type { Watching } from "../platform/watch.js";
import { breakDeadLock } from "../protocol/held-locks.js";
import { at, FILES } from "../protocol/workspace.js";
import type { Period } from "../model/period.js";
import type { SupervisorParts } from "./parts.js";
import type { PassReport } from "../archive/pass.js";
import { Passes } from "../archive/passes.js";
import type { PromptWriter } from "../prompt/writer.js";
import type { RecallService } from "../recall/service.js";
import { Compactor } from "../context/compactor.js";
import { DocumentsWorker } from "../documents/worker.js";
import { Forgetting, type ForgetReport, type ForgetRequest } from "../forget/forgetting.js";
import { HistorianWorker } from "../historian/worker.js";
import { composeStages } from "./stages.js";
import { Summaries } from "../archive/summaries.js";
import { activateTopics, type Activated } from "../topics/activate.js";
import { TopicsWorker } from "../topics/worker.js";
import { Timers } from "./timers.js";
import { Troubles, troubleOf } from "./troubles.js";
import { Upkeep } from "./upkeep.js";
import type { UsageLog } from "../llm/usage-log.js";
import { Waiters } from "../platform/waiters.js";

const RESCAN_MS = MINUTE_MS;
const OWNER_CHECK_MS = SECOND_MS;
/** The folder may hold thousands of files: only whether it has changed is looked at, not each of them. */
const QUEUE_LOOK_MS = SECOND_MS;
const LATE_SAVE_MS = SECOND_MS;
/** After a fault, so that room on the disk is noticed soon and a broken disk is not hammered. */
const RETRY_MS = 2 * SECOND_MS;
/** Between two prompts that are made for nobody, so that somebody's comes between. */
const REHEARSAL_PAUSE_MS = 20;
/** So long rounds may be cut short for what has come, one after another; then one is finished. */
const LONGEST_CUT_SHORT_MS = SECOND_MS;
/** What a host, a person or a tool writes at the top of a workspace. */
const HOT_FILES: readonly string[] = [
  FILES.inbox,
  FILES.history,
  FILES.memory,
  FILES.soul,
  FILES.awareness,
  FILES.settings,
];

export class Supervisor {
  readonly archive: Archive;
  readonly pool: Pool;
  readonly search: RecallService;
  readonly prompt: PromptWriter;
  readonly usage: UsageLog;
  /** Settles when the supervisor ends by itself: ownership was lost. */
  readonly ended: Promise<MemdError>;
  readonly #troubles: Troubles;
  readonly #recallPool: Pool;
  readonly #idlers = new Waiters<void>();
  readonly #summaries: Summaries;
  readonly #passes: Passes;
  readonly #compactor: Compactor;
  readonly historian: HistorianWorker;
  readonly documents: DocumentsWorker;
  readonly topics: TopicsWorker;
  readonly #forgetting: Forgetting;
  readonly #upkeep: Upkeep;
  /** Rounds and other writers, one after another. */
  #turn: Promise<unknown> = Promise.resolve();
  #works = true;
  #rounds = false;
  #woken = false;
  /** When a round was last seen through to its end. */
  #wholeAtMs = 0;
  #rescan = true;
  #stopping = false;
  #toldRestart = false;
  #watching: Watching | undefined;
  readonly #timers: Timers;
  readonly #startedAt: EpochMs;
  #end: (error: MemdError) => void = () => undefined;

  constructor(readonly parts: SupervisorParts) {
    const stages = composeStages(parts);
    this.archive = stages.archive;
    this.search = stages.search;
    this.prompt = stages.prompt;
    this.usage = stages.usage;
    this.pool = stages.pool;
    this.#recallPool = stages.recallPool;
    this.#troubles = new Troubles(parts.log);
    this.#summaries = new Summaries(stages, parts.log);
    this.#upkeep = new Upkeep(
      { ...stages, clock: parts.clock },
      {
        exclusive: (work) => this.exclusive(work),
        hasNews: () => this.#hasNews(),
        wakeAfter: (ms) => this.#timers.once("prompt", ms, () => this.wake()),
        fault: (error) => this.#fault(error),
      },
    );
    const exclusive = <T>(work: () => Promise<T>): Promise<T> => this.exclusive(work);
    const ended = (fault?: unknown): void => {
      if (fault !== undefined) this.#fault(fault);
      this.changed();
    };
    this.#compactor = new Compactor(stages.modelWork, exclusive, ended);
    this.historian = new HistorianWorker(stages.modelWork, exclusive, ended);
    const { recallPool, asksModels } = stages;
    this.topics = new TopicsWorker({ ...stages.modelWork, recallPool, asksModels }, exclusive, ended);
    this.prompt.topics = this.topics;
    this.documents = new DocumentsWorker(stages.modelWork, exclusive, (changed, fault) => {
      if (fault !== undefined) this.#fault(fault);
      if (changed) this.changed();
      // Somebody may wait for rest; a disk that refuses is asked again in its own time.
      else if (this.trouble === undefined) this.wake();
    });
    this.#forgetting = new Forgetting(this.archive, {
      cleared: async (target, isGone) => {
        this.#summaries.forget();
        await this.historian.forgot(isGone);
        this.topics.forget();
        await this.#upkeep.forget(target);
      },
    });
    this.#passes = new Passes(parts, this.archive, this.#summaries, {
      stale: () => this.#upkeep.stale(),
      rescan: () => (this.#rescan = true),
      wake: () => this.wake(),
      summaryFault: (error) => this.#summaryFault(error),
    });
    this.search.onLost = () => {
      this.#upkeep.stale();
      this.wake();
    };
    this.#timers = new Timers(parts.clock);
    this.#startedAt = parts.clock.now();
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Reads everything, brings history.json in line with the outputs, and starts to work. `watch: false` for one-off commands, `work: false` for those that only read. */
  async start(options: { watch: boolean; work: boolean }): Promise<void> {
    this.#works = options.work;
    const { disk, promptFolders, workspace } = this.parts;
    await jobPrompts(disk, promptFolders);
    // Of two that started at one moment only the one that is noted may break a lock.
    await this.parts.guard();
    await breakDeadLock(disk, workspace);
    await this.#passes.load();
    await this.usage.load();
    await disk.makeDir(at(workspace, FILES.drops));
    await disk.makeDir(at(workspace, FILES.pending));
    // What is dropped or asked for meanwhile waits: a round beside the start would take in everything once more.
    await this.exclusive(async () => {
      if (options.watch) await this.#watch();
      await this.archive.start();
      await this.#forgetting.resume();
      if (options.work) await this.historian.recover();
      await this.#upkeep.refresh();
    }).catch((error: unknown) => {
      this.#stopping = true;
      throw error;
    });
    this.#timers.repeat(
      "owner",
      OWNER_CHECK_MS,
      () => void this.parts.guard().catch((error: unknown) => this.#fault(error)),
    );
    if (options.watch) {
      this.#timers.repeat("jobs", QUEUE_LOOK_MS, () => void this.#lookForJobs());
      this.#timers.once("warm", SECOND_MS, () => void this.#warm());
    }
    this.#timers.repeat("rescan", RESCAN_MS, () => {
      this.#rescan = true;
      this.wake();
    });
    this.wake();
  }

  /** Something may have changed: look soon. */
  wake(): void {
    this.#woken = true;
    if (this.#rounds || this.#stopping) return;
    this.#rounds = true;
    void this.exclusive(() => this.#roundsWhileWoken());
  }

  /** Runs when no round does, so that two writers never meet. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  /** A pass now, whatever the retries say; its report once every summary that was owed has been tried. */
  archiveNow(): Promise<PassReport> {
    const report = this.#passes.ask();
    this.#rescan = true;
    this.wake();
    return report;
  }

  /** Resolves when nothing is left to do; rejects with the trouble that keeps it from getting on. */
  idle(): Promise<void> {
    const rested = this.#upkeep.hurry(this.#idlers.wait());
    this.wake();
    return rested;
  }

  /** Files were changed in this process: what is made of them is behind. */
  changed(): void {
    this.#upkeep.stale();
    this.wake();
  }

  /** What goes from every file, or with `dryRun` would go. Throws `forget_unknown`. */
  async forget(request: ForgetRequest, dryRun: boolean): Promise<ForgetReport> {
    const report = await this.exclusive(() => this.#forgetting.forget(request, dryRun)).catch(
      (error: unknown) => {
        // Begun, and cut off by the disk: the rounds go on with it.
        if (!isMemdError(error) || error.exit !== EXIT.usage) this.#fault(error);
        throw error;
      },
    );
    this.changed();
    return report;
  }

  /** Looks for what may have been forgotten in all topics; the prompt shows what is found. Throws `empty_query`. */
  async activateTopics(viewer: Address, query: string, period: Period): Promise<Activated> {
    const found = await activateTopics(this.topics, viewer, query, period, this.#upkeep.lists());
    this.changed();
    return found;
  }

  /** How many were new. */
  async importMessages(messages: readonly IncomingMessage[]): Promise<number> {
    const fresh = await this.exclusive(() => this.archive.importMessages(messages));
    this.changed();
    return fresh;
  }

  /** Up to date with all that is known to have changed: for those who ask often and must not wait for a look at every file. */
  async caughtUp(): Promise<void> {
    if (this.#watching === undefined) return this.settled();
    if (this.#woken || this.#rounds || this.#upkeep.isOld) await this.exclusive(() => Promise.resolve());
  }

  /** Up to date with every write so far, also those of the last moments. */
  async settled(): Promise<void> {
    this.#upkeep.stale();
    this.wake();
    await this.#upkeep.hurry(this.exclusive(() => Promise.resolve()));
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#timers.close();
    await this.#watching?.close();
    const historianStops = this.historian.stop();
    const documentsStop = this.documents.stop();
    const topicsStop = this.topics.stop();
    await this.#summaries.stop();
    await historianStops;
    await documentsStop;
    await this.#compactor.stop();
    await topicsStop;
    await this.#turn;
    const stopped = new MemdError("not_running", "memd was stopped.");
    this.#passes.drop(stopped);
    this.#idlers.refuse(stopped);
    await this.#recallPool.close();
    await this.search.close();
  }

  get isStopping(): boolean {
    return this.#stopping;
  }

  /** What keeps it from getting on. */
  get trouble(): MemdError | undefined {
    return this.#troubles.current;
  }

  /** What only the supervisor knows of its status. */
  get progress(): { startedAt: EpochMs; running: number; lastPassAt: EpochMs | undefined } {
    return {
      startedAt: this.#startedAt,
      running: this.#summaries.running,
      lastPassAt: this.#passes.lastPassAt,
    };
  }

  async #roundsWhileWoken(): Promise<void> {
    try {
      while (this.#woken && !this.#stopping) {
        this.#woken = false;
        await this.#round();
        this.#recovered();
      }
    } catch (error) {
      this.#fault(error);
    } finally {
      this.#rounds = false;
    }
    if (this.#woken) this.wake();
    else this.#rest();
  }

  async #round(): Promise<void> {
    const { archive } = this;
    await this.parts.guard();
    await this.#forgetting.goOn();
    const before = [archive.history, archive.inbox, archive.context.ledger.unsettled().length];
    const rescans = this.#rescan;
    if (rescans) {
      this.#rescan = false;
      await archive.rescan();
      this.#upkeep.stale();
    }
    // The prompt for what waits is made while the disk takes it.
    const ahead = await archive.peek();
    const looking = archive.look();
    const settled = await Promise.allSettled([looking, ahead && this.#upkeep.ahead(ahead, looking)]);
    for (const each of settled) if (each.status === "rejected") throw each.reason;
    if (
      before[0] !== archive.history ||
      before[1] !== archive.inbox ||
      before[2] !== archive.context.ledger.unsettled().length
    )
      this.#upkeep.stale();
    await this.#upkeep.refresh();
    // What has come meanwhile is looked at first: somebody may wait for it.
    if (!rescans && this.#hasNews()) return;
    await this.topics.take(archive);
    if (this.#works || this.#passes.isAsked) await this.#passes.work(this.trouble === undefined);
    if (this.#works) {
      await this.#compactor.consider(this.#upkeep.lists());
      await this.historian.consider(this.#upkeep.lists());
      await this.topics.consider(archive);
      if (rescans) this.documents.consider();
    }
    await archive.mirror();
    await this.#passes.saveState();
    await this.usage.add([]);
    this.#wholeAtMs = this.parts.clock.monotonicMs();
    await this.#upkeep.refresh();
  }

  #hasNews(): boolean {
    return this.#woken && this.parts.clock.monotonicMs() - this.#wholeAtMs < LONGEST_CUT_SHORT_MS;
  }

  #summaryFault(error: unknown): void {
    this.#troubles.owesSummary = error !== undefined;
    if (error === undefined) return;
    this.#fault(error);
    this.#timers.once("retry", RETRY_MS, () => this.wake());
  }

  /** Whoever comes first need not wait for what is slow once. What fails here fails there, and is told then. */
  async #warm(): Promise<void> {
    await this.search.warm();
    const mayGoOn = async (): Promise<boolean> => {
      await this.parts.clock.sleep(REHEARSAL_PAUSE_MS);
      await this.exclusive(() => Promise.resolve());
      return !this.#stopping;
    };
    await this.prompt.rehearse(this.#upkeep.lists(), mayGoOn).catch(() => undefined);
  }

  /** Nothing to do until something changes: tell who waits for that, and set the next look. */
  #rest(): void {
    if (this.#stopping) return;
    if (this.trouble !== undefined) return this.#timers.once("retry", RETRY_MS, () => this.wake());
    if (this.archive.watchesReplaced) this.#timers.once("late saves", LATE_SAVE_MS, () => this.wake());
    const retry = this.archive.nextRetry();
    if (retry !== undefined) {
      const waitMs = Math.min(Math.max(retry.nextAt - this.parts.clock.now(), SECOND_MS), RESCAN_MS);
      this.#timers.once("retry", waitMs, () => this.wake());
    }
    const lookMs = this.historian.nextLookMs();
    if (lookMs !== undefined && this.#works)
      this.#timers.once("queue", Math.min(lookMs, RESCAN_MS), () => this.wake());
    const running =
      this.#summaries.running + this.#compactor.running + this.historian.running + this.topics.running;
    const rests = !this.#upkeep.isWaiting && running + this.documents.running === 0;
    if (rests && !this.#passes.isUnderWay) this.#idlers.tell();
  }

  #fault(error: unknown): void {
    if (this.#stopping) return;
    const trouble = troubleOf(error);
    if (trouble.code === "ownership_lost") {
      this.#stopping = true;
      this.#end(trouble);
      return;
    }
    this.#troubles.begin(trouble);
    this.#upkeep.stale();
    this.#rescan = true;
    this.#passes.drop(trouble);
    this.#idlers.refuse(trouble);
  }

  #recovered(): void {
    const { owesSummary } = this.#troubles;
    if (owesSummary && (this.#summaries.running > 0 || this.archive.due(false).length > 0)) return;
    this.#troubles.end();
  }

  async #lookForJobs(): Promise<void> {
    // A folder that cannot be looked at is told by the round that needs it.
    if (await this.historian.hasNews().catch(() => false)) this.wake();
  }

  async #watch(): Promise<void> {
    const { watch, workspace } = this.parts;
    const drops = at(workspace, FILES.drops);
    const hot = new Set(HOT_FILES.map((file) => at(workspace, file)));
    const wanted = (path: string): boolean => hot.has(path) || path.startsWith(drops);
    this.#watching = await watch.watch([workspace.root, drops], wanted, (path) => {
      if (path === at(workspace, FILES.settings)) this.#tellRestart();
      this.#upkeep.stale();
      this.wake();
    });
  }

  /** Once: a save may be told several times, and one word is enough. */
  #tellRestart(): void {
    if (this.#toldRestart) return;
    this.#toldRestart = true;
    this.parts.log.write({ level: "warn", event: "restart_needed", file: FILES.settings });
  }
}
