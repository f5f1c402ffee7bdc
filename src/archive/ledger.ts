/**
 * The ledger: what is known of every message, by key. Built from the journal
 * and the verbatim files at start, kept up as lines are written.
 *
 * No I/O. It holds a message's text only until its block is written. It changes
 * only by entries that are durable already, so it is never ahead of the disk.
 */
import { defined, entryOf, groupBy } from "../model/collections.js";
import type { FiledMessage } from "../model/message.js";
import { keyOfMessage, type MessageKey, type ScopeId, scopeOfKey } from "../model/address.js";
import type { Day, Zone } from "../model/time.js";
import { type JournalEntry, type JournalPlace, type Origin, standsAlone } from "../protocol/journal.js";
import { Forgotten } from "../protocol/forgotten.js";
import { own } from "../text/fold.js";
import { placeHash } from "./identity.js";
import { ImportOrder } from "./import-order.js";
import type { LedgerEntry } from "./ledger-entry.js";
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

export class Ledger {
  /** What was told to be forgotten: it does not come in again, wherever it comes from. */
  readonly forgotten = new Forgotten();
  readonly imports = new ImportOrder();
  readonly #entries = new Map<MessageKey, LedgerEntry>();
  readonly #names = new Map<string, string>();
  readonly #aliases = new Map<MessageKey, MessageKey>();
  /** Messages that have a second name. */
  readonly #met = new Set<MessageKey>();
  readonly #unsettled = new Map<MessageKey, LedgerEntry>();
  /** Settled keys of which nothing else is known any more: their block was deleted, or the journal pruned. */
  readonly #stubs = new Map<MessageKey, { hash: string; place: string | undefined }>();
  /** Messages that came through history or inbox, newest last: an inbox message may turn up in history without its id. */
  #live: LedgerEntry[] = [];
  readonly #speakers = new Speakers();
  /** By place and session; made when first asked for. */
  #conversations: Map<string, LedgerEntry[]> | undefined;
  /** Conversations whose last entry is not the newest. */
  readonly #unsorted = new Set<string>();
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
    const place = placeOf({ scope, session });
    if (this.#conversations === undefined) {
      this.#conversations = groupBy(this.#entries.values(), placeOf);
      for (const each of this.#conversations.keys()) this.#unsorted.add(each);
    }
    const entries = this.#conversations.get(place) ?? [];
    if (this.#unsorted.delete(place))
      entries.sort((one, other) => one.filedAt - other.filedAt || one.seen - other.seen);
    return entries;
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
    this.#conversations = undefined;
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

  /** A block found in the verbatim file of a day (which a changed time zone does not move); to be told before the journal is replayed. */
  absorb(sighting: Sighting, fileEdited: boolean, day: Day): void {
    if (this.#entries.has(sighting.key) || this.#isGone(sighting)) return;
    const entry = this.#entryOf(sighting, "verbatim", day);
    entry.settled = entry.hash;
    if (fileEdited) entry.blockEdited = true;
    this.#enter(entry);
    this.#speakers.hear(sighting, "verbatim");
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
      entry = this.#entryOf(sighting, from, this.zone.dayOf(sighting.filedAt));
      const stub = this.#stubs.get(key);
      if (stub !== undefined) entry.settled = stub.hash;
      this.#enter(entry);
    } else if (entry.from === "verbatim") entry.seen = ++this.#seen;
    if (entry.from === "verbatim" || entry.hash === hash) entry.from = from;
    if (standsAlone(from) && (before === undefined || before === "verbatim")) this.imports.note(entry);
    entry.hash = hash;
    if (!standsAlone(from) && from !== "salvage" && !this.#live.includes(entry))
      this.#live = [...this.#live.slice(1 - MOST_LIVE), entry];
    if (entry.settled === hash) this.#release(entry);
    else {
      entry.held = filed;
      entry.place = place;
      this.#unsettled.set(key, entry);
    }
  }

  #enter(entry: LedgerEntry): void {
    this.#entries.set(entry.key, entry);
    if (this.#conversations === undefined) return;
    const place = placeOf(entry);
    const entries = this.#conversations.get(place) ?? [];
    if ((entries.at(-1)?.filedAt ?? 0) > entry.filedAt) this.#unsorted.add(place);
    entries.push(entry);
    this.#conversations.set(place, entries);
  }

  #settle(key: MessageKey, hash: string, place: string | undefined): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return void this.#stubs.set(key, { hash, place });
    entry.settled = hash;
    if (entry.blockEdited === true) entry.blockEdited = false;
    if (entry.hash === hash) this.#release(entry);
  }

  #release(entry: LedgerEntry): void {
    if (entry.held !== undefined) entry.held = undefined;
    if (entry.place !== undefined) entry.place = undefined;
    this.#unsettled.delete(entry.key);
  }

  #entryOf(sighting: Sighting, from: LedgerEntry["from"], day: Day): LedgerEntry {
    const { key, scope, session, createdAt, role, filedAt, hash, belongsTo } = sighting;
    // Neither spread nor deleted from: hundreds of thousands of entries share one shape.
    const keep = sighting.isOwn === true ? asItIs : own;
    const entry: LedgerEntry = {
      key: keep(key),
      scope: this.#once(scope),
      session: this.#once(session),
      createdAt: createdAt === undefined ? undefined : keep(createdAt),
      role,
      filedAt,
      day,
      seen: ++this.#seen,
      from,
      hash,
    };
    if (belongsTo !== undefined) entry.belongsTo = this.#once(belongsTo);
    return entry;
  }

  /** Of names that thousands of messages share, one in memory of its own. */
  #once<T extends string>(name: T): T {
    // It is what it was when it was put there.
    return entryOf(this.#names, name, () => own(name)) as T;
  }
}

const asItIs = <T extends string>(text: T): T => text;

function placeOf({ scope, session }: Pick<LedgerEntry, "scope" | "session">): string {
  return `${scope}\u0000${session}`;
}
