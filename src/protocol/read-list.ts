/**
 * Reading a message list that others write: a text that does not parse is
 * somebody's unfinished write, so it is read again, three times over a second,
 * before it counts as unreadable. It is never taken for an empty one. Drops of
 * `inbox.d/` are messages one by one.
 */
import { isMemdError, messageOf } from "../model/errors.js";
import type { IncomingMessage, Message, MessageId } from "../model/message.js";
import { epochMs, type EpochMs, isoOf } from "../model/time.js";
import type { Clock, Random } from "../platform/clock.js";
import type { Disk } from "../platform/disk.js";
import { parseJson } from "../platform/json.js";
import { parseMessage, printMessage, withId } from "./message.js";
import { type FileWriter, publishNew } from "./publish.js";
import { WholeObjects } from "./whole-objects.js";
import { at, FILES, type Workspace } from "./workspace.js";

export type ListReading =
  | { is: "list"; list: MessageList; bytes: Uint8Array }
  | { is: "absent" }
  | { is: "unreadable"; bytes: Uint8Array; reason: string };

const PATIENCE_MS = [250, 750] as const;

export async function readList(disk: Disk, clock: Clock, file: string): Promise<ListReading> {
  let reading = await readListOnce(disk, file);
  for (const waitMs of PATIENCE_MS) {
    if (reading.is !== "unreadable") return reading;
    await clock.sleep(waitMs);
    reading = await readListOnce(disk, file);
  }
  return reading;
}

export async function readListOnce(disk: Disk, file: string): Promise<ListReading> {
  const bytes = await disk.read(file);
  return bytes === undefined ? { is: "absent" } : parseListBytes(bytes);
}

export async function parseListBytes(bytes: Uint8Array): Promise<ListReading> {
  try {
    const head = new TextDecoder().decode(bytes.subarray(0, 64));
    const list = listOf(await parseJson(bytes), indentOf(head));
    if (list.outer !== undefined && isListedTwice(bytes)) throw new SyntaxError("it has `messages` twice");
    return { is: "list", list, bytes };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return {
      is: "unreadable",
      bytes,
      reason: bytes.byteLength === 0 ? "the file is empty" : messageOf(error),
    };
  }
}

/**
 * Message lists: `history.json` and `inbox.json`, an array or `{messages: […]}`.
 *
 * Pure. The outer shape, the order, unknown fields and entries that are no
 * messages are kept as they were through every rewrite.
 */
export interface ListEntry {
  /** As the host wrote it. */
  raw: unknown;
  /** Absent when the entry is no message; it is kept all the same. */
  message?: IncomingMessage;
}

export interface MessageList {
  /** The object around `messages`; undefined for a bare array. */
  outer?: Record<string, unknown>;
  /** What a level is indented by: spaces or a tab; empty for one line. */
  indent: string;
  entries: ListEntry[];
}

export const EMPTY_LIST: MessageList = { indent: "  ", entries: [] };

/** Throws SyntaxError when the value has neither shape. */
export function listOf(value: unknown, indent = "  "): MessageList {
  if (Array.isArray(value)) return { indent, entries: value.map(entryOf) };
  const { messages } = (value ?? {}) as { messages?: unknown };
  if (Array.isArray(messages))
    return { outer: value as Record<string, unknown>, indent, entries: messages.map(entryOf) };
  throw new SyntaxError("neither a list of messages nor an object with a list `messages`");
}

function entryOf(raw: unknown): ListEntry {
  const message = parseMessage(raw);
  return message === undefined ? { raw } : { raw, message };
}

