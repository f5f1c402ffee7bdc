/**
 * The supervisor of one workspace: sees what changed, decides what is due, and
 * has the stages do it, one round at a time.
 *
 * A round takes in what others wrote, refreshes the prompt, and starts what is
 * due; summaries are made beside it. A round that fails for want of disk is
 * tried again soon, and nothing is acknowledged meanwhile. Killed at any point,
 * the next start goes on from the files.
 */
import { Archive } from "../archive/archive.js";
import { Catalogue } from "../archive/catalogue.js";
import type { ArchiveContext } from "../archive/context.js";
import { Ladders } from "../archive/ladders.js";
import { Ledger } from "../archive/ledger.js";
import type { OwedSummary } from "../archive/owed.js";
import { isMemdError, MemdError, messageOf } from "../model/errors.js";
import type { IncomingMessage, MessageId } from "../model/message.js";
import { MINUTE_MS, SECOND_MS, zoneOf, type EpochMs } from "../model/time.js";
import type { JobId, JobOutcome, SummaryJob } from "../model/work.js";
import { createPool, type Pool } from "../llm/pool.js";
import { checkPrompts } from "../llm/prompts.js";
import type { Timer } from "../platform/clock.js";
import type { Watching } from "../platform/watch.js";
import { writeDrop } from "../protocol/drops.js";
import { breakDeadLock, notedLocks } from "../protocol/held-locks.js";
import { openJournal } from "../protocol/journal.js";
import { at, FILES } from "../protocol/workspace.js";
import type { SupervisorParts } from "./parts.js";
import { Pass, type PassReport } from "./pass.js";
import { PromptWriter } from "./prompt-writer.js";
import { Search } from "./search.js";
import { loadState, saveState, type SavedState } from "./state-file.js";
import { UsageLog } from "./usage-log.js";

