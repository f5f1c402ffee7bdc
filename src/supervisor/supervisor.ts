/**
 * The loop of one workspace: sees what changed, decides what is due, and has the
 * stages do it, one tick at a time.
 *
 * A tick takes in what others wrote, refreshes the prompt, and polls the work in
 * the background, which goes on beside the ticks. A tick that fails for want of
 * disk is tried again soon, and nothing is acknowledged meanwhile. Killed at any
 * point, the next start goes on from the files.
 */
import { MemdError, troubleOf } from "../model/errors.js";
import { MINUTE_MS, SECOND_MS, type EpochMs } from "../model/time.js";
import { listsOf, type Loop, Mutex, tickOf, Waiters } from "../platform/background.js";
import type { Watching } from "../platform/watch.js";
import { Timers } from "../platform/clock.js";
import { watchHotFiles } from "./hot-files.js";
import type { LoopParts, Stages } from "./ports.js";
import { Troubles, Upkeep } from "./upkeep.js";

const RESCAN_MS = MINUTE_MS;
/** A folder may hold thousands of files: only whether it has changed is looked at, not each of them. */
const NEWS_MS = SECOND_MS;
/** After a fault, so that room on the disk is noticed soon and a broken disk is not hammered. */
const RETRY_MS = 2 * SECOND_MS;
/** Between two prompts that are made for nobody, so that somebody's comes between. */
const REHEARSAL_PAUSE_MS = 20;
/** So long ticks may be cut short for what has come, one after another; then one is finished. */
const LONGEST_CUT_SHORT_MS = SECOND_MS;

export class Supervisor<S extends Stages = Stages> implements Loop {
  readonly stages: S;
  /** Settles when the supervisor ends by itself: ownership was lost, or the workspace is gone from its place. */
  readonly ended: Promise<MemdError>;
  readonly startedAt: EpochMs;
  readonly #loop: LoopParts;
  readonly upkeep: Upkeep;
  readonly #troubles: Troubles;
  readonly #timers: Timers;
  readonly #idlers = new Waiters<void>();
  /** Ticks and other writers, one after another. */
  readonly #mutex = new Mutex();
  #works = true;
  #isTicking = false;
  #woken = false;
  /** When a tick was last seen through to its end. */
  #wholeAtMs = 0;
  #rescans = true;
  #stopping = false;
  #watching: Watching | undefined;
  #end: (error: MemdError) => void = () => undefined;