/** How the first entry is indented tells how the host formats. */
export function indentOf(head: string): string {
  return /^\s*[[{]\r?\n( {1,8}|\t)/.exec(head)?.[1] ?? "";
}

/** The file in pieces, so that a long one can be printed without holding up the event loop. */
export function* printList(list: MessageList): Generator<string> {
  const { outer, indent } = list;
  const gap = indent === "" ? "" : "\n";
  if (outer === undefined) {
    yield* printEntries(list.entries, indent, "");
  } else {
    yield "{";
    for (const [index, [name, value]] of Object.entries(outer).entries()) {
      yield `${index === 0 ? "" : ","}${gap}${indent}${JSON.stringify(name)}: `;
      if (name === "messages") yield* printEntries(list.entries, indent, indent);
      else yield nested(value, indent, indent);
    }
    yield `${gap}}`;
  }
  yield "\n";
}

function* printEntries(entries: readonly ListEntry[], indent: string, margin: string): Generator<string> {
  const gap = indent === "" ? "" : "\n";
  const pad = margin + indent;
  yield "[";
  for (const [index, entry] of entries.entries()) {
    yield `${index === 0 ? "" : ","}${gap}${pad}${nested(entry.raw, indent, pad)}`;
  }
  yield entries.length === 0 ? "]" : `${gap}${margin}]`;
}

function nested(value: unknown, indent: string, margin: string): string {
  const text = JSON.stringify(value, null, indent);
  return margin === "" ? text : text.replaceAll("\n", `\n${margin}`);
}

/** Broken objects are short reads; only a text made for it asks for more. */
const SALVAGE_PASSES = 20;

/**
 * Whole messages of a broken list, in order: what can be saved from a file that
 * was cut off, damaged or is being written. What stands inside a message belongs
 * to it; what stands around the list is none.
 */
export function salvage(text: string): unknown[] {
  const found: unknown[] = [];
  const objects = new WholeObjects(text);
  let budgetChars = text.length * SALVAGE_PASSES;
  let at = beginOfList(text, objects);
  while (budgetChars > 0) {
    const brace = text.indexOf("{", at);
    if (brace === -1) break;
    const { end, read } = objects.messageAt(brace);
    budgetChars -= read;
    const value: unknown = end === undefined ? undefined : JSON.parse(text.slice(brace, end));
    // In what is broken, or is no message, a whole one may still begin behind the brace.
    at = end !== undefined && parseMessage(value) !== undefined ? end : brace + 1;
    if (at === end) found.push(value);
  }
  return found;
}

/** Where `messages` begins in an object around the list, if it can be read so far. */
function beginOfList(text: string, objects: WholeObjects): number {
  const root = text.search(/\S/);
  if (text[root] !== "{" || objects.messageAt(root).end !== undefined) return 0;
  return objects.lists[0] ?? 0;
}

const NAME = Buffer.from('"messages"');

/** Whether the object around the list names `messages` twice: a reader of JSON sees the last one only. */
function isListedTwice(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.indexOf(NAME, file.indexOf(NAME) + 1) === -1) return false;
  const text = file.toString();
  const objects = new WholeObjects(text);
  objects.messageAt(text.indexOf("{"));
  return objects.lists.length > 1;
}

/** One message per file, for many writers; its name is the message's id. In `inbox.d/`, and what hooks told in `queue/told/`. */
type DropFolder = typeof FILES.drops | typeof FILES.told;

export type Drop =
  | { is: "message"; file: string; message: Message }
  | { is: "unreadable"; file: string; bytes: Uint8Array; reason: string };

/** Drops in the order of their names, each read when it is asked for; unfinished ones (hidden, `.tmp`) are left alone. */
export async function* readDrops(
  disk: Disk,
  workspace: Workspace,
  folder: DropFolder = FILES.drops,
): AsyncGenerator<Drop, void> {
  for (const entry of await disk.list(at(workspace, folder))) {
    if (entry.kind !== "file" || entry.name.startsWith(".") || !entry.name.endsWith(".json")) continue;
    const file = `${folder}/${entry.name}`;
    try {
      const bytes = await disk.read(at(workspace, file));
      const stat = await disk.stat(at(workspace, file));
      if (bytes === undefined || stat === undefined) continue;
      yield await readDrop(file, entry.name, bytes, epochMs(stat.mtimeMs));
    } catch (error) {
      // Another user's file that only they may read: it stays, and the others' messages go on.
      if (!isMemdError(error, "disk_denied")) throw error;
      yield { is: "unreadable", file, bytes: new Uint8Array(), reason: error.message };
    }
  }
}

/** Begins the id of what a hook told: the agent's own transcript calls it by another. */
const TOLD = "told-";

/** Of what a hook told, beside the message: which agent's it is, and where that writes the conversation down. */
export const TOLD_FIELDS = { agent: "hook_agent", transcript: "hook_transcript" } as const;

export function isToldId(id: string): boolean {
  return id.startsWith(TOLD);
}

/** Of this process: a clock that stands still, or is set back, must not turn the order of drops around. */
let lastNamed = epochMs(0);

/** Time-ordered, so that drops keep their order. */
export function nameDrop(random: Random, now: EpochMs, folder: DropFolder): MessageId {
  const prefix = folder === FILES.told ? TOLD : "";
  lastNamed = epochMs(Math.max(now, lastNamed + 1));
  return `${prefix}${isoOf(lastNamed).replaceAll(/[:.]/g, "-")}-${random.name(8)}` as MessageId;
}

/** Publishes a drop; its id: `named`, where nobody else has that name. */
export async function writeDrop(
  writer: FileWriter,
  workspace: Workspace,
  message: Omit<IncomingMessage, "id">,
  now: EpochMs,
  folder: DropFolder = FILES.drops,
  named = nameDrop(writer.random, now, folder),
): Promise<MessageId> {
  for (let id = named; ; id = nameDrop(writer.random, now, folder)) {
    const file = at(workspace, `${folder}/${id}.json`);
    if (await publishNew(writer, file, `${JSON.stringify(printMessage(message))}\n`)) return id;
  }
}

async function readDrop(file: string, name: string, bytes: Uint8Array, writtenAt: EpochMs): Promise<Drop> {
  let reason = "it has no text";
  try {
    const message = parseMessage(await parseJson(bytes));
    if (message !== undefined) {
      const id = name.slice(0, -".json".length) as MessageId;
      const dated = message.createdAt === "" ? { ...message, createdAt: isoOf(writtenAt) } : message;
      return { is: "message", file, message: withId(dated, id) };
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    reason = error.message;
  }
  return { is: "unreadable", file, bytes, reason };
}