const RESCAN_MS = MINUTE_MS;
const OWNER_CHECK_MS = SECOND_MS;
const LATE_SAVE_MS = SECOND_MS;
/** After a fault, so that room on the disk is noticed soon and a broken disk is not hammered. */
const RETRY_MS = 2 * SECOND_MS;
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
  readonly search: Search;
  readonly prompt: PromptWriter;
  readonly usage: UsageLog;
  /** Settles when the supervisor ends by itself: ownership was lost. */
  readonly ended: Promise<MemdError>;
  trouble: MemdError | undefined;
  #state: SavedState = {};
  #pass: Pass | undefined;
  #askers: { resolve: (report: PassReport) => void; reject: (error: unknown) => void }[] = [];
  #idlers: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  readonly #running = new Map<string, Promise<void>>();
  /** Answers that are not published yet: where the disk refuses one, the model is not asked again. */
  readonly #answers = new Map<JobId, JobOutcome>();
  /** Rounds and other writers, one after another. */
  #turn: Promise<unknown> = Promise.resolve();
  #works = true;
  #rounds = false;
  #woken = false;
  #rescan = true;
  #stale = true;
  #stopping = false;
  #toldRestart = false;
  #watching: Watching | undefined;
  readonly #timers = new Map<string, Timer>();
  readonly #startedAt: EpochMs;
  #end: (error: MemdError) => void = () => undefined;

  constructor(readonly parts: SupervisorParts) {
    const { workspace, settings, disk, clock, random, locks, log, systemZone, guard, ripgrep } = parts;
    const press = { disk, random, locks: notedLocks(locks, disk, workspace), guard };
    const zone = zoneOf(settings.timezone ?? systemZone);
    const context: ArchiveContext = {
      press,
      workspace,
      clock,
      zone,
      settings,
      log,
      journal: openJournal(press, workspace),
      ledger: new Ledger(zone),
      catalogue: new Catalogue(disk, workspace),
      ladders: new Ladders(press, workspace),
    };
    this.#startedAt = clock.now();
    this.archive = new Archive(context);
    this.usage = new UsageLog(press, workspace, zone, clock, settings.llm.daily_tokens);
    this.search = new Search({ disk, clock, workspace, zone, settings, ripgrep, log });
    this.prompt = new PromptWriter({ press, workspace, clock, zone, settings, search: this.search });
    this.pool = createPool({
      spawn: parts.spawn,
      clock,
      settings,
      environment: parts.environment,
      entry: parts.workerEntry,
      promptFolders: parts.promptFolders,
      budgetTokens: () => this.usage.budgetTokens(),
      log: (event, fields) => log.write({ level: "warn", event, ...fields }),
    });
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Reads everything, brings history.json in line with the outputs, and starts to work. `watch: false` for one-off commands, `work: false` for those that only read. */
  async start(options: { watch: boolean; work: boolean }): Promise<void> {
    this.#works = options.work;
    const { disk, promptFolders, workspace } = this.parts;
    await checkPrompts(disk, promptFolders);
    const { press } = this.archive.context;
    await breakDeadLock(disk, workspace);
    this.#state = await loadState(press, workspace);
    await this.usage.load();
    await disk.makeDir(at(workspace, FILES.drops));
    if (options.watch) await this.#watch();
    await this.archive.start();
    await this.#refresh();
    this.#repeat(
      "owner",
      OWNER_CHECK_MS,
      () => void this.parts.guard().catch((error: unknown) => this.#fault(error)),
    );
    this.#repeat("rescan", RESCAN_MS, () => {
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

  /** A pass now, whatever the ladders say; its report once every summary that was owed has been tried. */
  archiveNow(): Promise<PassReport> {
    return new Promise((resolve, reject) => {
      this.#askers.push({ resolve, reject });
      this.#rescan = true;
      this.wake();
    });
  }

  /** Resolves when nothing is left to do; rejects with the trouble that keeps it from getting on. */
  idle(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#idlers.push({ resolve, reject });
      this.wake();
    });
  }

  /** Durable when it returns: one file in inbox.d/. */
  async say(message: Omit<IncomingMessage, "id">): Promise<MessageId> {
    const { press, workspace, clock } = this.archive.context;
    const id = await writeDrop(press, workspace, message, clock.now());
    this.wake();
    return id;
  }

  /** How many were new. */
  async importMessages(messages: readonly IncomingMessage[]): Promise<number> {
    const fresh = await this.exclusive(() => this.archive.importMessages(messages));
    this.#stale = true;
    this.wake();
    return fresh;
  }

  /** Up to date with every write so far, also those of the last moments. */
  async settled(): Promise<void> {
    this.#stale = true;
    this.wake();
    await this.exclusive(() => Promise.resolve());
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
    await this.#watching?.close();
    await this.pool.close();
    await Promise.allSettled(this.#running.values());
    await this.#turn;
    const stopped = new MemdError("not_running", "memd was stopped.");
    for (const { reject } of [...this.#askers, ...this.#idlers]) reject(stopped);
    await this.search.close();
  }

  /** What only the supervisor knows of its status. */
  get progress(): { startedAt: EpochMs; running: number; lastPassAt: EpochMs | undefined } {
    return { startedAt: this.#startedAt, running: this.#running.size, lastPassAt: this.#state.lastPassAt };
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
    const before = [archive.history, archive.inbox, archive.context.ledger.unsettled().length];
    if (this.#rescan) {
      this.#rescan = false;
      await archive.rescan();
      this.#stale = true;
    }
    await archive.look();
    if (
      before[0] !== archive.history ||
      before[1] !== archive.inbox ||
      before[2] !== archive.context.ledger.unsettled().length
    )
      this.#stale = true;
    await this.#refresh();
    await this.#work();
    await archive.mirror();
    await this.#refresh();
  }

  /** Index, then prompt: what was just said can be found by what is asked now. */
  async #refresh(): Promise<void> {
    if (!this.#stale) return;
    this.#stale = false;
    await this.search.refresh(this.archive);
    await this.prompt.refresh(this.archive.history, this.archive.inbox);
  }

  async #work(): Promise<void> {
    const { archive, parts } = this;
    const { clock, log } = parts;
    if (!this.#works && this.#askers.length === 0) return;
    if (this.#pass === undefined) {
      const asked = this.#askers.length > 0;
      const reason = asked
        ? "asked"
        : (archive.reason(this.#state.lastPassAt) ??
          (archive.due(false).length > 0 ? "summaries" : undefined));
      if (reason === undefined) return;
      const pass = new Pass(reason, clock.monotonicMs());
      const unwritten = archive.context.ledger.unsettled().length;
      log.write({ level: "info", event: "archive_started", reason, messages: unwritten });
      pass.messages = await archive.writeVerbatim();
      this.#pass = pass;
      this.#stale = true;
      log.write({
        level: "info",
        event: "verbatim_written",
        messages: pass.messages,
        owed: archive.due(asked).length,
      });
    }
    const pass = this.#pass;
    for (const owed of archive.due(pass.asked)) {
      if (this.#running.size >= parts.settings.worker.max_processes) break;
      if (pass.mayTry(owed.target)) this.#summarise(pass, owed);
    }
    if (this.#running.size === 0) await this.#finish(pass);
  }

  #summarise(pass: Pass, owed: OwedSummary): void {
    const { target, scope, date, tier } = owed;
    const { log } = this.parts;
    let asked: JobId | undefined;
    const run = (job: SummaryJob): Promise<JobOutcome> => {
      asked = job.id;
      return this.#run(job);
    };
    const made = this.archive
      .summarise(owed, run)
      .then((end) => {
        if (asked !== undefined) this.#answers.delete(asked);
        if (end.to === "changed") this.#rescan = true;
        pass.ended(target, scope, date, end);
        const left = this.archive.owed().length;
        if (end.to === "made")
          log.write({ level: "info", event: "summary_made", tier, scope, date, by: end.by, left });
        if (end.to === "failed")
          log.write({
            level: "warn",
            event: "job_failed",
            tier,
            scope,
            date,
            reason: end.reason,
            attempts: end.attempts,
            left,
          });
      })
      .catch((error: unknown) => {
        if (!this.#stopping) this.#fault(error);
      })
      .finally(() => {
        this.#running.delete(target);
        this.#stale = true;
        if (this.trouble === undefined) this.wake();
        else this.#once("retry", RETRY_MS, () => this.wake());
      });
    this.#running.set(target, made);
  }

  async #run(job: SummaryJob): Promise<JobOutcome> {
    const kept = this.#answers.get(job.id);
    if (kept !== undefined) return kept;
    const outcome = await this.pool.run(job);
    // A job that ended because memd stops says nothing about the job: no step of the ladder.
    if (this.#stopping) throw new MemdError("not_running", "memd was stopped.");
    await this.usage.add(outcome.usage);
    if (outcome.to === "unavailable" && outcome.reason === "budget") {
      this.parts.log.write({ level: "warn", event: "budget_paused", tokens: this.usage.tokensToday() });
    }
    if (outcome.to === "done") this.#answers.set(job.id, outcome);
    return outcome;
  }

  async #finish(pass: Pass): Promise<void> {
    const { clock, log, workspace } = this.parts;
    this.#pass = undefined;
    await this.archive.mirror();
    this.#state = { lastPassAt: clock.now() };
    await saveState(this.archive.context.press, workspace, this.#state);
    const report = pass.report(clock.monotonicMs());
    const { reason, messages, made, ms } = report;
    log.write({
      level: "info",
      event: "archive_finished",
      reason,
      messages,
      made,
      failed: report.failed.length,
      ms,
    });
    if (pass.asked) for (const { resolve } of this.#askers.splice(0)) resolve(report);
    // What changed while its summary was being made, or was asked for meanwhile, is due at once.
    if (this.#askers.length > 0 || this.archive.due(false).length > 0) this.wake();
  }

  /** Nothing to do until something changes: tell who waits for that, and set the next look. */
  #rest(): void {
    if (this.#stopping) return;
    if (this.trouble !== undefined) return this.#once("retry", RETRY_MS, () => this.wake());
    if (this.archive.watchesReplaced) this.#once("late saves", LATE_SAVE_MS, () => this.wake());
    const ladder = this.archive.nextLadder();
    if (ladder !== undefined) {
      const waitMs = Math.min(Math.max(ladder.nextAt - this.parts.clock.now(), SECOND_MS), RESCAN_MS);
      this.#once("ladder", waitMs, () => this.wake());
    }
    if (this.#running.size === 0 && this.#pass === undefined)
      for (const { resolve } of this.#idlers.splice(0)) resolve();
  }

  #fault(error: unknown): void {
    if (this.#stopping) return;
    const trouble = isMemdError(error)
      ? error
      : new MemdError("internal", messageOf(error), { cause: error });
    if (trouble.code === "ownership_lost") {
      this.#stopping = true;
      this.#end(trouble);
      return;
    }
    if (this.trouble?.message !== trouble.message) {
      const stack = trouble.code === "internal" && error instanceof Error ? { stack: error.stack } : {};
      this.parts.log.write({
        level: "error",
        event: "trouble",
        code: trouble.code,
        reason: trouble.message,
        ...stack,
      });
    }
    this.trouble = trouble;
    // Whatever was half done is looked at again from the files.
    this.#pass = undefined;
    this.#stale = true;
    this.#rescan = true;
    for (const { reject } of [...this.#askers.splice(0), ...this.#idlers.splice(0)]) reject(trouble);
  }

  #recovered(): void {
    if (this.trouble === undefined) return;
    this.parts.log.write({ level: "info", event: "trouble_over", code: this.trouble.code });
    this.trouble = undefined;
  }

  async #watch(): Promise<void> {
    const { watch, workspace } = this.parts;
    const drops = at(workspace, FILES.drops);
    const hot = new Set(HOT_FILES.map((file) => at(workspace, file)));
    const wanted = (path: string): boolean => hot.has(path) || path.startsWith(drops);
    this.#watching = await watch.watch([workspace.root, drops], wanted, (path) => {
      if (path === at(workspace, FILES.settings)) this.#tellRestart();
      this.#stale = true;
      this.wake();
    });
  }

  /** Once: a save may be told several times, and one word is enough. */
  #tellRestart(): void {
    if (this.#toldRestart) return;
    this.#toldRestart = true;
    this.parts.log.write({ level: "warn", event: "restart_needed", file: FILES.settings });
  }

  #once(name: string, ms: number, run: () => void): void {
    this.#timers.get(name)?.cancel();
    this.#timers.set(name, this.parts.clock.after(ms, run));
  }

  #repeat(name: string, ms: number, run: () => void): void {
    this.#once(name, ms, () => {
      run();
      if (!this.#stopping) this.#repeat(name, ms, run);
    });
  }
}
