/**
 * The archive of one workspace: what the stage knows between two looks, and the
 * steps the supervisor has it take.
 *
 * Nothing here must survive: at start everything is read off the journal, the
 * outputs and the retries, and a message that a crash left `pending` becomes
 * what its outputs say.
 */
import type { JobOutcome, SummaryJob } from "../model/work.js";
import type { FiledMessage, IncomingMessage } from "../model/message.js";
import type { MessageKey } from "../model/address.js";
import type { EpochMs } from "../model/time.js";
import { pacer } from "../platform/clock.js";
import { parseForgotten } from "../protocol/forgotten.js";
import { readJournal } from "../protocol/journal.js";
import { ifNoText, readText } from "../protocol/publish.js";
import { at, FILES } from "../protocol/workspace.js";
import { isWaiting } from "./backoff.js";
import type { ArchiveContext } from "./context.js";
import { clearReplaced } from "./forget-replaced.js";
import { passReason, type Reason } from "./due.js";
import { tierOf } from "./tier.js";
import {
  EMPTY_STATE,
  journalMessages,
  knownState,
  loadReadings,
  takeDrops,
  takeList,
  type ListState,
  type Readings,
} from "./intake-files.js";
import { targetKey, type Retry, type TargetKey } from "./retries.js";
import { takeOver } from "./leftovers.js";
import { mergeLateSaves, type SeenSaves } from "./late-saves.js";
import { mirrorHistory } from "./list-file.js";
import { peekInbox } from "./peek.js";
import { noteRemovals } from "./removals.js";
import { markOf, withMark, type Mark } from "./marks.js";
import { coverageOf, type Coverage, type OwedSummary } from "./owed.js";
import { makeSummary, type SummaryEnd } from "./summarise.js";
import { trimmableOf } from "./settled.js";
import { trimOf } from "./trim.js";
import { moveOldDays, writeDays } from "./write-days.js";

export class Archive {
  history: ListState = EMPTY_STATE;
  inbox: ListState = EMPTY_STATE;
  #readings: Readings = {};
  #coverage: Coverage = { owed: [], isCovered: () => true };
  #taken = new Set<MessageKey>();
  #overflow = false;
  readonly #running = new Set<TargetKey>();
  /** Summaries that are being put in their place at this moment. */
  readonly #publications = new Set<Promise<unknown>>();
  readonly #brokenDrops = new Set<string>();
  readonly #lateSaves: SeenSaves = new Map();

  constructor(readonly context: ArchiveContext) {}

