/**
 * history.json and inbox.json as memd knows them: taken in when they change,
 * history kept with its marks and within its limits.
 *
 * Nothing here must survive: both are read again at the start.
 */
import { keyOfMessage, type MessageKey } from "../model/address.js";
import type { FiledMessage } from "../model/message.js";
import { stampOf } from "../platform/files.js";
import { anyReplaced, letGoReplaced, noneSeen, takeLateSaves } from "../protocol/displaced.js";
import { parseListBytes, readListOnce } from "../protocol/read-list.js";
import { at, FILES } from "../protocol/workspace.js";
import type { ArchiveContext } from "./context.js";
import { filedUnder, takeIn } from "./intake.js";
import { mergeLateSave } from "./late-saves.js";
import { type Mark, mirrorHistory, withMark } from "./list-file.js";
import {
  alignedState,
  EMPTY_STATE,
  type ListState,
  loadReadings,
  type Readings,
  rewrittenState,
} from "./list-state.js";
import { noteRemovals, takeDrops, takeList } from "./take-list.js";
import { trimmableOf, trimOf } from "./trim.js";

/** The mark of a message, by its key and what history.json says now; undefined where nothing is known of it. */
type MarkFor = (key: MessageKey, standing: unknown) => Mark | undefined;

export class HostLists {
  history: ListState = EMPTY_STATE;
  inbox: ListState = EMPTY_STATE;
  #readings: Readings = {};
  #isOverflowing = false;
  readonly #brokenDrops = new Set<string>();
  readonly #lateSaves = noneSeen();

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
    const { writer, workspace, clock } = this.context;
    await takeLateSaves(writer, workspace, this.#lateSaves, clock.now(), (save) =>
      mergeLateSave(this.context, save, this.#readings),
    );
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
    return this.#lateSaves.files.size > 0;
  }

  get unarchived(): number {
    return this.history.messages.filter(({ mirror }) => mirror["archived"] !== true).length;
  }

  limits(): { overSoft: boolean; overflow: boolean; removable: number } {
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

const WITHIN = { overSoft: false, overflow: false, removable: 0 };

function doubted({ known: _known, ...state }: ListState): ListState {
  return { ...state, stamp: "" };
}

/** A larger one is taken in first: reading it twice would hold up more than a disk does. */
const MOST_BYTES = 256 * 1024;

/**
 * What waits, seen before it is journalled: an agent that waits for its prompt need not wait for the
 * disk as well. Undefined where it stands as before, the history has changed too, or messages are in
 * it that have no id yet, or have one of another.
 */
async function peekInbox(
  { writer: { disk }, workspace, ledger, clock }: ArchiveContext,
  { inbox, history }: Record<"inbox" | "history", ListState>,
): Promise<FiledMessage[] | undefined> {
  const [stat, beside] = [
    await disk.stat(at(workspace, FILES.inbox)),
    await disk.stat(at(workspace, FILES.history)),
  ];
  const isAlone = stampOf(stat) !== inbox.stamp && stampOf(beside) === history.stamp;
  if (!isAlone || (stat?.size ?? 0) > MOST_BYTES) return undefined;
  const reading = await readListOnce(disk, at(workspace, FILES.inbox));
  if (reading.is !== "list") return undefined;
  const messages = reading.list.entries.flatMap(({ message }) => message ?? []);
  if (messages.some(({ id }) => id === undefined)) return undefined;
  const now = clock.now();
  const { keys, entries, forgotten } = takeIn(ledger, messages, "inbox", undefined, now);
  if (new Set(keys).size < keys.length) return undefined;
  const fresh = new Map(
    entries.flatMap((entry) =>
      entry.op === "message" ? [[keyOfMessage(entry.filed.message), entry.filed]] : [],
    ),
  );
  return messages.flatMap((message, index): FiledMessage[] => {
    const key = keys[index];
    if (key === undefined || forgotten.has(key)) return [];
    return [filedUnder(key, message, ledger.get(key) ?? fresh.get(key) ?? { filedAt: now })];
  });
}

/** Lets go what a killed memd had replaced, and what still holds what is forgotten. */
async function clearReplaced(context: ArchiveContext, readings: Readings): Promise<void> {
  const { writer, workspace, ledger, clock } = context;
  if (ledger.forgotten.isEmpty) return;
  for (const name of ["history", "inbox"] as const) {
    const holds = async (bytes: Uint8Array): Promise<boolean> => {
      const reading = await parseListBytes(bytes);
      // Torn by a loss of power: nobody can say what it holds, and nobody saved it.
      if (reading.is !== "list") return true;
      const messages = reading.list.entries.flatMap(({ message }) =>
        message === undefined ? [] : [message],
      );
      return takeIn(ledger, messages, name, readings[name], clock.now()).forgotten.size > 0;
    };
    if (await anyReplaced(writer, workspace, FILES[name], holds))
      await letGoReplaced(writer, workspace, FILES[name]);
  }
}
