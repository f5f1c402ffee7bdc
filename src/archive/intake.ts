/**
 * Intake: what a reading of a file says that the journal does not know yet.
 *
 * `takeIn` is pure, over a ledger that it does not change: it returns journal
 * entries, and only when they are durable are they applied (`journalMessages`).
 */
import { defined, groupBy } from "../model/collections.js";
import type { FiledMessage, IncomingMessage, Message, MessageId } from "../model/message.js";
import {
  defaultOwnerOf,
  idOfKey,
  isGroup,
  keyOf,
  type MessageKey,
  scopeOf,
  sessionOf,
} from "../model/address.js";
import { type Day, DAY_MS, type EpochMs, MINUTE_MS, parseInstant } from "../model/time.js";
import type { JournalEntry, JournalPlace, Origin } from "../protocol/journal.js";
import type { ArchiveContext } from "./context.js";
import {
  apartId,
  idsFor,
  isGiven,
  named,
  naturalHash,
  placeHash,
  versionHash,
  type Read,
} from "./identity.js";
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
  /** Keys among these that were told to be forgotten: nothing was taken in of them. */
  forgotten: ReadonlySet<MessageKey>;
  /** The reading to align the next one with. */
  reading: Read[];
}

/**
 * Messages of one file in its order. `previous` is the last reading's `reading`;
 * undefined when none is known.
 */
export function takeIn(
  ledger: Ledger,
  messages: readonly IncomingMessage[],
  from: Origin,
  previous: readonly Read[] | undefined,
  now: EpochMs,
): Intake {
  const { ids, reading } = namesFor(ledger, messages, previous);
  const batch = new Batch(ledger, from, now);
  const placed = messages.map((message, index) =>
    batch.place(named(message, ids[index] as MessageId), message.id !== undefined),
  );
  const lastAt = new Map(placed.map(({ key }, index) => [key, index]));
  for (const [index, { key, message }] of placed.entries())
    batch.take(key, message, lastAt.get(key) === index);
  const { entries, forgotten } = batch;
  return { entries, keys: placed.map(({ key }) => key), forgotten, reading };
}

/** The id of each message. Ids that memd wrote into the file still take part in the alignment: the host may drop them. */
function namesFor(
  ledger: Ledger,
  messages: readonly IncomingMessage[],
  previous: readonly Read[] | undefined,
) {
  const explicit = new Set(messages.flatMap(({ id }) => (id === undefined ? [] : [id])));
  const nameless = messages.filter((message) => message.id === undefined);
  const given = idsFor(
    previous?.filter((read) => !explicit.has(read.id)),
    nameless.map((message) => ({ natural: naturalHash(message), timed: message.createdAt !== "" })),
    (id, index) => explicit.has(id) || ledger.get(keyOf(scopeOf(nameless[index] ?? {}), id)) !== undefined,
  );
  let next = 0;
  const ids = messages.map(({ id }) => id ?? (given[next++] as MessageId));
  const reading = messages.flatMap((message, index): Read[] => {
    const id = ids[index] as MessageId;
    return takesPart(message) ? [{ natural: naturalHash(message), id }] : [];
  });
  return { ids, reading };
}

/** Whether a message stands in the reading that the next one is aligned with: it has no id, or one that memd gave. */
export function takesPart(message: IncomingMessage | undefined): boolean {
  return message !== undefined && (message.id === undefined || isGiven(message.id));
}

/** A message of a list, under the id it has there, with what is known of its key. */
export function filedUnder(
  key: MessageKey,
  message: IncomingMessage,
  { filedAt, belongsTo }: Pick<FiledMessage, "filedAt" | "belongsTo">,
): FiledMessage {
  return defined({ message: { ...message, id: message.id ?? idOfKey(key) }, filedAt, belongsTo });
}

type Placed = Pick<LedgerEntry, "session" | "createdAt" | "role" | "from">;

