/**
 * The ledger: what is known of every message, by key. Built from the journal
 * and the verbatim files at start, kept up as lines are written.
 *
 * No I/O. It holds a message's text only until its block is written. It changes
 * only by entries that are durable already, so it is never ahead of the disk.
 */
import { defined } from "../model/collections.js";
import type { FiledMessage } from "../model/message.js";
import { keyOfMessage, type MessageKey, type ScopeId, scopeOfKey } from "../model/address.js";
import type { Day, Zone } from "../model/time.js";
import { type JournalEntry, type JournalPlace, type Origin, standsAlone } from "../protocol/journal.js";
import { Forgotten } from "../protocol/forgotten.js";
import { Conversations } from "./conversations.js";
import { placeHash } from "./identity.js";
import { ImportOrder } from "./import-order.js";
import { EntryMaking, type LedgerEntry } from "./ledger-entry.js";
import { type Sighting, sightingOf } from "./sighting.js";
import { Speakers } from "./speakers.js";

/** Of the messages that may still meet their other half; a few conversations' worth of the last minutes. */
const MOST_LIVE = 500;

/** A message of the journal whose words were not read. */
export interface Seen {
  op: "seen";
  from: Origin;
  sighting: Sighting;
}

/** A line of the journal that told of a message. */
interface Sighted {
  hash: string;
  /** Where it was known from. */
  before: LedgerEntry["from"] | undefined;
  from: Origin;
  place: JournalPlace;
  filed?: FiledMessage | undefined;
}

export class Ledger {
  /** What was told to be forgotten: it does not come in again, wherever it comes from. */
  readonly forgotten = new Forgotten();
  readonly imports = new ImportOrder();
  readonly #entries = new Map<MessageKey, LedgerEntry>();
  readonly #making = new EntryMaking();
  readonly #aliases = new Map<MessageKey, MessageKey>();
  /** Messages that have a second name. */
  readonly #met = new Set<MessageKey>();
  readonly #unsettled = new Map<MessageKey, LedgerEntry>();
  /** Settled keys of which nothing else is known any more: their block was deleted, or the journal pruned. */
  readonly #stubs = new Map<MessageKey, { hash: string; place: string | undefined }>();
  /** Messages that came through history or inbox, newest last: an inbox message may turn up in history without its id. */
  #live: LedgerEntry[] = [];
  readonly #speakers = new Speakers();
  readonly #conversations = new Conversations();
  #seen = 0;
  /** Counts up with the messages that were told with their words. */
  heard = 0;

  constructor(readonly zone: Zone) {}

  get size(): number {
    return this.#entries.size;
  }

  entries(): IterableIterator<LedgerEntry> {
    return this.#entries.values();
  }

  /** Messages that no block holds yet, each with its line of the journal. */
  unfiled(): ({ filed: FiledMessage } & JournalPlace)[] {
    return this.unsettled().flatMap(({ held, place, settled }) =>
      held === undefined || place === undefined || settled !== undefined ? [] : [{ filed: held, ...place }],
    );
  }

  /** Of one conversation of a place, whoever speaks in it, oldest first; of one moment in the order in which they were first seen. */
  conversation(scope: ScopeId, session: string): readonly LedgerEntry[] {
    return this.#conversations.of(scope, session, () => this.#entries.values());
  }

