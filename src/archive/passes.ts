/**
 * Archive passes, one after the other: begun when one is due or asked for, moved
 * on by each round, and told when the last summary has been tried.
 */
import type { Archive } from "./archive.js";
import type { ArchiveContext } from "./context.js";
import type { OwedSummary } from "./owed.js";
import type { SummaryEnd } from "./summarise.js";
import type { EpochMs } from "../model/time.js";
import { Pass, type PassReport } from "./pass.js";
import { loadState, saveState, type SavedState } from "./last-pass.js";
import type { Summaries } from "./summaries.js";
import { Waiters } from "../platform/waiters.js";

/** What a pass has the rounds do. */
export interface PassHost {
  /** Files were written: index and prompt are behind. */
  stale(): void;
  /** Somebody changed the memory tree meanwhile. */
  rescan(): void;
  wake(): void;
  /** A summary could not be published; undefined when one could. */
  summaryFault(error: unknown): void;
}

export class Passes {
  readonly #askers = new Waiters<PassReport>();
  #state: SavedState = {};
  #pass: Pass | undefined;
  /** A pass has ended and the file does not say so yet. */
  #owesState = false;

  constructor(
    readonly parts: Pick<ArchiveContext, "clock" | "log" | "settings" | "workspace">,
    readonly archive: Archive,
    readonly summaries: Summaries,
    readonly rounds: PassHost,
  ) {}

  async load(): Promise<void> {
    this.#state = await loadState(this.archive.context.writer, this.parts.workspace);
  }

  get lastPassAt(): EpochMs | undefined {
    return this.#state.lastPassAt;
  }

  get isUnderWay(): boolean {
    return this.#pass !== undefined;
  }

  get isAsked(): boolean {
    return this.#askers.any;
  }

  /** The report of a pass that begins now, or of the one that was asked for and is under way. */
  ask(): Promise<PassReport> {
    return this.#askers.wait();
  }

  /** Begins a pass when one is due, and moves it on. `isTold`: one that a fault cut off and that goes on is not told each time. */
  async work(isTold: boolean): Promise<void> {
    const pass = this.#pass ?? (await this.#begin(isTold));
    if (pass === undefined) return;
    const { archive, summaries } = this;
    for (const owed of archive.due(pass.asked)) {
      if (summaries.running >= this.parts.settings.worker.max_processes) break;
      if (pass.mayTry(owed.target))
        summaries.start(owed, pass.asked, (end) => this.#summaryEnded(pass, owed, end));
    }
    if (summaries.running === 0) await this.#finish(pass);
  }

  async saveState(): Promise<void> {
    if (!this.#owesState) return;
    await saveState(this.archive.context.writer, this.parts.workspace, this.#state);
    this.#owesState = false;
  }

  /** Whatever is half done is looked at again from the files; who asked is refused. */
  drop(error: unknown): void {
    this.#pass = undefined;
    this.#askers.refuse(error);
  }

  async #begin(isTold: boolean): Promise<Pass | undefined> {
    const { archive, parts } = this;
    const { clock, log } = parts;
    const asked = this.#askers.any;
    const summariesDue = archive.due(false).length > 0 ? "summaries" : undefined;
    const reason = asked ? "asked" : (archive.reason(this.lastPassAt) ?? summariesDue);
    if (reason === undefined) return undefined;
    const pass = new Pass(reason, clock.monotonicMs());
    const messages = archive.context.ledger.unsettled().length;
    if (isTold) log.write({ level: "info", event: "archive_started", reason, messages });
    pass.messages = await archive.writeVerbatim();
    this.#pass = pass;
    this.rounds.stale();
    const owed = archive.due(asked).length;
    if (isTold) log.write({ level: "info", event: "verbatim_written", messages: pass.messages, owed });
    return pass;
  }

  #summaryEnded(pass: Pass, owed: OwedSummary, end: SummaryEnd | { to: "fault"; error: unknown }): void {
    this.rounds.stale();
    this.rounds.summaryFault(end.to === "fault" ? end.error : undefined);
    if (end.to === "fault") return;
    if (end.to === "changed") this.rounds.rescan();
    pass.ended(owed.target, owed.scope, owed.date, end);
    this.rounds.wake();
  }

  async #finish(pass: Pass): Promise<void> {
    const { clock, log } = this.parts;
    this.#pass = undefined;
    await this.archive.mirror();
    this.#state = { lastPassAt: clock.now() };
    this.#owesState = true;
    await this.saveState();
    const report = pass.report(clock.monotonicMs());
    const { reason, messages, made, ms } = report;
    const failed = report.failed.length;
    log.write({ level: "info", event: "archive_finished", reason, messages, made, failed, ms });
    if (pass.asked) this.#askers.tell(report);
    // What changed while its summary was being made, or was asked for meanwhile, is due at once.
    if (this.#askers.any || this.archive.due(false).length > 0) this.rounds.wake();
  }
}