/** One reading: messages of it know of each other before the ledger does. */
class Batch {
  readonly entries: JournalEntry[] = [];
  readonly forgotten = new Set<MessageKey>();
  readonly #places = new Map<MessageKey, Placed>();
  readonly #hashes = new Map<MessageKey, string>();
  readonly #owners = new Map<Message, string | undefined>();
  readonly #aliases = new Map<MessageKey, MessageKey>();
  readonly #claimed = new Set<MessageKey>();
  readonly #speakers = new Map<string, string>();
  #twins: Map<string, LedgerEntry[]> | undefined;

  constructor(
    readonly ledger: Ledger,
    readonly from: Origin,
    readonly now: EpochMs,
  ) {}

  /** The key that a message counts under, and the message under that key's id. */
  place(message: Message, ownId: boolean): { key: MessageKey; message: Message } {
    const owner = this.#ownerOf(message);
    const key = this.#keyOf(message, ownId);
    const final = named(message, idOfKey(key));
    this.#owners.set(final, owner);
    const { createdAt, role } = message;
    const placed = { session: sessionOf(message), createdAt, role, from: this.from };
    if (!this.#places.has(key)) this.#places.set(key, placed);
    return { key, message: final };
  }

  /** Records what is new of it. `isLast`: no later message of this reading has the same key. */
  take(key: MessageKey, message: Message, isLast: boolean): void {
    const known = this.ledger.get(key);
    const hash = versionHash(message);
    if (known === undefined) {
      if (this.#isForgotten(key, message)) this.forgotten.add(key);
      else if (!this.ledger.isStub(key) && this.#hashes.get(key) !== hash) this.#record(key, message);
      return;
    }
    const crossed = this.#crosses(known.from);
    const met = this.ledger.hasMet(key) || this.#aliases.has(key);
    if (crossed && !met) {
      this.#aliases.set(key, key);
      this.entries.push({ op: "alias", key, of: key });
    }
    // Where both sides have it, history says what the text is; an earlier copy in one reading is an old version.
    const stale = (isInput(this) && (met || crossed)) || !isLast;
    if (!stale && known.hash !== hash) this.#record(key, message);
  }

  #keyOf(message: Message, ownId: boolean): MessageKey {
    const scope = scopeOf(message);
    const key = keyOf(scope, message.id);
    const target = this.#aliases.get(key) ?? this.ledger.resolve(key);
    const known = this.#placeOf(target);
    if (known !== undefined && this.#isSame(target, known, message)) return target;
    if (known === undefined && this.#isForgotten(key, message)) return key;
    if (known === undefined && this.ledger.isStub(key, placeHash(message))) return key;
    if (known !== undefined || this.ledger.isStub(key) || this.ledger.isForgotten(key))
      return keyOf(scope, apartId(message));
    const twin = this.#twinOf(message, ownId);
    if (twin === undefined) return key;
    this.#claimed.add(twin.key);
    this.#aliases.set(key, twin.key);
    this.entries.push({ op: "alias", key, of: twin.key });
    return twin.key;
  }

  /** One without a time is that of its id. */
  #isForgotten(key: MessageKey, message: Message): boolean {
    return this.ledger.isForgotten(key, message.createdAt === "" ? undefined : placeHash(message));
  }

  #placeOf(key: MessageKey): Placed | undefined {
    return this.#places.get(key) ?? this.ledger.get(key);
  }

  /** The same message, or another one that came under its id. Inbox and history may differ in the time. */
  #isSame(key: MessageKey, known: Placed, message: Message): boolean {
    if (known.role !== message.role) return false;
    if (known.session !== sessionOf(message)) return this.#isCopy(key, known, message);
    if (message.createdAt === "" || known.createdAt === "") return true;
    if (placeHash(known) === placeHash(message)) return true;
    return this.#crosses(known.from) || this.ledger.hasMet(key);
  }

  /** What a conversation that was resumed or forked brought along of the one before. */
  #isCopy(key: MessageKey, { createdAt, session }: Placed, message: Message): boolean {
    if (this.from !== "import" || createdAt === "" || this.ledger.get(key)?.hash !== versionHash(message))
      return false;
    return placeHash({ ...message, session }) === placeHash({ ...message, session, createdAt });
  }