  /** Other names of a message. */
  aliasesOf(key: MessageKey): MessageKey[] {
    return [...this.#aliases].flatMap(([alias, of]) => (of === key && alias !== key ? [alias] : []));
  }

  /** Settled keys of a scope of which nothing else is known any more. */
  stubsOf(scope: ScopeId): { key: MessageKey; place?: string }[] {
    return [...this.#stubs].flatMap(([key, { place }]) =>
      scopeOfKey(key) !== scope || this.#entries.has(key) ? [] : [defined({ key, place })],
    );
  }

  /** Whether it is forgotten; with `place`, only the message of that session and time. */
  isForgotten(key: MessageKey, place?: string): boolean {
    return this.forgotten.hasMessage(key, place);
  }

  /** Nothing is known of what has been forgotten. */
  dropForgotten(): void {
    const gone = new Set<MessageKey>();
    for (const [key, entry] of this.#entries) if (this.isForgotten(key, placeHash(entry))) gone.add(key);
    for (const key of gone) {
      this.#entries.delete(key);
      this.#unsettled.delete(key);
      this.#stubs.delete(key);
    }
    for (const [key, { place }] of this.#stubs) if (this.isForgotten(key, place)) this.#stubs.delete(key);
    for (const [alias, of] of this.#aliases) if (gone.has(of)) this.#aliases.delete(alias);
    for (const key of gone) this.#met.delete(key);
    this.#live = this.#live.filter(({ key }) => !gone.has(key));
    this.imports.drop(gone);
    this.#conversations.clear();
  }

  get(key: MessageKey): LedgerEntry | undefined {
    return this.#entries.get(this.#aliases.get(key) ?? key);
  }

  /** The key a message counts under. */
  resolve(key: MessageKey): MessageKey {
    return this.#aliases.get(key) ?? key;
  }

  /**
   * Settled once, of a text that nobody remembers: never written again. With
   * `place`, only when it may be the message of that session and time.
   */
  isStub(key: MessageKey, place?: string): boolean {
    const stub = this.#stubs.get(key);
    if (stub === undefined || this.#entries.has(key)) return false;
    return place === undefined || stub.place === undefined || stub.place === place;
  }

  /** Messages that have no block of their newest version yet, oldest first seen first. */
  unsettled(): LedgerEntry[] {
    return [...this.#unsettled.values()];
  }

  /** Live messages that have been seen on one side only, in history or in the inbox. */
  seenOnOneSide(): LedgerEntry[] {
    return this.#live.filter((entry) => !this.isMet(entry.key));
  }

  /** Whether it has another name. */
  isMet(key: MessageKey): boolean {
    return this.#met.has(key);
  }

  /** Seen in history and in the inbox. */
  hasMet(key: MessageKey): boolean {
    return this.#aliases.get(key) === key;
  }

  /** Who spoke last where messages of this origin come from. */
  lastSpeaker(scope: ScopeId, session: string, from: Origin): string | undefined {
    return this.#speakers.last(scope, session, from);
  }

  apply(entry: JournalEntry | Seen, place: JournalPlace): void {
    switch (entry.op) {
      case "message":
        this.heard++;
        this.#see(sightingOf(entry.filed), entry.from, place, entry.filed);
        return;
      case "seen":
        this.#see(entry.sighting, entry.from, place, undefined);
        return;
      case "alias":
        if (this.isForgotten(entry.of) && !this.#entries.has(entry.of)) return;
        this.#aliases.set(entry.key, entry.of);
        this.#met.add(entry.of);
        return;
      case "settled":
        for (const { key, hash, place: said } of entry.keys)
          if (!this.isForgotten(key, said)) this.#settle(key, hash, said);
        return;
      case "removed":
      case "restored":
        for (const key of entry.keys) {
          const known = this.get(key);
          if (known !== undefined) known.removed = entry.op === "removed";
        }
        return;
      default:
        return entry satisfies never;
    }
  }

  /**
   * A block found in the verbatim file of a day (which a changed time zone does not move); to be told before
   * the journal is replayed. Undefined where the message is known already, or forgotten.
   */
  absorb(sighting: Sighting, fileEdited: boolean, day: Day): LedgerEntry | undefined {
    if (this.#entries.has(sighting.key) || this.#isGone(sighting)) return undefined;
    const entry = this.#making.entryOf(sighting, { from: "verbatim", day, seen: ++this.#seen });
    entry.settled = entry.hash;
    if (fileEdited) entry.blockEdited = true;
    this.#enter(entry);
    this.#speakers.hear(sighting, "verbatim");
    return entry;
  }

  /** The journal told of one of these what its block says, and no other line of it anything else before. */
  seenAsAbsorbed(entry: LedgerEntry, from: Origin, place: JournalPlace): void {
    this.#speakers.hear(entry, from);
    const before = entry.from;
    if (before === "verbatim") entry.seen = ++this.#seen;
    this.#sighted(entry, { hash: entry.hash, before, from, place });
  }

  /** The same of its block. */
  settledAsAbsorbed(entry: LedgerEntry): void {
    this.#settled(entry, entry.hash);
  }

  /** Where the words stand of messages without a block that were seen without them. */
  unheld(): JournalPlace[] {
    return this.unsettled().flatMap(({ held, place }) =>
      held !== undefined || place === undefined ? [] : [place],
    );
  }

  /** The words of one of these. */
  hold(filed: FiledMessage, place: JournalPlace): void {
    const entry = this.#unsettled.get(keyOfMessage(filed.message));
    if (entry?.place?.path === place.path && entry.place.line === place.line) entry.held = filed;
  }

  #isGone(sighting: Sighting): boolean {
    return !this.forgotten.isEmpty && this.isForgotten(sighting.key, placeHash(sighting));
  }

  #see(sighting: Sighting, from: Origin, place: JournalPlace, filed: FiledMessage | undefined): void {
    if (this.#isGone(sighting)) return;
    const { key, hash } = sighting;
    this.#speakers.hear(sighting, from);
    let entry = this.#entries.get(key);
    const before = entry?.from;
    if (entry === undefined) {
      entry = this.#making.entryOf(sighting, {
        from,
        day: this.zone.dayOf(sighting.filedAt),
        seen: ++this.#seen,
      });
      const stub = this.#stubs.get(key);
      if (stub !== undefined) entry.settled = stub.hash;
      this.#enter(entry);
    } else if (entry.from === "verbatim") entry.seen = ++this.#seen;
    this.#sighted(entry, { hash, before, from, place, filed });
  }

  #sighted(entry: LedgerEntry, { hash, before, from, place, filed }: Sighted): void {
    if (entry.from === "verbatim" || entry.hash === hash) entry.from = from;
    if (standsAlone(from) && (before === undefined || before === "verbatim")) this.imports.note(entry);
    entry.hash = hash;
    if (!standsAlone(from) && from !== "salvage" && !this.#live.includes(entry))
      this.#live = [...this.#live.slice(1 - MOST_LIVE), entry];
    if (entry.settled === hash) this.#release(entry);
    else {
      entry.held = filed;
      entry.place = place;
      this.#unsettled.set(entry.key, entry);
    }
  }

  #enter(entry: LedgerEntry): void {
    this.#entries.set(entry.key, entry);
    this.#conversations.enter(entry);
  }

  #settle(key: MessageKey, hash: string, place: string | undefined): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) this.#stubs.set(key, { hash, place });
    else this.#settled(entry, hash);
  }

  #settled(entry: LedgerEntry, hash: string): void {
    entry.settled = hash;
    if (entry.blockEdited === true) entry.blockEdited = false;
    if (entry.hash === hash) this.#release(entry);
  }

  #release(entry: LedgerEntry): void {
    if (entry.held !== undefined) entry.held = undefined;
    if (entry.place !== undefined) entry.place = undefined;
    this.#unsettled.delete(entry.key);
  }
}
