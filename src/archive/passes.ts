/**
 * Archive passes, one after the other: begun when one is due or asked for, moved
 * on by each tick, and reported when the last summary has been tried.
 */
import { defined } from "../model/collections.js";
import { type EpochMs, isoOf, parseInstant, SECOND_MS } from "../model/time.js";
import { type Background, Jobs, type Loop, type Put, type Tick, Waiters } from "../platform/background.js";
import { type FileWriter, publishDerived, readText } from "../protocol/publish.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";
import type { OwedSummary, Reason } from "./owed.js";
import type { TargetKey } from "./retries.js";
import { Summaries, type SummaryEnd, type SummaryParts } from "./summarise.js";

export class Passes implements Background {
  readonly name = "archive";
  readonly #askers = new Waiters<PassReport>();
  readonly #summaries: Summaries;
  readonly #jobs: Jobs;
  #state: SavedState = {};
  #pass: Pass | undefined;
  /** The file does not say all of it yet. */
  #owesState = false;
  #hasFaulted = false;

  constructor(
    readonly parts: SummaryParts,
    readonly loop: Loop,
  ) {
    const { clock, ledger } = parts.archive.context;
    this.#summaries = new Summaries(parts);
    this.#jobs = new Jobs({ clock, forgotten: ledger.forgotten }, loop, { restMs: 0 });
  }

  async load(): Promise<void> {
    const { writer, workspace } = this.parts.archive.context;
    this.#state = await loadState(writer, workspace);
  }

  get lastPassAt(): EpochMs | undefined {
    return this.#state.lastPassAt;
  }

  /** Summaries that are being made. */
  get running(): number {
    return this.#jobs.running;
  }

  get isAsked(): boolean {
    return this.#askers.any;
  }

  get nextMs(): number | undefined {
    const { summaries, context } = this.parts.archive;
    const retry = summaries.nextRetry();
    return retry === undefined ? undefined : Math.max(retry.nextAt - context.clock.now(), SECOND_MS);
  }

  /** A summary could not be put in its place, and is still to be made. */
  get isHeldUp(): boolean {
    return this.#hasFaulted && (this.running > 0 || this.parts.archive.due(false).length > 0);
  }

  /** The report of a pass that begins now, or of the one that was asked for and is under way. */
  ask(): Promise<PassReport> {
    return this.#askers.wait();
  }

  /** Begins a pass when one is due, and moves it on. */
  async poll({ isRetry }: Pick<Tick, "isRetry">): Promise<boolean> {
    const { archive } = this.parts;
    this.#hasFaulted = this.isHeldUp;
    await this.#saveState();
    if (archive.isTakingIn && !this.isAsked) return false;
    const isUnderWay = this.#pass !== undefined;
    this.#pass ??= await this.#begin(isRetry);
    const pass = this.#pass;
    if (pass === undefined) return false;
    for (const owed of archive.due(pass.isAsked)) {
      if (this.running >= archive.context.settings.worker.max_processes) break;
      if (pass.mayTry(owed.target)) this.#jobs.start(owed.target, (put) => this.#make(pass, owed, put));
    }
    if (this.running === 0) await this.#finish(pass);
    return !isUnderWay;
  }

  refuse(trouble: Error): void {
    this.#pass = undefined;
    this.#askers.refuse(trouble);
  }

  forget(): void {
    this.#summaries.forget();
  }

  /** Ends the workers; what was under way is owed as before. */
  async stop(): Promise<void> {
    const over = this.#jobs.stop();
    await this.parts.pool.close();
    await over;
  }