  /** `compose` puts the stages together, which write and wake through the loop. */
  constructor(parts: LoopParts, compose: (loop: Loop) => S) {
    const { clock, log } = parts;
    this.#loop = parts;
    this.#timers = new Timers(clock);
    this.#troubles = new Troubles(log, () => this.stages.probe());
    this.stages = compose(this);
    this.upkeep = new Upkeep(this.stages, clock, {
      exclusive: (work) => this.exclusive(work),
      hasNews: () => this.#hasNews(),
      isWorking: () => this.stages.background.some(({ running }) => running > 0),
      isWanted: () => this.#stopping || this.#woken || this.#mutex.isWanted,
      // In trouble all is tried again together, in its time.
      wakeAfter: (ms) =>
        this.#timers.once("upkeep", ms, () => {
          if (this.trouble === undefined) this.wake();
        }),
      rest: () => this.#timers.cancel("upkeep"),
      fault: (error) => this.fault(error),
    });
    this.startedAt = clock.now();
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Reads everything, brings history.json in line with the outputs, and starts to work. `watch: false` for one-off commands, `work: false` for those that only read. */
  async start(options: { watch: boolean; work: boolean }): Promise<void> {
    this.#works = options.work;
    // What is dropped or asked for meanwhile waits: a tick beside the start would take in everything once more.
    await this.exclusive(async () => {
      if (options.watch) this.#watching = await watchHotFiles(this.#loop, () => this.changed());
      await this.stages.intake.start();
      await this.stages.recover(options.work);
      await this.upkeep.refresh();
    }).catch((error: unknown) => {
      this.#stopping = true;
      throw error;
    });
    const checkOwner = (): void => void this.#loop.guard().catch((error: unknown) => this.fault(error));
    this.#timers.repeat("owner", SECOND_MS, checkOwner);
    if (options.watch) {
      this.#timers.repeat("news", NEWS_MS, () => void this.#lookForNews());
      this.#timers.once("warm", SECOND_MS, () => void this.#warm());
    }
    this.#timers.repeat("rescan", RESCAN_MS, () => this.rescan());
    this.wake();
  }

  /** Something may have changed: look soon. */
  wake(): void {
    this.#woken = true;
    if (this.#isTicking || this.#stopping) return;
    this.#isTicking = true;
    void this.exclusive(() => this.#tickWhileWoken());
  }

  /** Looks at the whole memory tree soon. */
  rescan(): void {
    this.#rescans = true;
    this.wake();
  }

  exclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.#mutex.run(work);
  }

  /** Files were changed in this process: what is made of them is behind. */
  changed(): void {
    this.upkeep.stale();
    this.wake();
  }

  done(changed: boolean): void {
    if (changed) this.upkeep.stale({ byWork: true });
    // Somebody may wait for rest; a disk that refuses is asked again in its own time.
    if (changed || this.trouble === undefined) this.wake();
  }

  fault(error: unknown): void {
    if (this.#stopping) return;
    const trouble = troubleOf(error);
    if (trouble.code === "ownership_lost" || trouble.code === "workspace_moved") {
      this.#stopping = true;
      // Of another owner's workspace nothing is written any more.
      if (trouble.code === "workspace_moved") this.#troubles.begin(trouble);
      this.#end(trouble);
      return;
    }
    this.#troubles.begin(trouble);
    this.upkeep.stale();
    this.#rescans = true;
    this.#refuse(trouble);
    this.#retryLater();
  }

  /** Resolves when nothing is left to do; rejects with the trouble that keeps it from getting on. */
  idle(): Promise<void> {
    const idle = this.upkeep.hurry(this.#idlers.wait());
    this.wake();
    return idle;
  }

  /** Up to date with all that is known to have changed: for those who ask often and must not wait for a look at every file. */
  async caughtUp(): Promise<void> {
    if (this.#watching === undefined) return this.settled();
    if (this.upkeep.isOld) this.wake();
    if (this.#woken || this.#isTicking) await this.#mutex.over();
  }

  /** Up to date with every write so far, also those of the last moments. */
  async settled(): Promise<void> {
    this.changed();
    await this.lookedThrough();
  }

  /** Up to date with all that is known to have changed, however many files that are. */
  async lookedThrough(): Promise<void> {
    this.wake();
    await this.upkeep.hurry(this.#mutex.over(), { whole: true });
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#timers.close();
    await this.#watching?.close();
    await Promise.all(this.stages.background.map((each) => each.stop()));
    await this.#mutex.over();
    this.#refuse(new MemdError("not_running", "memd was stopped."));
  }

  get isStopping(): boolean {
    return this.#stopping;
  }

  /** What keeps it from getting on. */
  get trouble(): MemdError | undefined {
    return this.#troubles.current;
  }

  async #tickWhileWoken(): Promise<void> {
    try {
      while (this.#woken && !this.#stopping) {
        this.#woken = false;
        await this.#tick();
        if (this.stages.background.some(({ isHeldUp }) => isHeldUp === true)) continue;
        await this.#troubles.end((lasting) => this.#refuse(lasting));
      }
    } catch (error) {
      this.fault(error);
    } finally {
      this.#isTicking = false;
    }
    if (this.#woken) this.wake();
    else this.#rest();
  }

  async #tick(): Promise<void> {
    const { stages } = this;
    const { intake } = stages;
    const { guard, doing = () => undefined } = this.#loop;
    await guard();
    await stages.resume();
    const { history, inbox, unsettled } = intake;
    const isRescan = this.#rescans;
    if (isRescan) {
      this.#rescans = false;
      doing("rescan");
      await intake.rescan();
      this.upkeep.stale();
    }
    doing("intake");
    // The prompt for what waits is made while the disk takes it.
    const ahead = await intake.peek();
    stages.prompts.look();
    const looking = intake.look();
    const settled = await Promise.allSettled([looking, ahead && this.upkeep.ahead(ahead, looking)]);
    for (const each of settled) if (each.status === "rejected") throw each.reason;
    if (ahead === undefined) stages.prompts.look();
    if (history !== intake.history || inbox !== intake.inbox || unsettled !== intake.unsettled)
      this.upkeep.stale();
    doing("index and prompts");
    await this.upkeep.refresh();
    // What has come meanwhile is looked at first: somebody may wait for it.
    if (!isRescan && this.#hasNews()) return;
    const tick = tickOf(intake, { isRescan, isRetry: this.trouble !== undefined });
    await stages.keep(tick);
    for (const each of stages.background) {
      if (!this.#works && each.isAsked !== true) continue;
      doing(each.name);
      if ((await each.poll(tick)) !== true) continue;
      this.upkeep.stale({ byWork: true });
      stages.prompts.look();
    }
    doing("history.json");
    await intake.mirror();
    await stages.flush();
    this.#wholeAtMs = this.#loop.clock.monotonicMs();
    await this.upkeep.refresh();
    doing("between ticks");
  }

  #hasNews(): boolean {
    return this.#woken && this.#loop.clock.monotonicMs() - this.#wholeAtMs < LONGEST_CUT_SHORT_MS;
  }

  /** Nothing to do until something changes: whoever waits for that hears of it, and the next tick is set. */
  #rest(): void {
    if (this.#stopping) return;
    if (this.trouble !== undefined) return this.#retryLater();
    const { intake, background } = this.stages;
    if (intake.watchesReplaced) this.#timers.once("late saves", SECOND_MS, () => this.wake());
    for (const { name, nextMs } of this.#works ? background : [])
      if (nextMs !== undefined) this.#timers.once(name, Math.min(nextMs, RESCAN_MS), () => this.wake());
    if (!this.upkeep.isWaiting && background.every(({ running }) => running === 0)) this.#idlers.tell();
  }

  #retryLater(): void {
    this.#timers.once("retry", RETRY_MS, () => this.wake());
  }

  #refuse(trouble: MemdError): void {
    for (const each of this.stages.background) each.refuse?.(trouble);
    this.#idlers.refuse(trouble);
  }

  /** What cannot be looked at is the trouble of the tick that needs it. */
  async #lookForNews(): Promise<void> {
    if (await this.stages.hasNews().catch(() => false)) this.wake();
  }

  /** Whoever comes first need not wait for what is slow once. What fails here fails there, and is logged then. */
  async #warm(): Promise<void> {
    const { index, prompts, intake } = this.stages;
    await index.warm();
    const mayGoOn = async (): Promise<boolean> => {
      await this.#loop.clock.sleep(REHEARSAL_PAUSE_MS);
      await this.#mutex.over();
      return !this.#stopping;
    };
    await prompts.rehearse(listsOf(intake), mayGoOn).catch(() => undefined);
  }
}
