/**
 * Intake: what a reading of a file says that the journal does not know yet.
 *
 * Pure, over a ledger that it does not change: it returns journal entries, and
 * only when they are durable are they applied.
 */
import {
  idOfKey,
  isGroup,
  keyOf,
  defaultOwnerOf,
  scopeOf,
  sessionOf,
  type FiledMessage,
  type IncomingMessage,
  type Message,
  type MessageId,
  type MessageKey,
} from "../model/message.js";
import { DAY_MS, MINUTE_MS, parseInstant, type EpochMs } from "../model/time.js";
import type { JournalEntry, Origin } from "../protocol/journal.js";
import { apartId, idsFor, named, naturalHash, versionHash, type Read } from "./identity.js";
import type { Ledger, LedgerEntry } from "./ledger.js";

/** Beyond this a future date is a mistake. */
const MOST_AHEAD_MS = DAY_MS;
/** An inbox message and a history message of one text this close are one message. */
const SAME_WITHIN_MS = 10 * MINUTE_MS;

export interface Intake {
  /** What must be made durable. */
  entries: JournalEntry[];
  /** The key of each message given, in order. */
  keys: MessageKey[];
  /** The reading to align the next one with. */
  reading: Read[];
}

/** Messages of one file in its order. `previous` is the last reading's `reading`. */
export function takeIn(
  ledger: Ledger,
  messages: readonly IncomingMessage[],
  from: Origin,
  previous: readonly Read[],
  now: EpochMs,
): Intake {
  const nameless = messages.filter((message) => message.id === undefined).map(naturalHash);
  const ids = idsFor(previous, nameless);
  const reading = nameless.map((natural, index): Read => ({ natural, id: ids[index] as MessageId }));
  const batch = new Batch(ledger, from, now);
  let next = 0;
  const withIds = messages.map((message) => named(message, message.id ?? (ids[next++] as MessageId)));
  const lastAt = new Map(withIds.map((message, index) => [keyOf(scopeOf(message), message.id), index]));
  const keys = withIds.map((message, index) =>
    batch.take(
      message,
      messages[index]?.id !== undefined,
      lastAt.get(keyOf(scopeOf(message), message.id)) === index,
    ),
  );
  return { entries: batch.entries, keys, reading };
}

/** One reading: messages of it know of each other before the ledger does. */
class Batch {
  readonly entries: JournalEntry[] = [];
  readonly #seen = new Map<
    MessageKey,
    { hash: string; session: string; createdAt: string; from: LedgerEntry["from"] }
  >();
  readonly #aliases = new Map<MessageKey, MessageKey>();
  readonly #claimed = new Set<MessageKey>();
  readonly #speakers = new Map<string, string>();
  #twins: Map<string, LedgerEntry[]> | undefined;

  constructor(
    readonly ledger: Ledger,
    readonly from: Origin,
    readonly now: EpochMs,
  ) {}

  /** `isLast`: no later message of this reading has the same id. */
  take(message: Message, ownId: boolean, isLast: boolean): MessageKey {
    const scope = scopeOf(message);
    const key = keyOf(scope, message.id);
    const known = this.#known(key);
    if (known !== undefined) {
      if (this.#isSame(known.entry, message)) return this.#again(known.key, known.entry, message, isLast);
      const apart = named(message, apartId(message));
      const apartKey = keyOf(scope, apart.id);
      const before = this.#known(apartKey);
      return before === undefined
        ? this.#add(apartKey, apart)
        : this.#again(before.key, before.entry, apart, true);
    }
    if (this.ledger.isStub(key)) return key;
    const twin = this.#twinOf(message, ownId);
    if (twin === undefined) return this.#add(key, message);
    this.#claimed.add(twin.key);
    this.#aliases.set(key, twin.key);
    this.entries.push({ op: "alias", key, of: twin.key });
    return twin.key;
  }

  #known(key: MessageKey) {
    const target = this.#aliases.get(key) ?? this.ledger.resolve(key);
    const entry = this.#seen.get(target) ?? this.ledger.get(target);
    return entry === undefined ? undefined : { key: target, entry };
  }

