/**
 * Rewriting history.json and inbox.json: adding messages, mirroring what became
 * of them as marks, keeping history within its limits.
 *
 * Every rewrite starts from what stands in the file at that moment; entries and
 * fields that are not memd's stay as they are.
 */
import type { Pace } from "../model/work.js";
import { idOfKey, keyOfMessage, type MessageKey } from "../model/address.js";
import { MemdError } from "../model/errors.js";
import { type Archived, hasId, type Message } from "../model/message.js";
import { isoOf } from "../model/time.js";
import { pacer } from "../platform/clock.js";
import { Encoded } from "../platform/encoded.js";
import { hashInSteps, stampOf } from "../platform/files.js";
import { ARCHIVE_FIELDS, printMessage } from "../protocol/message.js";
import {
  EMPTY_LIST,
  type ListEntry,
  type MessageList,
  parseListBytes,
  printList,
} from "../protocol/read-list.js";
import { rewriteShared } from "../protocol/shared-file.js";
import { at, FILES } from "../protocol/workspace.js";
import type { ArchiveContext } from "./context.js";
import { countBytes, noteChanged } from "./entry-bytes.js";
import { type Read, versionHash } from "./identity.js";
import { takeIn } from "./intake.js";
import type { Retry } from "./retries.js";
import { isLarge, trimmableIn, trimOf } from "./trim.js";

export type ListName = "history" | "inbox";

/** Appends messages whose key is not there yet. Throws `file_unreadable` rather than lose what stands there. */
export async function addToList(
  context: ArchiveContext,
  name: ListName,
  messages: readonly Message[],
  known?: KnownList,
): Promise<Written | undefined> {
  return await rewrite(context, name, known, (list) => {
    const present = new Set(
      list.entries.flatMap(({ message }) => (hasId(message) ? [keyOfMessage(message)] : [])),
    );
    const fresh = messages.filter((message) => !present.has(keyOfMessage(message)));
    if (fresh.length === 0) return undefined;
    const added = fresh.map((message): ListEntry => ({ raw: printMessage(message), message }));
    return { ...list, entries: [...list.entries, ...added] };
  });
}

/**
 * Replaces the text of messages that came late into a replaced file. `base`: the
 * version that each was changed from, where that is known; one that somebody else
 * has changed since stays. True when there was such a one.
 */
export async function updateList(
  context: ArchiveContext,
  name: ListName,
  versions: readonly Message[],
  base: ReadonlyMap<MessageKey, string>,
): Promise<boolean> {
  const byKey = new Map(versions.map((message) => [keyOfMessage(message), message]));
  let isContested = false;
  await rewrite(context, name, undefined, (list) => {
    let changed = false;
    isContested = false;
    const entries = list.entries.map((entry): ListEntry => {
      const { message } = entry;
      if (!hasId(message)) return entry;
      const key = keyOfMessage(message);
      const next = byKey.get(key);
      if (next === undefined || next.text === message.text) return entry;
      if (base.has(key) && base.get(key) !== versionHash(message)) {
        isContested = true;
        return entry;
      }
      changed = true;
      return { raw: { ...(entry.raw as object), ...printMessage(next) }, message: next };
    });
    return changed ? { ...list, entries } : undefined;
  });
  return isContested;
}

/**
 * Brings the `archive*` fields up to date and removes what the limits let go.
 * `markFor` decides by key; undefined leaves an entry alone. Undefined when the
 * file shows all of it already.
 */
export async function mirrorHistory(
  context: ArchiveContext,
  standing: KnownList,
  previous: readonly Read[] | undefined,
  markFor: (key: MessageKey, standing: unknown) => Mark | undefined,
): Promise<Rewritten | undefined> {
  if (isLarge(context.settings, standing.bytes))
    await countBytes(standing.list.entries, pacer(context.clock));
  return await rewriteKnown(context, "history", standing, (list, bytes) => {
    const keys = list === standing.list ? standing.keys : keysOf(context, list, previous);
    let changed = false;
    const entries = list.entries.map((entry, index): ListEntry => {
      const key = keys[index];
      const raw = entry.raw as Record<string, unknown>;
      const mark = key === undefined ? undefined : markFor(key, raw["archived"]);
      const marked = mark === undefined ? undefined : withMark(raw, mark);
      if (marked === undefined || key === undefined) return entry;
      changed = true;
      const next = entry.message?.id === undefined ? { ...marked, id: idOfKey(key) } : marked;
      if (isLarge(context.settings, bytes)) noteChanged(raw, next);
      return { ...entry, raw: next };
    });
    const { remove } = trimOf(trimmableIn(context, entries, keys, bytes), context.settings.history);
    return changed || remove.size > 0 ? { entries, remove } : undefined;
  });
}

/** Removes the entries of messages that were told to be forgotten. Undefined when none stands there. */
export async function dropForgotten(
  context: ArchiveContext,
  name: ListName,
  standing: KnownList,
  previous: readonly Read[] | undefined,
): Promise<Rewritten | undefined> {
  return await rewriteKnown(context, name, standing, ({ entries }) => {
    const { keys, forgotten } = taken(context, name, entries, previous);
    const remove = new Set(
      keys.flatMap((key, index) => (key !== undefined && forgotten.has(key) ? [index] : [])),
    );
    return remove.size > 0 ? { entries, remove } : undefined;
  });
}

/** What a rewrite of a known list left. */
export interface Rewritten {
  written: Written;
  /** Which of the known entries stay, by index; undefined where somebody had changed the file since it was read. */
  kept?: readonly number[];
}

