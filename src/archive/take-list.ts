/**
 * Reading history.json and inbox.json, which hosts write. A file that stays unreadable is copied to
 * `conflicts/`, its whole messages go to the journal, and work goes on without it.
 * What the host took out of history.json is noted while an older message stays
 * there: later nothing that stands would tell it any more.
 */
import {
  isGroup,
  keyOfMessage,
  type ListedMessage,
  type MessageKey,
  scopeOf,
  sessionOf,
} from "../model/address.js";
import { addAll, groupBy } from "../model/collections.js";
import { callIdsOf, type FiledMessage } from "../model/message.js";
import { pacer } from "../platform/clock.js";
import type { Disk, FileStat } from "../platform/disk.js";
import { hashInSteps, stampOf } from "../platform/files.js";
import { release } from "../platform/read-file.js";
import { setAside } from "../protocol/conflicts.js";
import { anyReplaced, letGoReplaced } from "../protocol/displaced.js";
import {
  type ListEntry,
  type MessageList,
  parseListBytes,
  readList,
  readListOnce,
  salvage,
} from "../protocol/read-list.js";
import { parseMessage } from "../protocol/message.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";
import type { ArchiveContext } from "./context.js";
import { heldOnce } from "./identity.js";
import { filedUnder, journalMessages, record, takeIn } from "./intake.js";
import type { LedgerEntry } from "./ledger-entry.js";
import { dropForgotten, type ListName, type Written } from "./list-file.js";
import {
  alignedState,
  EMPTY_STATE,
  type ListState,
  type Readings,
  removedFrom,
  type Standing,
} from "./list-state.js";

/** Reads one of the two lists, unless it stands as before or as it was `written` last, and journals what is new in it. */
export async function takeList(
  context: ArchiveContext,
  name: ListName,
  before: ListState,
  readings: Readings,
  written?: Written,
): Promise<ListState> {
  const { writer, workspace, clock } = context;
  const path = FILES[name];
  const stat = await writer.disk.stat(at(workspace, path));
  const stamp = stampOf(stat);
  if (before.stamp === stamp) return before;
  if (await saysTheSame(context, path, before, stat)) return readAgain(before, stamp);
  if (written?.stamp === stamp) return alignedState(context, name, written, readings);
  const reading = await readList(writer.disk, clock, at(workspace, path));
  switch (reading.is) {
    case "absent":
      return { ...EMPTY_STATE, stamp };
    case "unreadable":
      await saveUnreadable(context, path, reading.bytes, reading.reason, before.unreadable);
      return { ...before, stamp, unreadable: reading.reason };
    case "list": {
      const bytes = reading.bytes.byteLength;
      const hash = await hashInSteps(reading.bytes, pacer(clock));
      release(reading.bytes);
      const list = await hashedAll(context, reading.list);
      const state = await alignedState(context, name, { list, bytes, hash, stamp }, readings);
      return withoutForgotten(context, name, state, readings);
    }
    default:
      return reading satisfies never;
  }
}

/** Byte for byte what was taken in, with nothing in it that has to go: a long list is not parsed once more for that. */
async function saysTheSame(
  { writer, workspace }: ArchiveContext,
  path: string,
  { known, holdsForgotten }: ListState,
  stat: FileStat | undefined,
): Promise<boolean> {
  if (known === undefined || holdsForgotten === true || stat?.size !== known.bytes) return false;
  return (await writer.disk.hash(at(workspace, path))) === known.hash;
}

function readAgain({ unreadable: _unreadable, ...before }: ListState, stamp: string): ListState {
  return { ...before, stamp };
}

/** What was told to be forgotten does not stay where its host wrote it again. */
async function withoutForgotten(
  context: ArchiveContext,
  name: ListName,
  state: ListState,
  readings: Readings,
): Promise<ListState> {
  if (state.holdsForgotten !== true || state.known === undefined) return state;
  const { writer, workspace } = context;
  const rewritten = await dropForgotten(context, name, state.known, readings[name]);
  await letGoReplaced(writer, workspace, FILES[name]);
  return rewritten === undefined ? state : alignedState(context, name, rewritten.written, readings);
}

/** Hashing megabytes of text takes its time: it is done in small steps, and remembered. */
async function hashedAll({ clock }: ArchiveContext, list: MessageList): Promise<MessageList> {
  const pace = pacer(clock);
  const entries: ListEntry[] = [];
  for (const entry of list.entries) {
    entries.push(hashed(entry));
    await pace();
  }
  return { ...list, entries };
}

