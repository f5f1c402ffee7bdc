/**
 * Entries of the ledger by conversation, and which of them history.json does not
 * hold: memd let go of them there, they never were in it (an import), or the host
 * began another file.
 *
 * Pure, and read off what stands: memd lets go of the oldest only, so a message
 * that came by the host and is missing while an older one stands was taken out by
 * the host (a rewind, a regenerated answer). That is noted, and it is not one of these.
 */
import type { MessageKey, ScopeId } from "../model/address.js";
import { groupBy } from "../model/collections.js";
import type { FiledMessage, Role } from "../model/message.js";
import { type Day, epochMs, type EpochMs, MINUTE_MS } from "../model/time.js";
import type { JournalPlace, Origin } from "../protocol/journal.js";

export interface LedgerEntry {
  key: MessageKey;
  scope: ScopeId;
  session: string;
  createdAt: string;
  role: Role;
  filedAt: EpochMs;
  day: Day;
  /** Counts up in the order in which messages were first seen. */
  seen: number;
  from: Origin | "verbatim";
  /** Of the newest version. */
  hash: string;
  belongsTo?: string;
  /** The newest version, until its block is written, and its journal line. */
  held?: FiledMessage | undefined;
  place?: JournalPlace | undefined;
  /** Hash of the version whose block was written. */
  settled?: string;
  /** The host took it out of history.json while an older message stayed there. */
  removed?: boolean;
  /** Its block stands in a file that a person changed, and no mark tells what memd wrote there. */
  blockEdited?: boolean;
}

/** Oldest first: what was said last in one is found without going through all of them. Made when first asked for. */
export class Conversations {
  #byPlace: Map<string, LedgerEntry[]> | undefined;
  /** Places whose last entry is not the newest. */
  readonly #unsorted = new Set<string>();

  constructor(readonly all: () => Iterable<LedgerEntry>) {}

  add(entry: LedgerEntry): void {
    if (this.#byPlace === undefined) return;
    const place = placeOf(entry);
    const entries = this.#byPlace.get(place) ?? [];
    const last = entries.at(-1);
    if (last !== undefined && last.filedAt > entry.filedAt) this.#unsorted.add(place);
    entries.push(entry);
    this.#byPlace.set(place, entries);
  }

  /** Entries have gone: the order is made anew. */
  reset(): void {
    this.#byPlace = undefined;
    this.#unsorted.clear();
  }

  /** Of a place and session, oldest first; of one moment in the order in which they were first seen. */
  of(scope: ScopeId, session: string): readonly LedgerEntry[] {
    const place = placeOf({ scope, session });
    this.#byPlace ??= this.#grouped();
    const entries = this.#byPlace.get(place) ?? [];
    if (this.#unsorted.delete(place))
      entries.sort((one, other) => one.filedAt - other.filedAt || one.seen - other.seen);
    return entries;
  }

  #grouped(): Map<string, LedgerEntry[]> {
    const byPlace = groupBy(this.all(), placeOf);
    for (const place of byPlace.keys()) this.#unsorted.add(place);
    return byPlace;
  }
}

function placeOf({ scope, session }: Pick<LedgerEntry, "scope" | "session">): string {
  return `${scope}\u0000${session}`;
}

interface Said {
  /** All that is known of the conversation, oldest first. */
  entries: readonly LedgerEntry[];
  /** What history.json holds of it. */
  standing: readonly Standing[];
  /** Keys that stand there or wait. */
  listed: ReadonlySet<MessageKey>;
  /** Whether it was seen in history.json as well as in the inbox. */
  hasMet: (key: MessageKey) => boolean;
}

export interface Standing {
  entry: LedgerEntry;
  /** Of the tool calls that it makes or answers. */
  callIds: readonly string[];
}

/** Of two this close together the times may be those of two clocks. */
const SLIP_MS = 10 * MINUTE_MS;

/** Newest first. */
export function* unlistedOf({
  after,
  ...said
}: Said & { after: EpochMs | undefined }): Generator<LedgerEntry> {
  const held = heldOf(said.standing);
  const isInput = inputOf(said);
  // Unless nothing else ever comes: then it is all that is known of the conversation.
  const isInputAll = said.entries.every(isInput);
  for (const entry of unlistedAfter(said, after)) {
    if (entry.removed === true || (isInput(entry) && !isInputAll)) continue;
    if (entry.from === "import" || held.every((one) => isOlder(entry, one))) yield entry;
  }
}

/** What the host has taken out since the last look. `wasListed`: keys of the reading before. */
export function removedFrom(said: Said, wasListed: ReadonlySet<MessageKey>): LedgerEntry[] {
  const held = heldOf(said.standing);
  if (held.length === 0) return [];
  const isInput = inputOf(said);
  const oldest = held.reduce((ms, { filedAt }) => Math.min(ms, filedAt), Infinity);
  const wasThere = (entry: LedgerEntry): boolean =>
    wasListed.has(entry.key) || (entry.from !== "import" && !isInput(entry));
  return [...unlistedAfter(said, epochMs(oldest - SLIP_MS - 1))].filter(
    (entry) => entry.removed !== true && wasThere(entry) && !held.every((one) => isOlder(entry, one)),
  );
}

/** Input that never came to history.json: it is there under another name, or was taken back. */
function inputOf({ hasMet }: Said): (entry: LedgerEntry) => boolean {
  return (entry) => isInput(entry) && !hasMet(entry.key);
}

/** It came as what waits for the agent. */
export function isInput({ from }: Pick<LedgerEntry, "from">): boolean {
  return from === "inbox" || from === "drop";
}

/** Newest first. */
function* unlistedAfter({ entries, listed }: Said, after: EpochMs | undefined): Generator<LedgerEntry> {
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries[index] as LedgerEntry;
    if (after !== undefined && entry.filedAt <= after) return;
    if (!listed.has(entry.key)) yield entry;
  }
}

/** For each what memd would have let go of with it at the latest: a call stands for as long as its result does. */
function heldOf(standing: readonly Standing[]): LedgerEntry[] {
  const lastOfCall = new Map<string, LedgerEntry>();
  for (const { entry, callIds } of standing)
    for (const callId of callIds) lastOfCall.set(callId, newer(lastOfCall.get(callId) ?? entry, entry));
  return standing.map(({ entry, callIds }) =>
    callIds.reduce((newest, callId) => newer(newest, lastOfCall.get(callId) ?? newest), entry),
  );
}

/** Close together, what was seen first. */
function isOlder(entry: LedgerEntry, than: LedgerEntry): boolean {
  const apartMs = than.filedAt - entry.filedAt;
  return Math.abs(apartMs) > SLIP_MS ? apartMs > 0 : entry.seen < than.seen;
}

function newer(one: LedgerEntry, other: LedgerEntry): LedgerEntry {
  return (one.filedAt - other.filedAt || one.seen - other.seen) > 0 ? one : other;
}