async function rewriteKnown(
  context: ArchiveContext,
  name: ListName,
  standing: KnownList,
  change: (
    list: MessageList,
    bytes: number,
  ) => { entries: readonly ListEntry[]; remove: ReadonlySet<number> } | undefined,
): Promise<Rewritten | undefined> {
  let kept: readonly number[] | undefined;
  const written = await rewrite(context, name, standing, (list, bytes) => {
    const next = change(list, bytes);
    if (next === undefined) return undefined;
    const stays = [...next.entries.keys()].filter((index) => !next.remove.has(index));
    kept = list === standing.list ? stays : undefined;
    return { ...list, entries: stays.map((index) => next.entries[index] as ListEntry) };
  });
  if (written === undefined) return undefined;
  return kept === undefined ? { written } : { written, kept };
}

/** A list as it was last read or written. */
export interface KnownList {
  list: MessageList;
  bytes: number;
  hash: string;
  stamp: string;
  /** The key each entry counts under; undefined for what is no message. */
  keys: readonly (MessageKey | undefined)[];
}

/** A list as memd has just written it. */
export type Written = Omit<KnownList, "keys">;

/** What stands now when it was rewritten. */
async function rewrite(
  context: ArchiveContext,
  name: ListName,
  known: KnownList | undefined,
  change: (list: MessageList, bytes: number) => MessageList | undefined,
): Promise<Written | undefined> {
  const { writer, workspace, clock } = context;
  let written: { list: MessageList; content: Encoded } | undefined;
  const stat = await rewriteShared(writer, workspace, at(workspace, FILES[name]), async (present) => {
    const pace = pacer(clock);
    const list = present === undefined ? EMPTY_LIST : await parsed(name, present, known, pace);
    const next = change(list, present?.byteLength ?? 0);
    if (next === undefined) return undefined;
    written = { list: next, content: new Encoded(() => printList(next), pace) };
    return written.content;
  });
  if (stat === undefined || written === undefined) return undefined;
  const { list, content } = written;
  return { list, bytes: content.bytes, hash: content.hash, stamp: stampOf(stat) };
}

/** Parsed anew only when it is not, byte for byte, what was read before. */
async function parsed(
  name: ListName,
  bytes: Uint8Array,
  known: KnownList | undefined,
  pace: Pace,
): Promise<MessageList> {
  const mayBeKnown = known?.bytes === bytes.byteLength;
  if (mayBeKnown && known.hash === (await hashInSteps(bytes, pace))) return known.list;
  const reading = await parseListBytes(bytes);
  if (reading.is === "list") return reading.list;
  const reason = reading.is === "unreadable" ? reading.reason : "gone";
  throw new MemdError("file_unreadable", `${FILES[name]} cannot be read: ${reason}.`);
}

/** What a reading of these entries says, with the key of each; undefined where it is no message. */
function taken(
  { ledger, clock }: ArchiveContext,
  name: ListName,
  entries: readonly ListEntry[],
  previous: readonly Read[] | undefined,
) {
  const messages = entries.flatMap(({ message }) => message ?? []);
  const intake = takeIn(ledger, messages, name, previous, clock.now());
  let next = 0;
  return { ...intake, keys: entries.map(({ message }) => message && intake.keys[next++]) };
}

/** The key of each entry; undefined where it is no message, or one that is not journalled yet. */
function keysOf(
  context: ArchiveContext,
  list: MessageList,
  previous: readonly Read[] | undefined,
): (MessageKey | undefined)[] {
  const { keys, entries } = taken(context, "history", list.entries, previous);
  const unseen = new Set(
    entries.flatMap((entry) => (entry.op === "message" ? [keyOfMessage(entry.filed.message)] : [])),
  );
  return keys.map((key) => (key !== undefined && unseen.has(key) ? undefined : key));
}

/**
 * The `archive*` fields that history.json should show.
 *
 * Pure. They mirror what the outputs and retries say, so a host that drops them
 * loses nothing: they are written again.
 */
export interface Mark {
  archived: Archived;
  retry?: MarkState["retry"];
}

/** What is known of a message when its mark is decided. */
interface MarkState {
  /** Its newest version has its block. */
  settled: boolean;
  /** A pass holds it now. */
  taken: boolean;
  /** Its day is recent, or covered by its summary. */
  covered: boolean;
  /** Its summary is being made, or is due to be. */
  summaryUnderway: boolean;
  retry: Pick<Retry, "attempts" | "failedAt" | "nextAt"> | undefined;
  /** What history.json says now. */
  standing: unknown;
}

export function markOf(state: MarkState): Mark {
  if (!state.settled) return { archived: state.taken ? "pending" : false };
  if (state.covered || state.standing === true) return { archived: true };
  return { archived: state.summaryUnderway ? "pending" : false, retry: state.retry };
}

/** The entry with its mark; undefined when it shows it already. A missing `archived` says `false`. */
export function withMark(
  raw: Record<string, unknown>,
  { archived, retry }: Mark,
): Record<string, unknown> | undefined {
  const wanted: Record<(typeof ARCHIVE_FIELDS)[number], unknown> = {
    archived,
    archiveAttempts: retry?.attempts,
    archiveFailedAt: retry && isoOf(retry.failedAt),
    archiveNextAt: retry && isoOf(retry.nextAt),
  };
  const same = ARCHIVE_FIELDS.every(
    (name) => (raw[name] ?? (name === "archived" ? false : undefined)) === wanted[name],
  );
  if (same) return undefined;
  const next = { ...raw };
  for (const name of ARCHIVE_FIELDS) {
    if (wanted[name] === undefined) delete next[name];
    else next[name] = wanted[name];
  }
  return next;
}
