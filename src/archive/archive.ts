/**
 * The archive of one workspace: the steps the loop has it take, over what the
 * lists of the host, the ledger and the outputs say. Lists are taken in when they
 * change; history is kept with its marks and within its limits.
 *
 * Nothing here must survive: at start everything is read off the lists, the
 * journal, the outputs and the retries, and a message that a crash left `pending`
 * becomes what its outputs say.
 */
import type { FiledMessage, IncomingMessage, Message } from "../model/message.js";
import type { MessageKey } from "../model/address.js";
import type { EpochMs } from "../model/time.js";
import { pacer } from "../platform/clock.js";
import { noneSeen, takeLateSaves } from "../protocol/displaced.js";
import { parseForgotten } from "../protocol/forgotten.js";
import { ifNoText, readText } from "../protocol/publish.js";
import { at, FILES } from "../protocol/workspace.js";
import { Checkpoint } from "./checkpoint.js";
import type { ArchiveContext } from "./context.js";
import { journalMessages } from "./intake.js";
import { mergeLateSave } from "./late-saves.js";
import { takeOver } from "./leftovers.js";
import { renameTellingDays } from "./day-names.js";
import { type Mark, markOf, mirrorHistory, withMark } from "./list-file.js";
import {
  alignedState,
  EMPTY_STATE,
  type ListState,
  loadReadings,
  type Readings,
  rewrittenState,
} from "./list-state.js";
import { OwedSummaries, type OwedSummary, passReason, type Reason } from "./owed.js";
import { replay } from "./replay.js";
import { type Retry, targetKey, tierOf } from "./retries.js";
import { takeDrops, type TakenDrops, takeTold } from "./take-drops.js";
import { clearReplaced, noteRemovals, peekInbox, takeList } from "./take-list.js";
import { trimmableOf, trimOf } from "./trim.js";
import { moveOldDays, writeDays } from "./write-days.js";

export class Archive {
  readonly summaries: OwedSummaries;
  history: ListState = EMPTY_STATE;
  inbox: ListState = EMPTY_STATE;
  /** Is given what hooks told once it is in the journal, before their files go. */
  heardByHooks: (told: readonly Message[]) => Promise<void> = () => Promise.resolve();
  #readings: Readings = {};
  readonly #brokenDrops = new Set<string>();
  readonly #lateSaves = noneSeen();
  #isOverflowing = false;
  #expectsUntilMs = -Infinity;
  /** Whose blocks are being written. */
  #taken: ReadonlySet<MessageKey> = new Set();

  constructor(readonly context: ArchiveContext) {
    this.summaries = new OwedSummaries(context);
  }

