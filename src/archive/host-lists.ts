/**
 * history.json and inbox.json as memd knows them: taken in when they change,
 * history kept with its marks and within its limits.
 *
 * Nothing here must survive: both are read again at the start.
 */
import type { MessageKey } from "../model/address.js";
import type { FiledMessage } from "../model/message.js";
import type { ArchiveContext } from "./context.js";
import { clearReplaced } from "./forget-replaced.js";
import { mergeLateSaves, type SeenSaves } from "./late-saves.js";
import { mirrorHistory } from "./list-file.js";
import { alignedState, EMPTY_STATE, rewrittenState, type ListState } from "./list-state.js";
import { withMark, type Mark } from "./marks.js";
import { peekInbox } from "./peek.js";
import { loadReadings, type Readings } from "./readings.js";
import { noteRemovals } from "./removals.js";
import { trimmableOf } from "./settled.js";
import { takeDrops } from "./take-drops.js";
import { takeList } from "./take-list.js";
import { trimOf } from "./trim.js";

/** The mark of a message, by its key and what history.json says now; undefined where nothing is known of it. */
type MarkFor = (key: MessageKey, standing: unknown) => Mark | undefined;

export class HostLists {
  history: ListState = EMPTY_STATE;
  inbox: ListState = EMPTY_STATE;
  #readings: Readings = {};
  #isOverflowing = false;
  readonly #brokenDrops = new Set<string>();
  readonly #lateSaves: SeenSaves = new Map();

  constructor(readonly context: ArchiveContext) {}

  /** The first look; what is forgotten goes from files that a killed memd had replaced. */
  async start(): Promise<void> {
    this.#readings = await loadReadings(this.context);
    await this.look();
    await clearReplaced(this.context, this.#readings);
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

  /** The next look reads both lists whatever their times say. */
  doubtStamps(): void {
    // What is unreadable and stands unchanged is not waited for again.
    if (this.history.unreadable === undefined) this.history = { ...this.history, stamp: "" };
    if (this.inbox.unreadable === undefined) this.inbox = { ...this.inbox, stamp: "" };
  }

  /** Takes both lists in once more, whatever their times and bytes say: what was told to be forgotten goes from them. */
  async lookAgain(): Promise<void> {
    this.history = doubted(this.history);
    this.inbox = doubted(this.inbox);
    await this.look();
  }

  /** Brings history.json up to date: marks, limits. Reads and writes it only when something differs. */
  async mirror(markFor: MarkFor): Promise<void> {
    const { context } = this;
    const before = this.history;
    const { known } = before;
    if (before.unreadable !== undefined) return;
    const isStale = before.messages.some(({ key, mirror }) => {
      const mark = markFor(key, mirror["archived"]);
      return mark !== undefined && withMark(mirror, mark) !== undefined;
    });
    if (known !== undefined && (isStale || this.limits().removable > 0)) {
      const rewritten = await mirrorHistory(context, known, this.#readings.history, markFor);
      if (rewritten !== undefined) {
        const { written, kept } = rewritten;
        this.history =
          kept === undefined
            ? await alignedState(context, "history", written, this.#readings)
            : await rewrittenState(context, before, known, written, kept, this.#readings);
      }
    }
    this.#logOverflow();
  }

  /** Replaced files are kept for a minute, and looked at every second. */
  get watchesReplaced(): boolean {
    return this.#lateSaves.size > 0;
  }

  get unarchived(): number {
    return this.history.messages.filter(({ mirror }) => mirror["archived"] !== true).length;
  }

  limits(): { overSoft: boolean; overflow: boolean; removable: number } {
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

  async #takeLists(): Promise<void> {
    this.inbox = await takeList(this.context, "inbox", this.inbox, this.#readings);
    const before = this.history;
    this.history = await takeList(this.context, "history", before, this.#readings);
    if (this.history !== before && this.history.unreadable === undefined)
      await noteRemovals(this.context, before, this);
  }

  /** Once, when it begins. */
  #logOverflow(): void {
    const { overflow } = this.limits();
    const { entries: messages, bytes } = this.history;
    if (overflow && !this.#isOverflowing)
      this.context.log.write({ level: "warn", event: "history_overflow", messages, bytes });
    this.#isOverflowing = overflow;
  }
}

function doubted({ known: _known, ...state }: ListState): ListState {
  return { ...state, stamp: "" };
}
