/**
 * Reading what hosts write: history.json, inbox.json and drops, each journalled
 * before anything else is done with it.
 *
 * A file that stays unreadable is copied to `conflicts/`, its whole messages go
 * to the journal, and work goes on without it.
 */
import { z } from "zod";
import { isMemdError } from "../model/errors.js";
import { pacer } from "../platform/clock.js";
import { contentHash } from "../platform/hash.js";
import type { IncomingMessage, Message } from "../model/message.js";
import type { MessageKey } from "../model/address.js";
import { setAside } from "../protocol/conflicts.js";
import { letGoReplaced } from "../protocol/displaced.js";
import { readDrops } from "../protocol/drops.js";
import { salvage, type ListEntry, type MessageList } from "../protocol/message-list.js";
import { ARCHIVE_FIELDS, parseMessage } from "../protocol/message.js";
import { publish, readText } from "../protocol/publish.js";
import { readList } from "../protocol/read-list.js";
import { at, FILES } from "../protocol/workspace.js";
import type { Origin } from "../protocol/journal.js";
import type { ArchiveContext } from "./context.js";
import { versionHash, type Read } from "./identity.js";
import { filedUnder, takeIn, type Intake } from "./intake.js";
import { addToList, dropForgotten, type KnownList } from "./list-file.js";
import { stampOf } from "../platform/stamp.js";
import { record } from "./record.js";
import type { ListedMessage } from "../model/conversations.js";

/** Removed between two looks whether this process may still write. */
const DROPS_AT_ONCE = 500;

export type ListName = "history" | "inbox";

/** Messages of the last reading that had no id, to align the next one with; kept in `queue/`. */
export type Readings = Partial<Record<ListName, Read[]>>;

const reads = z.array(z.object({ natural: z.string(), id: z.string() })).optional();
const readingsShape = z.object({ history: reads, inbox: reads });

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
  holdsForgotten?: true;
  /** Why it cannot be read; the state is then that of the last good reading. */
  unreadable?: string;
}

export const EMPTY_STATE: ListState = { messages: [], entries: 0, bytes: 0, stamp: "" };

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

/** Reads one of the two lists, unless it stands as before, and journals what is new in it. */
export async function takeList(
  context: ArchiveContext,
  name: ListName,
  before: ListState,
  readings: Readings,
): Promise<ListState> {
  const { writer, workspace, clock } = context;
  const path = FILES[name];
  const stamp = stampOf(await writer.disk.stat(at(workspace, path)));
  if (before.stamp === stamp) return before;
  const reading = await readList(writer.disk, clock, at(workspace, path));
  switch (reading.is) {
    case "absent":
      return { ...EMPTY_STATE, stamp };
    case "unreadable":
      await saveUnreadable(context, path, reading.bytes, reading.reason, before.unreadable);
      return { ...before, stamp, unreadable: reading.reason };
    case "list":
      await hashAll(context, reading.list);
      return withoutForgotten(
        context,
        name,
        await knownState(context, name, { list: reading.list, bytes: reading.bytes, stamp }, readings),
        readings,
      );
    default:
      return reading satisfies never;
  }
}

/** Moves drops into history.json and inbox.json; how many. Order: journal, history, inbox, unlink. */
export async function takeDrops(context: ArchiveContext, broken: Set<string>): Promise<number> {
  const { writer, workspace, log } = context;
  const drops = await readDrops(writer.disk, workspace);
  const good: { file: string; message: Message }[] = [];
  for (const drop of drops) {
    if (drop.is === "message") {
      good.push(drop);
      continue;
    }
    const stamp = `${drop.file}:${contentHash(drop.bytes)}`;
    // Seen broken before and still the same: not an unfinished write. It stays where it is, with a copy for a person.
    if (broken.has(stamp) && (await setAside(writer, workspace, drop.file, drop.bytes, "unreadable"))) {
      log.write({ level: "warn", event: "file_unreadable", file: drop.file, reason: drop.reason });
    }
    broken.add(stamp);
  }
  if (good.length === 0) return 0;
  const dropped = good.map(({ message }) => message);
  const taken = await journalMessages(context, dropped, "drop");
  const messages = dropped.filter((_message, index) => !taken.forgotten.has(taken.keys[index] as MessageKey));
  const added = [
    await addIfReadable(context, "history", messages),
    await addIfReadable(context, "inbox", messages),
  ];
  // Journalled, so they are found and archived; the drops stay until both lists can be read again.
  if (added.includes(false)) return 0;
  // Many at a time: the watcher lists the folder again after each removal that it hears of by itself.
  for (let from = 0; from < good.length; from += DROPS_AT_ONCE) {
    await writer.guard();
    const batch = good.slice(from, from + DROPS_AT_ONCE);
    await Promise.all(batch.map(({ file }) => writer.disk.unlink(at(workspace, file))));
  }
  await writer.disk.syncDir(at(workspace, FILES.drops));
  return good.length;
}