  /** Reads what there is; afterwards nothing is `pending` any more that nobody works on. */
  async start(): Promise<void> {
    const { writer, workspace, catalogue, ledger, retries, clock } = this.context;
    await takeOver(this.context);
    const forgotten = (await readText(writer.disk, at(workspace, FILES.forgotten)).catch(ifNoText)) ?? "";
    ledger.forgotten.add(parseForgotten(forgotten).keys);
    await retries.load();
    const pace = pacer(clock);
    await catalogue.refresh((messages, edited, day) => {
      for (const filed of messages) ledger.absorb(filed, edited, day);
    }, pace);
    for await (const { entry, place } of readJournal(writer.disk, workspace)) {
      ledger.apply(entry, place);
      await pace();
    }
    this.#readings = await loadReadings(this.context);
    this.#cover();
    await this.look();
    await clearReplaced(this.context, this.#readings);
    await this.mirror();
  }

  /** What waits, where it alone has changed and is not taken in yet. */
  peek(): Promise<FiledMessage[] | undefined> {
    return peekInbox(this.context, this);
  }

  /** Takes in what others wrote: late saves, the inbox, history, drops. */
  async look(): Promise<void> {
    await mergeLateSaves(this.context, this.#lateSaves, this.#readings);
    await this.#takeLists();
    // Drops come last: a list that somebody holds locked must not keep the others waiting.
    if ((await takeDrops(this.context, this.#brokenDrops)) > 0) await this.#takeLists();
  }

  async #takeLists(): Promise<void> {
    this.inbox = await takeList(this.context, "inbox", this.inbox, this.#readings);
    const before = this.history;
    this.history = await takeList(this.context, "history", before, this.#readings);
    if (this.history !== before && this.history.unreadable === undefined)
      await noteRemovals(this.context, before, this);
  }

  /** Sees what changed in the memory tree, and reads the lists whatever their times say; days that have grown old move. */
  async rescan(): Promise<void> {
    // What is unreadable and stands unchanged is not waited for again.
    if (this.history.unreadable === undefined) this.history = { ...this.history, stamp: "" };
    if (this.inbox.unreadable === undefined) this.inbox = { ...this.inbox, stamp: "" };
    await this.context.catalogue.refresh(undefined, pacer(this.context.clock));
    await moveOldDays(this.context);
    this.#cover();
  }

  /** Why a pass should start now, if it should. */
  reason(lastPassAt: EpochMs | undefined): Reason | undefined {
    const { clock, settings, ledger } = this.context;
    const state = { due: ledger.unsettled().length, oldestAt: this.oldestUnsettled(), ...this.#limits() };
    return passReason({ ...state, lastPassAt, now: clock.now() }, settings.archive);
  }

  /** When the oldest message without a block was filed. */
  oldestUnsettled(): EpochMs | undefined {
    const times = this.context.ledger.unsettled().map(({ filedAt }) => filedAt);
    return times.length === 0 ? undefined : times.reduce((oldest, at) => (at < oldest ? at : oldest));
  }

  /** Marks every unarchived message `pending` and writes its block; how many. The summaries they need are owed afterwards. */
  async writeVerbatim(): Promise<number> {
    const taken = this.context.ledger.unsettled();
    this.#taken = new Set(taken.map((entry) => entry.key));
    try {
      if (taken.length > 0) await this.mirror();
      await writeDays(this.context, taken);
      await moveOldDays(this.context);
    } finally {
      this.#taken = new Set();
      this.#cover();
    }
    return taken.length;
  }

  /** Summaries that are owed and may be tried now; `asked` ignores the retry. */
  due(asked: boolean): OwedSummary[] {
    const now = this.context.clock.now();
    return this.#coverage.owed.filter(({ target, scope, date }) => {
      if (this.#running.has(target)) return false;
      const nextAt = this.context.retries.get(scope, date)?.nextAt;
      return asked || nextAt === undefined || !isWaiting(nextAt, now, this.context.settings.archive);
    });
  }

  /**
   * Nothing that was read before is published while this runs, nor afterwards:
   * what is being made of it is made again.
   */
  async forgetting<T>(work: () => Promise<T>): Promise<T> {
    const { forgotten } = this.context.ledger;
    forgotten.epoch++;
    try {
      await Promise.allSettled(this.#publications);
      return await work();
    } finally {
      forgotten.epoch++;
      this.#cover();
    }
  }

  async #publishing<T>(work: () => Promise<T>): Promise<T> {
    const publication = work();
    this.#publications.add(publication);
    return publication.finally(() => this.#publications.delete(publication));
  }

  /** Reads both lists whatever their times say: what was told to be forgotten goes from them. */
  async lookAgain(): Promise<void> {
    this.history = { ...this.history, stamp: "" };
    this.inbox = { ...this.inbox, stamp: "" };
    await this.look();
  }

  owed(): readonly OwedSummary[] {
    return this.#coverage.owed;
  }

  /** When the next retry step is; undefined when nothing waits. */
  nextRetry(): Retry | undefined {
    const waiting = this.#coverage.owed.flatMap(
      ({ scope, date }) => this.context.retries.get(scope, date) ?? [],
    );
    return waiting.sort((a, b) => a.nextAt - b.nextAt)[0];
  }

  async summarise(owed: OwedSummary, run: (job: SummaryJob) => Promise<JobOutcome>): Promise<SummaryEnd> {
    this.#running.add(owed.target);
    try {
      return await makeSummary(this.context, owed, run, (work) => this.#publishing(work));
    } finally {
      this.#running.delete(owed.target);
      this.#cover();
    }
  }

  /** Journals messages and writes their blocks straight away; how many were new. */
  async importMessages(messages: readonly IncomingMessage[]): Promise<number> {
    const { ledger } = this.context;
    const before = ledger.size;
    const wanted = new Set((await journalMessages(this.context, messages, "import")).keys);
    await writeDays(
      this.context,
      ledger.unsettled().filter(({ key }) => wanted.has(key)),
    );
    this.#cover();
    return ledger.size - before;
  }

  /** Brings history.json up to date: marks, limits. Reads and writes it only when something differs. */
  async mirror(): Promise<void> {
    if (this.history.unreadable !== undefined) return;
    const limits = this.#limits();
    const stale = this.history.messages.some(({ key, mirror }) => {
      const mark = this.#markFor(key, mirror["archived"]);
      return mark !== undefined && withMark(mirror, mark) !== undefined;
    });
    if (!stale && limits.removable === 0) return this.#tellOverflow(limits.overflow);
    const { known } = this.history;
    if (known === undefined) return;
    const markFor = (key: MessageKey, standing: unknown): Mark | undefined => this.#markFor(key, standing);
    const written = await mirrorHistory(this.context, known, this.#readings.history, markFor);
    if (written !== undefined)
      this.history = await knownState(this.context, "history", written, this.#readings);
    this.#tellOverflow(this.#limits().overflow);
  }

  /** Replaced files are kept for a minute, and looked at every second. */
  get watchesReplaced(): boolean {
    return this.#lateSaves.size > 0;
  }

  get unarchived(): number {
    return this.history.messages.filter(({ mirror }) => mirror["archived"] !== true).length;
  }

  #limits(): { overSoft: boolean; overflow: boolean; removable: number } {
    const { settings } = this.context;
    const { messages, entries, bytes } = this.history;
    const isLarge = bytes > settings.history.hard_limit_mb * 1024 * 1024;
    // Roughly: what really leaves is decided over the file, with the size of each.
    const each = isLarge ? bytes / Math.max(1, entries) : 0;
    const trim = trimOf(
      messages.map(({ key, filed }) => trimmableOf(this.context, key, filed.message, each)),
      settings.history,
    );
    return { overSoft: trim.overSoft, overflow: trim.overflow, removable: trim.remove.size };
  }

  #tellOverflow(overflow: boolean): void {
    if (overflow && !this.#overflow) {
      this.context.log.write({
        level: "warn",
        event: "history_overflow",
        messages: this.history.entries,
        bytes: this.history.bytes,
      });
    }
    this.#overflow = overflow;
  }

  #cover(): void {
    const { catalogue, zone, clock, settings } = this.context;
    const today = zone.dayOf(clock.now());
    this.#coverage = coverageOf(
      catalogue.verbatimDays(),
      catalogue.summaries(),
      today,
      settings.archive.recent_days,
    );
  }

  #markFor(key: MessageKey, standing: unknown): Mark | undefined {
    const { ledger, zone, clock, settings, retries } = this.context;
    const entry = ledger.get(key);
    if (entry === undefined) return undefined;
    const tier = tierOf(entry.day, zone.dayOf(clock.now()), settings.archive.recent_days);
    const retry = tier.to === "verbatim" ? undefined : retries.get(entry.scope, tier.date);
    return markOf({
      settled: entry.held === undefined,
      taken: this.#taken.has(entry.key),
      covered: tier.to === "verbatim" || this.#coverage.isCovered(entry.scope, entry.day),
      summaryUnderway: tier.to !== "verbatim" && this.#running.has(targetKey(entry.scope, tier.date)),
      ...(retry === undefined ? {} : { retry }),
      standing,
    });
  }
}