function hashed(entry: ListEntry): ListEntry {
  const { raw, message } = entry;
  const held = message && heldOnce(message);
  if (held === undefined || held === message) return entry;
  const fields = Object.entries(raw as object).map(([name, value]: [string, unknown]) => [
    name,
    value === held.text ? held.text : value,
  ]);
  return { raw: Object.fromEntries(fields) as unknown, message: held };
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
  const whole = salvage(new TextDecoder().decode(bytes)).filter(hasRole);
  const messages = whole.flatMap((raw) => parseMessage(raw) ?? []);
  await journalMessages(context, messages, "salvage");
}

/** A fragment of a message may have a text; only a whole one says who spoke. */
function hasRole(value: unknown): boolean {
  return typeof (value as { role?: unknown } | null)?.role === "string";
}

/** `before`: the reading before this one, as far as it is known. */
export async function noteRemovals(
  context: ArchiveContext,
  before: ListState,
  { history, inbox }: Record<ListName, ListState>,
): Promise<void> {
  const { ledger, clock, zone } = context;
  const listed = new Set([...history.messages, ...inbox.messages].map(({ key }) => key));
  const wasListed = new Set(before.messages.map(({ key }) => key));
  const removed: MessageKey[] = [];
  const restored: MessageKey[] = [];
  for (const messages of groupBy(history.messages, ({ filed }) => ownerOf(filed)).values()) {
    const [{ filed: first }] = messages as [ListedMessage];
    const standing = messages.flatMap(({ key, filed }): Standing[] => {
      const entry = ledger.get(key);
      return entry === undefined ? [] : [{ entry, callIds: callIdsOf(filed.message) }];
    });
    addAll(
      restored,
      standing.flatMap(({ entry }) => (entry.removed === true ? [entry.key] : [])),
    );
    const entries = ledger
      .conversation(scopeOf(first.message), sessionOf(first.message))
      .filter((entry) => isOwners(first, entry));
    const hasMet = (key: MessageKey): boolean => ledger.hasMet(key);
    addAll(
      removed,
      removedFrom({ entries, standing, listed, hasMet }, wasListed).map(({ key }) => key),
    );
  }
  const today = zone.dayOf(clock.now());
  if (removed.length > 0) await record(context, [{ op: "removed", keys: removed }], today);
  if (restored.length > 0) await record(context, [{ op: "restored", keys: restored }], today);
}

/** A group's conversation is everybody's in it. */
function ownerOf({ message, belongsTo }: FiledMessage): string {
  const scope = scopeOf(message);
  const user = isGroup(scope) ? undefined : belongsTo;
  return JSON.stringify([scope, sessionOf(message), user]);
}

function isOwners({ message, belongsTo }: FiledMessage, entry: LedgerEntry): boolean {
  return isGroup(scopeOf(message)) || belongsTo === entry.belongsTo;
}

/** A larger one is taken in first: reading it twice would hold up more than a disk does. */
const MOST_BYTES = 256 * 1024;

/**
 * What waits, seen before it is journalled: an agent that waits for its prompt need not wait for the
 * disk as well. Undefined where it stands as before, the history has changed too, or messages are in
 * it that have no id yet, or have one of another.
 */
export async function peekInbox(
  { writer: { disk }, workspace, ledger, clock }: ArchiveContext,
  { inbox, history }: Record<ListName, ListState>,
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

/** What is said last of what waits, where that can be told soon. */
export async function lastWaiting(disk: Disk, workspace: Workspace): Promise<string | undefined> {
  const inbox = at(workspace, FILES.inbox);
  if (((await disk.stat(inbox))?.size ?? 0) > MOST_BYTES) return undefined;
  const reading = await readListOnce(disk, inbox);
  return reading.is === "list" ? reading.list.entries.at(-1)?.message?.text : undefined;
}

/** Lets go what a killed memd had replaced, and what still holds what is forgotten. */
export async function clearReplaced(context: ArchiveContext, readings: Readings): Promise<void> {
  const { writer, workspace, ledger, clock } = context;
  if (ledger.forgotten.isEmpty) return;
  for (const name of ["history", "inbox"] as const) {
    const holds = async (bytes: Uint8Array): Promise<boolean> => {
      const reading = await parseListBytes(bytes);
      // Torn by a loss of power: nobody can say what it holds, and nobody saved it.
      if (reading.is !== "list") return true;
      const messages = reading.list.entries.flatMap(({ message }) => message ?? []);
      return takeIn(ledger, messages, name, readings[name], clock.now()).forgotten.size > 0;
    };
    if (await anyReplaced(writer, workspace, FILES[name], holds))
      await letGoReplaced(writer, workspace, FILES[name]);
  }
}