  /** One side is what waits for the agent, the other what was said. */
  #crosses(from: LedgerEntry["from"]): boolean {
    if (from === "verbatim" || from === "import" || this.from === "import") return false;
    return isInput({ from }) !== isInput(this);
  }

  #record(key: MessageKey, message: Message): void {
    this.entries.push({ op: "message", from: this.from, seenAt: this.now, filed: this.#file(key, message) });
    this.#hashes.set(key, versionHash(message));
  }

  #file(key: MessageKey, message: Message): FiledMessage {
    const filedAt = this.ledger.get(key)?.filedAt ?? this.#timeOf(message);
    return defined({ message, filedAt, belongsTo: this.#owners.get(message) });
  }

  /** What a message seen now for the first time is filed under. */
  #timeOf(message: Message): EpochMs {
    const said = parseInstant(message.createdAt);
    return said === undefined || said > this.now + MOST_AHEAD_MS ? this.now : said;
  }

  /** The sender, or the user that an agent, tool or system message answers in its session: who spoke before it. */
  #ownerOf(message: Message): string | undefined {
    const scope = scopeOf(message);
    const place = `${scope}\u0000${sessionOf(message)}`;
    const own = defaultOwnerOf(message);
    if (message.role === "user") {
      if (own !== undefined) this.#speakers.set(place, own);
      return own;
    }
    if (message.user !== undefined || isGroup(scope)) return message.user;
    return this.#speakers.get(place) ?? this.ledger.lastSpeaker(scope, sessionOf(message), this.from) ?? own;
  }

  /** The inbox message that this history message is, or the other way round, where one of them has no id of its own. */
  #twinOf(message: Message, ownId: boolean): LedgerEntry | undefined {
    if (this.from === "import" || this.from === "salvage") return undefined;
    // Those that have a second name already are taken.
    const twins = (this.#twins ??= groupBy(this.ledger.seenOnOneSide(), twinKey));
    const at = this.#timeOf(message);
    const { role } = message;
    const [scope, session, hash] = [scopeOf(message), sessionOf(message), versionHash(message)];
    const wanted = twinKey({ role, scope, session, hash, belongsTo: defaultOwnerOf(message) ?? "" });
    return (twins.get(wanted) ?? []).find(
      (entry) =>
        isInput(entry) !== isInput(this) &&
        (!ownId || isGiven(idOfKey(entry.key))) &&
        !this.#claimed.has(entry.key) &&
        Math.abs(entry.filedAt - at) <= SAME_WITHIN_MS,
    );
  }
}

/** It came as what waits for the agent. */
export function isInput({ from }: Pick<LedgerEntry, "from">): boolean {
  return from === "inbox" || from === "drop";
}

/** What an inbox message and its copy in history share. */
function twinKey(entry: Pick<LedgerEntry, "role" | "scope" | "session" | "hash" | "belongsTo">): string {
  return JSON.stringify([entry.role, entry.scope, entry.session, entry.belongsTo ?? "", entry.hash]);
}

/**
 * Makes messages durable; the key of each, and which of these are forgotten. Nothing is
 * known of them until this returns. `keep` gets the reading to align the next one with and must
 * make it durable first: an id that was given once is not given again, whatever crashes.
 */
export async function journalMessages(
  context: ArchiveContext,
  messages: readonly IncomingMessage[],
  from: Origin,
  previous?: readonly Read[],
  keep?: (reading: Read[]) => Promise<void>,
): Promise<Pick<Intake, "keys" | "forgotten">> {
  const { ledger, clock, zone } = context;
  const now = clock.now();
  const { entries, keys, forgotten, reading } = takeIn(ledger, messages, from, previous, now);
  await keep?.(reading);
  await record(context, entries, zone.dayOf(now));
  return { keys, forgotten };
}

/** The one way a fact gets into the ledger: by a journal line that is durable. */
export async function record(
  { journal, ledger }: Pick<ArchiveContext, "journal" | "ledger">,
  entries: readonly JournalEntry[],
  day: Day,
): Promise<void> {
  const places = await journal.append(entries, day);
  for (const [index, entry] of entries.entries()) ledger.apply(entry, places[index] as JournalPlace);
}
