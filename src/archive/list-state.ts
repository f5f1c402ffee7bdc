/**
 * What is known of a message list: its messages, each with the key it counts
 * under, and what it does not hold. A list that was read is aligned with the
 * reading before it, and what is new in it is journalled before anything else is
 * done with it; one that memd itself rewrote holds nothing new, and is not aligned.
 */
import * as z from "zod";
import type { ListedMessage, MessageKey } from "../model/address.js";
import { isMemdError } from "../model/errors.js";
import { epochMs, type EpochMs, MINUTE_MS } from "../model/time.js";
import type { ListEntry } from "../protocol/read-list.js";
import { ARCHIVE_FIELDS } from "../protocol/message.js";
import { publish, readText } from "../protocol/publish.js";
import { at, FILES } from "../protocol/workspace.js";
import type { ArchiveContext } from "./context.js";
import type { Read } from "./identity.js";
import { isInput, standsAlone } from "../protocol/journal.js";
import { filedUnder, journalMessages, takesPart } from "./intake.js";
import type { LedgerEntry } from "./ledger-entry.js";
import type { KnownList, ListName, Written } from "./list-file.js";

export interface ListState {
  /** Messages in file order with the key each counts under. */
  messages: ListedMessage[];
  /** How many entries the file has, those that are no messages included. */
  entries: number;
  bytes: number;
  /** Size and time of the reading; empty to read it again whatever they say. */
  stamp: string;
  /** As it was read; absent while there is no file. */
  known?: KnownList;
  /** Entries of messages that were told to be forgotten stand in it. */
  holdsForgotten?: boolean;
  /** Why it cannot be read; the state is then that of the last good reading. */
  unreadable?: string;
}

export const EMPTY_STATE: ListState = { messages: [], entries: 0, bytes: 0, stamp: "" };

/** Journals what is new in a list and says what stands in it. */
export async function alignedState(
  context: ArchiveContext,
  name: ListName,
  read: Written,
  readings: Readings,
): Promise<ListState> {
  const entries = read.list.entries.filter(isMessage);
  const incoming = entries.map(({ message }) => message);
  const keep = (reading: Read[]): Promise<void> => keepReading(context, name, reading, readings);
  const taken = await journalMessages(context, incoming, name, readings[name], keep);
  const messages = entries.flatMap(({ raw, message }, index): ListedMessage[] => {
    const key = taken.keys[index] as MessageKey;
    if (taken.forgotten.has(key)) return [];
    const filed = filedUnder(key, message, context.ledger.get(key) ?? { filedAt: context.clock.now() });
    return [{ key, filed, mirror: mirrorOf(raw as Record<string, unknown>) }];
  });
  let next = 0;
  const keys = read.list.entries.map((entry) => (isMessage(entry) ? taken.keys[next++] : undefined));
  return stateOf(messages, { ...read, keys }, taken.forgotten.size > 0);
}

/**
 * history.json after memd has rewritten the list that it knew: nothing in it is
 * new, so it is not aligned once more. `kept`: the entries that stay, by index.
 */
export async function rewrittenState(
  context: ArchiveContext,
  before: ListState,
  known: KnownList,
  written: Written,
  kept: readonly number[],
  readings: Readings,
): Promise<ListState> {
  let [nextMessage, nextRead] = [0, 0];
  const listed = known.list.entries.map(({ message }, index) => {
    const key = known.keys[index];
    // One that was told to be forgotten has a key, and is none of the messages.
    const isListed = key !== undefined && before.messages[nextMessage]?.key === key;
    return {
      key,
      message: isListed ? before.messages[nextMessage++] : undefined,
      read: takesPart(message) ? readings.history?.[nextRead++] : undefined,
    };
  });
  const stays = kept.map((index) => listed[index]);
  const reading = stays.flatMap((each) => each?.read ?? []);
  await keepReading(context, "history", reading, readings);
  const messages = stays.flatMap((each, index): ListedMessage[] => {
    const raw = written.list.entries[index]?.raw as Record<string, unknown>;
    return each?.message === undefined ? [] : [{ ...each.message, mirror: mirrorOf(raw) }];
  });
  return stateOf(messages, { ...written, keys: stays.map((each) => each?.key) }, before.holdsForgotten);
}

function stateOf(messages: ListedMessage[], known: KnownList, holdsForgotten = false): ListState {
  const { list, bytes, stamp } = known;
  return { messages, entries: list.entries.length, bytes, stamp, known, holdsForgotten };
}

function isMessage(entry: ListEntry): entry is Required<ListEntry> {
  return entry.message !== undefined;
}

function mirrorOf(raw: Record<string, unknown>): Record<string, unknown> {
  const standing = ARCHIVE_FIELDS.map((field): [string, unknown] => [field, raw[field]]);
  return Object.fromEntries(standing.filter(([, value]) => value !== undefined));
}

/**
 * `queue/reading.json`: the messages without an id of the last reading of each
 * list, to align the next one with. Lost, equal messages are counted from one again.
 */
export type Readings = Partial<Record<ListName, Read[]>>;

const reads = z.array(z.object({ natural: z.string(), id: z.string() })).optional();
const readingsShape = z.object({ history: reads, inbox: reads });

export async function loadReadings({ writer, workspace }: ArchiveContext): Promise<Readings> {
  try {
    const data: unknown = JSON.parse((await readText(writer.disk, at(workspace, FILES.reading))) ?? "{}");
    return readingsShape.parse(data) as Readings;
  } catch (error) {
    if (isMemdError(error)) throw error;
    // Only alignment is lost: equal messages are counted from one again.
    return {};
  }
}

/** Durable before an id of it is given to anybody: an id that was given once is not given again, whatever crashes. */
async function keepReading(
  { writer, workspace }: ArchiveContext,
  name: ListName,
  reading: Read[],
  readings: Readings,
): Promise<void> {
  if (JSON.stringify(reading) !== JSON.stringify(readings[name] ?? [])) {
    const next = JSON.stringify({ ...readings, [name]: reading });
    await publish(writer, at(workspace, FILES.reading), next);
  }
  readings[name] = reading;
}

/**
 * Which entries history.json does not hold: memd let go of them there, they never
 * were in it (an import), or the host began another file.
 *
 * Pure, and read off what stands: memd lets go of the oldest only, so a message
 * that came by the host and is missing while an older one stands was taken out by
 * the host (a rewind, a regenerated answer). That is noted, and it is not one of these.
 */
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
    if (standsAlone(entry.from) || held.every((one) => isOlder(entry, one))) yield entry;
  }
}

/** What the host has taken out since the last look. `wasListed`: keys of the reading before. */
export function removedFrom(said: Said, wasListed: ReadonlySet<MessageKey>): LedgerEntry[] {
  const held = heldOf(said.standing);
  if (held.length === 0) return [];
  const isInput = inputOf(said);
  const oldest = held.reduce((ms, { filedAt }) => Math.min(ms, filedAt), Infinity);
  const wasThere = (entry: LedgerEntry): boolean =>
    wasListed.has(entry.key) || (!standsAlone(entry.from) && !isInput(entry));
  return [...unlistedAfter(said, epochMs(oldest - SLIP_MS - 1))].filter(
    (entry) => entry.removed !== true && wasThere(entry) && !held.every((one) => isOlder(entry, one)),
  );
}

/** Input that never came to history.json: it is there under another name, or was taken back. */
function inputOf({ hasMet }: Said): (entry: LedgerEntry) => boolean {
  return (entry) => isInput(entry.from) && !hasMet(entry.key);
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