  async #begin(isRetry: boolean): Promise<Pass | undefined> {
    const { archive } = this.parts;
    const { clock, log, ledger } = archive.context;
    const summariesDue = archive.due(false).length > 0 ? "summaries" : undefined;
    const reason = this.isAsked ? "asked" : (archive.reason(this.lastPassAt) ?? summariesDue);
    if (reason === undefined) return undefined;
    const pass = new Pass(reason, clock.monotonicMs());
    const messages = ledger.unsettled().length;
    if (!isRetry) log.write({ level: "info", event: "archive_started", reason, messages });
    pass.messages = await archive.writeVerbatim();
    await this.#nameAnew();
    const owed = archive.due(pass.isAsked).length;
    if (!isRetry) log.write({ level: "info", event: "verbatim_written", messages: pass.messages, owed });
    return pass;
  }

  /** Every day was looked through: whether this pass comes to its end or not, no other need do it again. */
  async #nameAnew(): Promise<void> {
    if (this.#state.names === NAMES) return;
    await this.parts.archive.renameTellingDays();
    this.#state = { ...this.#state, names: NAMES };
    this.#owesState = true;
    await this.#saveState();
  }

  async #make(pass: Pass, owed: OwedSummary, put: Put): Promise<void> {
    try {
      const end = await this.#summaries.make(owed, pass.isAsked, put);
      this.#hasFaulted = false;
      if (end.to === "changed") this.loop.rescan();
      pass.count(owed, end);
    } catch (error) {
      this.#hasFaulted = true;
      throw error;
    }
  }

  async #saveState(): Promise<void> {
    if (!this.#owesState) return;
    const { writer, workspace } = this.parts.archive.context;
    await saveState(writer, workspace, this.#state);
    this.#owesState = false;
  }

  async #finish(pass: Pass): Promise<void> {
    const { archive } = this.parts;
    const { clock, log } = archive.context;
    this.#pass = undefined;
    await archive.mirror();
    this.#state = { lastPassAt: clock.now(), names: NAMES };
    this.#owesState = true;
    await this.#saveState();
    const report = pass.report(clock.monotonicMs());
    const { reason, messages, made, ms } = report;
    const failed = report.failed.length;
    log.write({ level: "info", event: "archive_finished", reason, messages, made, failed, ms });
    if (pass.isAsked) this.#askers.tell(report);
    // What changed while its summary was being made, or was asked for meanwhile, is due at once.
    if (this.isAsked || archive.due(false).length > 0) this.loop.wake();
  }
}

/**
 * One archive pass: from the verbatim copy to the last summary that was due.
 *
 * The loop drives it, so that intake and prompts go on while workers write; this
 * only keeps count, and sums up when it is over.
 */
export interface PassReport {
  reason: Reason;
  messages: number;
  made: number;
  failed: { scope: string; date: string; reason: string }[];
  ms: number;
}

/** A summary whose sources keep changing is left to the next pass after so many tries. */
const MOST_TRIES = 5;

export class Pass {
  readonly made: TargetKey[] = [];
  readonly failed: PassReport["failed"] = [];
  readonly #tries = new Map<TargetKey, number>();
  messages = 0;

  constructor(
    readonly reason: Reason,
    readonly startedMs: number,
  ) {}

  /** Asked for by a person: each summary is tried once, whatever its retry says. */
  get isAsked(): boolean {
    return this.reason === "asked";
  }

  mayTry(target: TargetKey): boolean {
    return (this.#tries.get(target) ?? 0) < MOST_TRIES;
  }

  count({ target, scope, date }: OwedSummary, end: SummaryEnd): void {
    switch (end.to) {
      case "made":
        this.made.push(target);
        this.#tries.delete(target);
        return;
      case "failed":
        this.failed.push({ scope, date, reason: end.reason });
        this.#tries.set(target, MOST_TRIES);
        return;
      case "changed":
        this.#tries.set(target, (this.#tries.get(target) ?? 0) + 1);
        return;
      default:
        return end satisfies never;
    }
  }

  report(nowMs: number): PassReport {
    const { reason, messages, failed } = this;
    return { reason, messages, made: this.made.length, failed, ms: Math.round(nowMs - this.startedMs) };
  }
}

/** Of what memd takes for secrets when it names files; another number, and the names are looked through once more. */
const NAMES = 1;

/** `.memd/state.json`: when the last pass finished, and for which secrets the names of days were looked through. Lost with `.memd/`, and then the next pass counts from the oldest message. */
interface SavedState {
  lastPassAt?: EpochMs;
  names?: number;
}

export async function loadState(writer: FileWriter, workspace: Workspace): Promise<SavedState> {
  try {
    const text = (await readText(writer.disk, at(workspace, FILES.state))) ?? "{}";
    const { lastPassAt, names } = JSON.parse(text) as Record<string, unknown>;
    return defined({
      lastPassAt: typeof lastPassAt === "string" ? parseInstant(lastPassAt) : undefined,
      names: typeof names === "number" ? names : undefined,
    });
  } catch {
    // Derived: a state that cannot be read is the same as none.
    return {};
  }
}

export async function saveState(writer: FileWriter, workspace: Workspace, state: SavedState): Promise<void> {
  const { lastPassAt, names } = state;
  const data = { lastPassAt: lastPassAt === undefined ? undefined : isoOf(lastPassAt), names };
  await publishDerived(writer, at(workspace, FILES.state), `${JSON.stringify(data)}\n`);
}