async function addIfReadable(
  context: ArchiveContext,
  name: ListName,
  messages: readonly Message[],
): Promise<boolean> {
  try {
    await addToList(context, name, messages);
    return true;
  } catch (error) {
    // A list that cannot be read, or that somebody holds, makes its drops wait and nothing else.
    if (!isMemdError(error, "file_unreadable") && !isMemdError(error, "file_contended")) throw error;
    return false;
  }
}

/**
 * Makes messages durable; the key of each, and which of these are forgotten. Nothing is known of them until this
 * returns. `keep` gets the reading to align the next one with and must make it
 * durable first: an id that was given once is not given again, whatever crashes.
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

/** What was told to be forgotten does not stay where its host wrote it again. */
async function withoutForgotten(
  context: ArchiveContext,
  name: ListName,
  state: ListState,
  readings: Readings,
): Promise<ListState> {
  if (state.holdsForgotten === undefined) return state;
  const { writer, workspace } = context;
  const written = await dropForgotten(context, name, readings[name]);
  await letGoReplaced(writer, workspace, FILES[name]);
  return written === undefined ? state : knownState(context, name, written, readings);
}

/** Journals what is new in a list and says what stands in it. */
export async function knownState(
  context: ArchiveContext,
  name: ListName,
  known: KnownList,
  readings: Readings,
): Promise<ListState> {
  const entries = known.list.entries.filter(isMessage);
  const incoming = entries.map(({ message }) => message);
  const taken = await journalMessages(context, incoming, name, readings[name], async (reading) => {
    const same = JSON.stringify(reading) === JSON.stringify(readings[name] ?? []);
    if (!same) {
      const next = JSON.stringify({ ...readings, [name]: reading });
      await publish(context.writer, at(context.workspace, FILES.reading), next);
    }
    readings[name] = reading;
  });
  const messages = entries.flatMap(({ raw, message }, index): ListedMessage[] => {
    const key = taken.keys[index] as MessageKey;
    if (taken.forgotten.has(key)) return [];
    const filed = filedUnder(key, message, context.ledger.get(key) ?? { filedAt: context.clock.now() });
    return [{ key, filed, mirror: mirrorOf(raw as Record<string, unknown>) }];
  });
  const { list, bytes, stamp } = known;
  const state = { messages, entries: list.entries.length, bytes: bytes.byteLength, stamp, known };
  return taken.forgotten.size > 0 ? { ...state, holdsForgotten: true } : state;
}

function isMessage(entry: ListEntry): entry is Required<ListEntry> {
  return entry.message !== undefined;
}

function mirrorOf(raw: Record<string, unknown>): Record<string, unknown> {
  const standing = ARCHIVE_FIELDS.map((field): [string, unknown] => [field, raw[field]]);
  return Object.fromEntries(standing.filter(([, value]) => value !== undefined));
}

/** Hashing megabytes of text takes its time: it is done in small steps, and remembered. */
async function hashAll({ clock }: ArchiveContext, list: MessageList): Promise<void> {
  const pace = pacer(clock);
  for (const { message } of list.entries) {
    if (message !== undefined) versionHash(message);
    await pace();
  }
}

async function saveUnreadable(
  context: ArchiveContext,
  path: string,
  bytes: Uint8Array,
  reason: string,
  knownReason: string | undefined,
): Promise<void> {
  const { writer, workspace, log } = context;
  const copied = bytes.byteLength > 0 && (await setAside(writer, workspace, path, bytes, "unreadable"));
  if (!copied && knownReason !== undefined) return;
  log.write({ level: "error", event: "file_unreadable", file: path, reason });
  const whole = salvage(new TextDecoder().decode(bytes)).filter(hasRole).map(parseMessage);
  await journalMessages(
    context,
    whole.filter((message) => message !== undefined),
    "salvage",
  );
}

/** A fragment of a message may have a text; only a whole one says who spoke. */
function hasRole(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && typeof (value as { role?: unknown }).role === "string"
  );
}