  /** The same message, or another one that came under its id. Inbox and history may differ in the time. */
  #isSame(known: Pick<LedgerEntry, "session" | "createdAt" | "from">, message: Message): boolean {
    if (known.session !== sessionOf(message)) return false;
    if (known.createdAt === message.createdAt || message.createdAt === "" || known.createdAt === "")
      return true;
    const crossed = isInput(known.from) !== isInput(this.from);
    return crossed && known.from !== "verbatim" && known.from !== "import";
  }

  #again(
    key: MessageKey,
    known: Pick<LedgerEntry, "hash" | "from">,
    message: Message,
    isLast: boolean,
  ): MessageKey {
    const crossed =
      isInput(known.from) !== isInput(this.from) && known.from !== "verbatim" && known.from !== "import";
    const met = this.ledger.hasMet(key) || this.#aliases.has(key);
    if (crossed && !met && this.from !== "import") {
      this.#aliases.set(key, key);
      this.entries.push({ op: "alias", key, of: key });
    }
    // Where both sides have it, history says what the text is; an earlier copy in one reading is an old version.
    const stale = (isInput(this.from) && (met || crossed)) || (!isLast && this.ledger.get(key) !== undefined);
    const version = named(message, idOfKey(key));
    if (!stale && known.hash !== versionHash(message)) this.#record(key, version);
    return key;
  }

  #add(key: MessageKey, message: Message): MessageKey {
    this.#record(key, message);
    return key;
  }

  #record(key: MessageKey, message: Message): void {
    const filed = this.#file(key, message);
    this.entries.push({ op: "message", from: this.from, seenAt: this.now, filed });
    const { createdAt } = message;
    this.#seen.set(key, {
      hash: versionHash(message),
      session: sessionOf(message),
      createdAt,
      from: this.from,
    });
  }

  #file(key: MessageKey, message: Message): FiledMessage {
    const said = parseInstant(message.createdAt);
    const first = this.ledger.get(key)?.filedAt;
    const filedAt = first ?? (said === undefined || said > this.now + MOST_AHEAD_MS ? this.now : said);
    const belongsTo = this.#ownerOf(message);
    return { message, filedAt, ...(belongsTo === undefined ? {} : { belongsTo }) };
  }

  /** The sender, or the user that an agent, tool or system message answers in its session. */
  #ownerOf(message: Message): string | undefined {
    const scope = scopeOf(message);
    const place = `${scope}\u0000${sessionOf(message)}`;
    const own = defaultOwnerOf(message);
    if (message.role === "user") {
      if (own !== undefined) this.#speakers.set(place, own);
      return own;
    }
    if (message.user !== undefined || isGroup(scope)) return message.user;
    return this.#speakers.get(place) ?? this.ledger.lastSpeaker(scope, sessionOf(message)) ?? own;
  }

  /** The inbox message that this history message is, or the other way round, where one of them has no id of its own. */
  #twinOf(message: Message, ownId: boolean): LedgerEntry | undefined {
    if (this.from === "import" || this.from === "salvage") return undefined;
    const twins = (this.#twins ??= this.#index());
    const at = parseInstant(message.createdAt) ?? this.now;
    return (
      twins.get(twinKey(message.role, scopeOf(message), sessionOf(message), versionHash(message))) ?? []
    ).find(
      (entry) =>
        isInput(entry.from) !== isInput(this.from) &&
        (!ownId || isNatural(entry.key)) &&
        !this.#claimed.has(entry.key) &&
        Math.abs(entry.filedAt - at) <= SAME_WITHIN_MS,
    );
  }

  /** Recent messages by what twins share. Those that have a second name already are taken. */
  #index(): Map<string, LedgerEntry[]> {
    const twins = new Map<string, LedgerEntry[]>();
    for (const entry of this.ledger.seenOnOneSide()) {
      const key = twinKey(entry.role, entry.scope, entry.session, entry.hash);
      twins.set(key, [...(twins.get(key) ?? []), entry]);
    }
    return twins;
  }
}

function isInput(from: LedgerEntry["from"]): boolean {
  return from === "inbox" || from === "drop";
}

function isNatural(key: MessageKey): boolean {
  return idOfKey(key).startsWith("n-");
}

function twinKey(...parts: string[]): string {
  return parts.join("\u0000");
}
