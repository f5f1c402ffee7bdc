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

/** What a scan finds out is kept for the next one; a hostile text can still ask for many scans. */
const SALVAGE_PASSES = 20;

/** Where `messages` begins in an object around the list. */
const MESSAGES = /"messages"\s*:\s*\[/;

/**
 * Whole objects of a broken list, in order: what can be saved from a file that
 * was cut off or is being written. Nested objects belong to their outer one.
 */
export function salvage(text: string): unknown[] {
  const found: unknown[] = [];
  const list = /^\s*\{\s*"/.test(text) ? text.search(MESSAGES) : -1;
  let at = list === -1 ? 0 : list + '"messages"'.length;
  let budgetChars = text.length * SALVAGE_PASSES;
  const ends = new Ends(text);
  while (budgetChars > 0) {
    const start = text.indexOf("{", at);
    if (start === -1) break;
    const { end, scanned } = ends.of(start);
    budgetChars -= scanned;
    // Where nothing closes it, or it is balanced but no JSON, a whole message may still begin after its brace.
    at = start + 1;
    if (end === undefined) continue;
    try {
      found.push(JSON.parse(text.slice(start, end)));
      at = end;
    } catch {
      budgetChars -= end - start;
    }
  }
  return found;
}

/** Where objects end, outside of quotes. A scan answers for every brace that it passed. */
class Ends {
  /** By the position of the opening brace: 0 unknown, -1 never closed. */
  readonly #known: Int32Array;

  constructor(private readonly text: string) {
    this.#known = new Int32Array(text.length);
  }

  /** The index after the brace that closes the one at `start`, and how many characters it took to find it. */
  of(start: number): { end: number | undefined; scanned: number } {
    const known = this.#known[start] ?? 0;
    const scanned = known === 0 ? this.#scan(start) : 0;
    const end = this.#known[start] ?? -1;
    return { end: end === -1 ? undefined : end, scanned };
  }

  #scan(start: number): number {
    const open: number[] = [];
    let quoted = false;
    let at = start;
    for (; at < this.text.length; at++) {
      const code = this.text.charCodeAt(at);
      if (code === QUOTE) quoted = !quoted;
      else if (code === BACKSLASH && quoted) at++;
      else if (code === OPEN && !quoted) open.push(at);
      else if (code === CLOSE && !quoted) {
        this.#known[open.pop() ?? start] = at + 1;
        if (open.length === 0) return at + 1 - start;
      }
    }
    for (const opened of open) this.#known[opened] = -1;
    return at - start;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
