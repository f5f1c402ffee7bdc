/**
 * Message lists: `history.json` and `inbox.json`, an array or `{messages: […]}`.
 *
 * Pure. The outer shape, the order, unknown fields and entries that are no
 * messages are kept as they were through every rewrite.
 */
import type { IncomingMessage } from "../model/message.js";
import { parseMessage } from "./message.js";

export interface ListEntry {
  /** As the host wrote it. */
  raw: unknown;
  /** Absent when the entry is no message; it is kept all the same. */
  message?: IncomingMessage;
}

export interface MessageList {
  /** The object around `messages`; undefined for a bare array. */
  outer?: Record<string, unknown>;
  /** Spaces per level; 0 for one line. */
  indent: number;
  entries: ListEntry[];
}

export const EMPTY_LIST: MessageList = { indent: 2, entries: [] };

/** Throws SyntaxError when the value has neither shape. */
export function listOf(value: unknown, indent = 2): MessageList {
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

/** How far the first entry is indented tells how the host formats. */
export function indentOf(head: string): number {
  const found = /^\s*[[{]\r?\n( *)/.exec(head);
  return found === null ? 0 : Math.min(found[1]?.length ?? 0, 8);
}

/** The file in pieces, so that a long one can be printed without holding up the event loop. */
export function* printList(list: MessageList): Generator<string> {
  const { outer, indent, entries } = list;
  const gap = indent === 0 ? "" : "\n";
  const pad = " ".repeat(outer === undefined ? indent : indent * 2);
  if (outer !== undefined) {
    yield `{${gap}`;
    for (const [name, value] of Object.entries(outer)) {
      if (name === "messages") continue;
      yield `${" ".repeat(indent)}${JSON.stringify(name)}: ${nested(value, indent, indent)},${gap}`;
    }
    yield `${" ".repeat(indent)}"messages": `;
  }
  yield "[";
  for (const [index, entry] of entries.entries()) {
    yield `${index === 0 ? "" : ","}${gap}${pad}${nested(entry.raw, indent, pad.length)}`;
  }
  yield entries.length === 0 ? "]" : `${gap}${outer === undefined ? "" : " ".repeat(indent)}]`;
  if (outer !== undefined) yield `${gap}}`;
  yield "\n";
}

function nested(value: unknown, indent: number, depth: number): string {
  const text = JSON.stringify(value, null, indent);
  return depth === 0 || indent === 0 ? text : text.replaceAll("\n", `\n${" ".repeat(depth)}`);
}

/** Braces that nothing closes make each look longer than the last: enough passes for any real file, few enough for a hostile one. */
const SALVAGE_PASSES = 50;

/**
 * Whole objects of a broken list, in order: what can be saved from a file that
 * was cut off or is being written. Nested objects belong to their outer one.
 */
export function salvage(text: string): unknown[] {
  const found: unknown[] = [];
  const wrapped = /^\s*\{\s*"(?:[^"\\]|\\.)*"\s*:/.test(text) && /"messages"\s*:\s*\[/.test(text);
  let at = wrapped ? text.search(/"messages"\s*:\s*\[/) + '"messages"'.length : 0;
  let budgetChars = text.length * SALVAGE_PASSES;
  while (at < text.length && budgetChars > 0) {
    const start = text.indexOf("{", at);
    if (start === -1) break;
    const end = objectEnd(text, start);
    budgetChars -= (end ?? text.length) - start;
    if (end === undefined) {
      // Nothing closes it: a whole message may still begin after its brace.
      at = start + 1;
      continue;
    }
    try {
      found.push(JSON.parse(text.slice(start, end)));
      at = end;
    } catch {
      // Balanced but no JSON: look inside.
      at = start + 1;
    }
  }
  return found;
}

/** Index after the brace that closes the object at `start`. */
function objectEnd(text: string, start: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (quoted) {
      if (char === "\\") at++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === "{") depth++;
    else if (char === "}" && --depth === 0) return at + 1;
  }
  return undefined;
}