  /** Reads what there is; afterwards nothing is `pending` any more that nobody works on. */
  async start(): Promise<void> {
    const { writer, workspace, ledger, retries, clock } = this.context;
    const pace = pacer(clock);
    const checkpoint = Checkpoint.read(writer.disk, workspace, pace);
    await takeOver(this.context);
    const forgotten = (await readText(writer.disk, at(workspace, FILES.forgotten)).catch(ifNoText)) ?? "";
    ledger.forgotten.add(parseForgotten(forgotten).keys);
    await retries.load();
    await replay({ ...this.context, disk: writer.disk }, pace, await checkpoint);
    this.summaries.refresh();
    this.#readings = await loadReadings(this.context);
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
    const { writer, workspace, clock } = this.context;
    await takeLateSaves(writer, workspace, this.#lateSaves, clock.now(), (save) =>
      mergeLateSave(this.context, save, this.#readings),
    );
    await takeTold(this.context, this.heardByHooks);
    await this.#takeLists();
    // Drops come last: a list that somebody holds locked must not keep the others waiting.
    for (let areMore = true; areMore;) {
      const taken = await takeDrops(this.context, this.#brokenDrops, this);
      if (taken.count > 0) await this.#takeLists(taken.written);
      ({ areMore } = taken);
    }
  }

  /** Takes both lists in once more, whatever their times and bytes say: what was told to be forgotten goes from them. */
  async lookAgain(): Promise<void> {
    this.history = doubted(this.history);
    this.inbox = doubted(this.inbox);
    await this.look();
  }

  /** Sees what changed in the memory tree, and has the next look read the lists whatever their times say; days that have grown old move. */
  async rescan(): Promise<void> {
    // What is unreadable and stands unchanged is not waited for again.
    if (this.history.unreadable === undefined) this.history = { ...this.history, stamp: "" };
    if (this.inbox.unreadable === undefined) this.inbox = { ...this.inbox, stamp: "" };
    await this.context.catalogue.refresh(undefined, pacer(this.context.clock));
    if (!this.#isHeld) await moveOldDays(this.context);
    this.summaries.refresh();
  }

  /** Why a pass should start now, if it should. */
  reason(lastPassAt: EpochMs | undefined): Reason | undefined {
    const { clock, settings, ledger } = this.context;
    const { overSoft, overflow } = this.#limits();
    const state = { due: ledger.unsettled().length, oldestAt: this.oldestUnsettled(), overSoft, overflow };
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
      this.summaries.refresh();
    }
    return taken.length;
  }

  /** Of days that were named while less was known for a secret. */
  async renameTellingDays(): Promise<void> {
    await renameTellingDays(this.context);
  }

  /**
   * Runs when no tick does. What is being made of what was read before, or is
   * read while this runs, is not published: it is made again.
   */
  async forgetting<T>(work: () => Promise<T>): Promise<T> {
    const { forgotten } = this.context.ledger;
    forgotten.epoch++;
    try {
      return await work();
    } finally {
      forgotten.epoch++;
      this.summaries.refresh();
    }
  }

  /** Journals messages and writes their blocks straight away; how many were new, and those that had no block yet. */
  async importMessages(
    messages: readonly IncomingMessage[],
  ): Promise<{ fresh: number; filed: { key: MessageKey; filed: FiledMessage }[] }> {
    const { ledger } = this.context;
    const before = ledger.size;
    const wanted = new Set((await journalMessages(this.context, messages, "import")).keys);
    const entries = ledger.unsettled().filter(({ key }) => wanted.has(key));
    const filed = entries.flatMap(({ key, held }) => (held === undefined ? [] : [{ key, filed: held }]));
    await writeDays(this.context, entries);
    this.summaries.refresh();
    return { fresh: ledger.size - before, filed };
  }

  /** The next piece of an import is likely to come within this time. */
  expectMore(ms: number): void {
    this.#expectsUntilMs = this.context.clock.monotonicMs() + ms;
  }

  /** What can wait does, so that an import has the machine. */
  get isTakingIn(): boolean {
    return this.context.clock.monotonicMs() < this.#expectsUntilMs;
  }

  /** Brings history.json up to date: marks, limits. Reads and writes it only when something differs. */
  async mirror(): Promise<void> {
    const { context, history } = this;
    const { known } = history;
    if (history.unreadable !== undefined || this.#isHeld) return;
    const markFor = (key: MessageKey, standing: unknown): Mark | undefined => this.#markFor(key, standing);
    const isStale = history.messages.some(({ key, mirror }) => {
      const mark = markFor(key, mirror["archived"]);
      return mark !== undefined && withMark(mirror, mark) !== undefined;
    });
    if (known !== undefined && (isStale || this.#limits().removable > 0)) {
      const rewritten = await mirrorHistory(context, known, this.#readings.history, markFor);
      if (rewritten !== undefined) {
        const { written, kept } = rewritten;
        this.history =
          kept === undefined
            ? await alignedState(context, "history", written, this.#readings)
            : await rewrittenState(context, history, known, written, kept, this.#readings);
      }
    }
    this.#logOverflow();
  }

  /** Replaced files are kept for a minute, and looked at every second. */
  get watchesReplaced(): boolean {
    return this.#lateSaves.files.size > 0;
  }

  /** Messages without a block of their newest version. */
  get unsettled(): number {
    return this.context.ledger.unsettled().length;
  }

  /** Counts up with everything that is forgotten. */
  get epoch(): number {
    return this.context.ledger.forgotten.epoch;
  }

  get unarchived(): number {
    return this.history.messages.filter(({ mirror }) => mirror["archived"] !== true).length;
  }

  owed(): readonly OwedSummary[] {
    return this.summaries.all;
  }

  /** Summaries that are owed and may be tried now; `asked` ignores the retry. */
  due(asked: boolean): OwedSummary[] {
    return this.summaries.due(asked);
  }

  nextRetry(): Retry | undefined {
    return this.summaries.nextRetry();
  }

  async #takeLists(written: TakenDrops["written"] = {}): Promise<void> {
    this.inbox = await takeList(this.context, "inbox", this.inbox, this.#readings, written.inbox);
    const before = this.history;
    this.history = await takeList(this.context, "history", before, this.#readings, written.history);
    if (this.history !== before && this.history.unreadable === undefined)
      await noteRemovals(this.context, before, this);
  }

  #limits(): { overSoft: boolean; overflow: boolean; removable: number } {
    const { settings } = this.context;
    const { messages, entries, bytes } = this.history;
    const { soft_limit_messages: soft, hard_limit_messages: hard, hard_limit_mb } = settings.history;
    const isLarge = bytes > hard_limit_mb * 1024 * 1024;
    if (!isLarge && messages.length <= Math.min(soft, hard)) return WITHIN;
    // Roughly: what really leaves is decided over the file, with the size of each.
    const each = isLarge ? bytes / Math.max(1, entries) : 0;
    const trim = trimOf(
      messages.map(({ key, filed }) => trimmableOf(this.context, key, filed.message, each)),
      settings.history,
    );
    return { overSoft: trim.overSoft, overflow: trim.overflow, removable: trim.remove.size };
  }

  get #isHeld(): boolean {
    return this.context.isHeld?.() === true;
  }

  /** Once, when it begins. */
  #logOverflow(): void {
    const { overflow } = this.#limits();
    const { entries: messages, bytes } = this.history;
    if (overflow && !this.#isOverflowing)
      this.context.log.write({ level: "warn", event: "history_overflow", messages, bytes });
    this.#isOverflowing = overflow;
  }

  #markFor(key: MessageKey, standing: unknown): Mark | undefined {
    const { ledger, zone, clock, settings, retries } = this.context;
    const entry = ledger.get(key);
    if (entry === undefined) return undefined;
    const tier = tierOf(entry.day, zone.dayOf(clock.now()), settings.archive.recent_days);
    const isRecent = tier.to === "verbatim";
    return markOf({
      settled: entry.held === undefined,
      taken: this.#taken.has(entry.key),
      covered: isRecent || this.summaries.isCovered(entry.scope, entry.day),
      summaryUnderway: !isRecent && this.summaries.isUnderWay(targetKey(entry.scope, tier.date)),
      retry: isRecent ? undefined : retries.get(entry.scope, tier.date),
      standing,
    });
  }
}

const WITHIN = { overSoft: false, overflow: false, removable: 0 };

function doubted({ known: _known, ...state }: ListState): ListState {
  return { ...state, stamp: "" };
}
