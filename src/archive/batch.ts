/**
 * One reading of a file, message by message: which key each counts under, and what of it is new. Messages
 * of it know of each other before the ledger does, which it does not change. No I/O.
 */
import {
  defaultOwnerOf,
  idOfKey,
  isGroup,
  keyOf,
  type MessageKey,
  scopeOf,
  sessionOf,
} from "../model/address.js";
import { defined, groupBy } from "../model/collections.js";
import type { FiledMessage, Message } from "../model/message.js";
import { DAY_MS, type EpochMs, parseInstant } from "../model/time.js";
import { isInput, type JournalEntry, type Origin, standsAlone } from "../protocol/journal.js";
import { apartId, copyHash, isGiven, named, placeHash, versionHash } from "./identity.js";
import type { Ledger } from "./ledger.js";
import type { LedgerEntry } from "./ledger-entry.js";
import { SAME_WITHIN_MS, Tellings } from "./tellings.js";

/** Beyond this a future date is a mistake. */
const MOST_AHEAD_MS = DAY_MS;

type Placed = Pick<LedgerEntry, "session" | "createdAt" | "filedAt" | "role" | "from">;

export class Batch {
  readonly entries: JournalEntry[] = [];
  readonly forgotten = new Set<MessageKey>();
  readonly #places = new Map<MessageKey, Placed>();
  readonly #hashes = new Map<MessageKey, string>();
  readonly #owners = new Map<Message, string | undefined>();
  readonly #aliases = new Map<MessageKey, MessageKey>();
  readonly #claimed = new Set<MessageKey>();
  readonly #speakers = new Map<string, string>();
  #twins: Map<string, LedgerEntry[]> | undefined;
  readonly #tellings: Tellings;

  constructor(
    readonly ledger: Ledger,
    readonly from: Origin,
    readonly now: EpochMs,
    present: readonly Message[],
  ) {
    const reading = standsAlone(from)
      ? present.map((message) => ({ message, at: this.#timeOf(message) }))
      : [];
    this.#tellings = new Tellings(ledger, from, reading);
  }

  /** The key that a message counts under, and the message under that key's id. */
  place(message: Message, ownId: boolean): { key: MessageKey; message: Message } {
    const owner = this.#ownerOf(message);
    const key = this.#keyOf(message, ownId);
    const final = named(message, idOfKey(key));
    this.#owners.set(final, owner);
    const { createdAt, role } = message;
    const filedAt = this.#timeOf(message);
    const placed = { session: sessionOf(message), createdAt, filedAt, role, from: this.from };
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
    const stale = (isInput(this.from) && (met || crossed)) || !isLast;
    if (!stale && known.hash !== hash) this.#record(key, message);
  }

  #keyOf(message: Message, ownId: boolean): MessageKey {
    const scope = scopeOf(message);
    const key = keyOf(scope, message.id);
    const target = this.#aliases.get(key) ?? this.ledger.resolve(key);
    const known = this.#placeOf(target);
    const isTold = target !== key && standsAlone(this.from) && known?.role === message.role;
    if (isTold && this.#isTelling(target, known, message)) return target;
    if (known !== undefined && this.#isSame(target, known, message)) return target;
    if (known === undefined && this.#isForgotten(key, message)) return key;
    const isStub = this.ledger.isStub(key);
    if (known === undefined && isStub && this.ledger.isStub(key, placeHash(message))) return key;
    if (known !== undefined || isStub || this.ledger.isForgotten(key)) return keyOf(scope, apartId(message));
    const twin = this.#twinOf(message, ownId);
    if (twin === undefined) return key;
    this.#claimed.add(twin.key);
    this.#aliases.set(key, twin.key);
    this.entries.push({ op: "alias", key, of: twin.key });
    return twin.key;
  }

  /** One without a time is that of its id. */
  #isForgotten(key: MessageKey, message: Message): boolean {
    const { ledger } = this;
    if (message.createdAt === "") return ledger.isForgotten(key);
    if (!ledger.forgotten.isEmpty && ledger.isForgotten(key, placeHash(message))) return true;
    return this.from === "import" && this.#tellings.isForgotten(key, message, this.#timeOf(message));
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

  /** Told under its other name: each side has a time of its own. A copy in another conversation says the same. */
  #isTelling(key: MessageKey, known: Placed, message: Message): boolean {
    return known.session === sessionOf(message) || this.ledger.get(key)?.hash === versionHash(message);
  }

  /** What a conversation that was resumed or forked brought along of the one before. */
  #isCopy(key: MessageKey, { createdAt, filedAt }: Placed, message: Message): boolean {
    const hash = versionHash(message);
    if (this.from !== "import" || createdAt === "" || this.ledger.get(key)?.hash !== hash) return false;
    return copyHash(message, hash) === copyHash({ role: message.role, createdAt, filedAt }, hash);
  }

  /** One side is what waits for the agent, the other what was said. */
  #crosses(from: LedgerEntry["from"]): boolean {
    if (from === "verbatim" || standsAlone(from) || standsAlone(this.from)) return false;
    return isInput(from) !== isInput(this.from);
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
    if (this.from === "salvage") return undefined;
    if (standsAlone(this.from)) return this.#tellings.otherOf(message);
    // Those that have a second name already are taken.
    const twins = (this.#twins ??= groupBy(this.ledger.seenOnOneSide(), twinKey));
    const at = this.#timeOf(message);
    const { role } = message;
    const [scope, session, hash] = [scopeOf(message), sessionOf(message), versionHash(message)];
    const wanted = twinKey({ role, scope, session, hash, belongsTo: defaultOwnerOf(message) ?? "" });
    return (twins.get(wanted) ?? []).find(
      (entry) =>
        isInput(entry.from) !== isInput(this.from) &&
        (!ownId || isGiven(idOfKey(entry.key))) &&
        !this.#claimed.has(entry.key) &&
        Math.abs(entry.filedAt - at) <= SAME_WITHIN_MS,
    );
  }
}

/** What an inbox message and its copy in history share. */
function twinKey(entry: Pick<LedgerEntry, "role" | "scope" | "session" | "hash" | "belongsTo">): string {
  return JSON.stringify([entry.role, entry.scope, entry.session, entry.belongsTo ?? "", entry.hash]);
}
