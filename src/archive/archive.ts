/**
 * The archive of one workspace: the steps the loop has it take, over what the
 * lists of the host, the ledger and the outputs say.
 *
 * Nothing here must survive: at start everything is read off the journal, the
 * outputs and the retries, and a message that a crash left `pending` becomes
 * what its outputs say.
 */
import type { FiledMessage, IncomingMessage } from "../model/message.js";
import type { MessageKey } from "../model/address.js";
import type { EpochMs } from "../model/time.js";
import { pacer } from "../platform/clock.js";
import { parseForgotten } from "../protocol/forgotten.js";
import { readJournal } from "../protocol/journal.js";
import { ifNoText, readText } from "../protocol/publish.js";
import { at, FILES } from "../protocol/workspace.js";
import type { ArchiveContext } from "./context.js";
import { OwedSummaries, type OwedSummary, passReason, type Reason } from "./owed.js";
import { HostLists } from "./host-lists.js";
import { journalMessages } from "./journal-messages.js";
import { takeOver } from "./leftovers.js";
import type { ListState } from "./list-state.js";
import { markOf, type Mark } from "./list-file.js";
import { type Retry, targetKey, tierOf } from "./retries.js";
import { moveOldDays, writeDays } from "./write-days.js";

export class Archive {
  readonly summaries: OwedSummaries;
  readonly #lists: HostLists;
  /** Whose blocks are being written. */
  #taken: ReadonlySet<MessageKey> = new Set();

  constructor(readonly context: ArchiveContext) {
    this.#lists = new HostLists(context);
    this.summaries = new OwedSummaries(context);
  }

  get history(): ListState {
    return this.#lists.history;
  }

  get inbox(): ListState {
    return this.#lists.inbox;
  }

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
    this.summaries.refresh();
    await this.#lists.start();
    await this.mirror();
  }

  /** What waits, where it alone has changed and is not taken in yet. */
  peek(): Promise<FiledMessage[] | undefined> {
    return this.#lists.peek();
  }

  /** Takes in what others wrote: late saves, the inbox, history, drops. */
  look(): Promise<void> {
    return this.#lists.look();
  }

  /** Reads both lists whatever their times say: what was told to be forgotten goes from them. */
  lookAgain(): Promise<void> {
    return this.#lists.lookAgain();
  }

  /** Sees what changed in the memory tree, and has the next look read the lists whatever their times say; days that have grown old move. */
  async rescan(): Promise<void> {
    this.#lists.doubtStamps();
    await this.context.catalogue.refresh(undefined, pacer(this.context.clock));
    await moveOldDays(this.context);
    this.summaries.refresh();
  }

  /** Why a pass should start now, if it should. */
  reason(lastPassAt: EpochMs | undefined): Reason | undefined {
    const { clock, settings, ledger } = this.context;
    const { overSoft, overflow } = this.#lists.limits();
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

  /** Journals messages and writes their blocks straight away; how many were new. */
  async importMessages(messages: readonly IncomingMessage[]): Promise<number> {
    const { ledger } = this.context;
    const before = ledger.size;
    const wanted = new Set((await journalMessages(this.context, messages, "import")).keys);
    await writeDays(
      this.context,
      ledger.unsettled().filter(({ key }) => wanted.has(key)),
    );
    this.summaries.refresh();
    return ledger.size - before;
  }

  /** Brings history.json up to date: marks, limits. */
  mirror(): Promise<void> {
    return this.#lists.mirror((key, standing) => this.#markFor(key, standing));
  }

  /** Replaced files are kept for a minute, and looked at every second. */
  get watchesReplaced(): boolean {
    return this.#lists.watchesReplaced;
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
    return this.#lists.unarchived;
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

  #markFor(key: MessageKey, standing: unknown): Mark | undefined {
    const { ledger, zone, clock, settings, retries } = this.context;
    const entry = ledger.get(key);
    if (entry === undefined) return undefined;
    const tier = tierOf(entry.day, zone.dayOf(clock.now()), settings.archive.recent_days);
    const retry = tier.to === "verbatim" ? undefined : retries.get(entry.scope, tier.date);
    return markOf({
      settled: entry.held === undefined,
      taken: this.#taken.has(entry.key),
      covered: tier.to === "verbatim" || this.summaries.isCovered(entry.scope, entry.day),
      summaryUnderway: tier.to !== "verbatim" && this.summaries.isUnderWay(targetKey(entry.scope, tier.date)),
      ...(retry === undefined ? {} : { retry }),
      standing,
    });
  }
}
