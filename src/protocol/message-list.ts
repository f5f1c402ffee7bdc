/**
 * Message lists: `history.json` and `inbox.json`, an array or `{messages: […]}`.
 *
 * Pure. The outer shape, the order, unknown fields and entries that are no
 * messages are kept as they were through every rewrite.
 */
import type { IncomingMessage } from "../model/message.js";
import { parseMessage } from "./message.js";
import { WholeObjects } from "./whole-objects.js";

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
  if (
    typeof value === "object" &&
    value !== null &&
    Array.isArray((value as { messages?: unknown }).messages)
  ) {
    const outer = value as Record<string, unknown> & { messages: unknown[] };
    return { outer, indent, entries: outer.messages.map(entryOf) };
  }
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
export function isListedTwice(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.indexOf(NAME, file.indexOf(NAME) + 1) === -1) return false;
  const text = file.toString();
  const objects = new WholeObjects(text);
  objects.messageAt(text.indexOf("{"));
  return objects.lists.length > 1;
}
