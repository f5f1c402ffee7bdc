/**
 * history.json and inbox.json, in both shapes and every layout. Whatever is
 * done to the file, a message whose own bytes stand comes out of the parser or
 * of salvage, as it went in.
 */
import { isUtf8 } from "node:buffer";
import { parseJournalEntry, printJournalEntry } from "../../../src/protocol/journal.js";
import { type MessageList, parseListBytes, printList, salvage } from "../../../src/protocol/read-list.js";
import { parseMessage, printMessage, withId } from "../../../src/protocol/message.js";
import type { MessageId } from "../../../src/model/message.js";
import { epochMs } from "../../../src/model/time.js";
import { mustBe, readAgain, type Case, type Kind, type Outcome } from "./kind.js";
import type { Rng } from "./seed.js";
import { messageOf, valueOf } from "./words.js";

export const LISTS: readonly Kind[] = [
  { name: "history.json", share: 16, make: (rng) => listCase(rng, rng.oneIn(2)) },
  { name: "inbox.json", share: 16, make: (rng) => listCase(rng, false, 3) },
];

/** A message in a file: the bytes that say it and the value that must come out. */
interface Piece {
  text: string;
  value: string;
}

function listCase(rng: Rng, isWrapped: boolean, most = 8): Case {
  const messages = Array.from({ length: 1 + rng.int(most) }, (_none, n) =>
    messageOf(rng, n, rng.oneIn(4) ? { archived: rng.pick([true, false, "pending"]) } : {}),
  );
  const { text, pieces } = printed(rng, messages, isWrapped);
  // Printing again takes longer than all the rest: for one file in four.
  const isPrinted = rng.oneIn(4);
  return { whole: Buffer.from(text), try: (input) => tryList(input, pieces, isPrinted) };
}

async function tryList(input: Uint8Array, pieces: readonly Piece[], isPrinted: boolean): Promise<Outcome> {
  const reading = await parseListBytes(input);
  const text = new TextDecoder().decode(input);
  const isList = reading.is === "list";
  mustBe("changed", !isList || isUtf8(input), "bytes that are no text were read as some");
  const values = isList ? reading.list.entries.map(({ raw }) => raw) : salvage(text);
  if (isList && isPrinted) await printedAgain(reading.list);
  if (!isList && isPrinted) for (const value of values) journalled(value);
  const found = new Set(values.map((value) => JSON.stringify(value)));
  for (const piece of standing(text, pieces)) {
    if (found.has(piece.value) || isPartOfAnother(text, piece)) continue;
    mustBe("dropped", false, `${isList ? "the parser" : "salvage"} leaves out ${piece.value}`);
  }
  return isList ? "parsed" : "refused";
}

/** The pieces whose bytes are all there; line ends do not count. */
function standing(text: string, pieces: readonly Piece[]): Piece[] {
  const plain = text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
  return pieces.filter((piece) => plain.includes(piece.text));
}

/** A list that parses is printed as the same list again. */
async function printedAgain(list: MessageList): Promise<void> {
  const first = [...printList(list)].join("");
  const again = await readAgain("list", () => parseListBytes(Buffer.from(first)));
  mustBe("changed", again.is === "list", "a list that was printed is no list");
  if (again.is === "list")
    mustBe("changed", [...printList(again.list)].join("") === first, "a list printed twice differs");
  for (const { raw, message } of list.entries) if (message !== undefined) journalled(raw);
}

/** A message goes into a journal line and comes back. */
function journalled(value: unknown): void {
  const message = parseMessage(value);
  if (message === undefined) return;
  const now = epochMs(1.77e12);
  const filed = { message: withId(message, message.id ?? ("n-1" as MessageId)), filedAt: now };
  const [line = ""] = printJournalEntry({ op: "message", from: "salvage", seenAt: now, filed });
  const entry = parseJournalEntry(JSON.parse(line));
  const back = entry?.op === "message" ? JSON.stringify(printMessage(entry.filed.message)) : undefined;
  mustBe("changed", back === JSON.stringify(printMessage(filed.message)), `a journal line loses ${line}`);
}

/**
 * Whether the piece stands inside a whole object that is a message, or an entry
 * of the list: then it is part of that one. The object around all entries does not count.
 */
function isPartOfAnother(text: string, piece: Piece): boolean {
  const root = text.search(/[^\s\ufeff]/);
  const at = text.replaceAll("\r\n", "\n").indexOf(piece.text);
  const plain = text.replaceAll("\r\n", "\n");
  for (let start = plain.lastIndexOf("{", at - 1); start >= 0 && at > 0;) {
    for (let end = plain.indexOf("}", at + piece.text.length); end >= 0; end = plain.indexOf("}", end + 1)) {
      const value = parsed(plain.slice(start, end + 1));
      if (value !== undefined && (start !== root || isMessage(value))) return true;
    }
    start = start === 0 ? -1 : plain.lastIndexOf("{", start - 1);
  }
  return inArray(plain, piece);
}

/** An entry that is a list of its own is kept as it is, and is no message. */
function inArray(text: string, piece: Piece): boolean {
  const value = parsed(text.replace(/^\ufeff/, ""));
  const entries = Array.isArray(value) ? value : (value as { messages?: unknown } | undefined)?.messages;
  const holds = (inner: unknown): boolean =>
    Array.isArray(inner) && inner.some((item) => JSON.stringify(item) === piece.value || holds(item));
  return Array.isArray(entries) && entries.some(holds);
}

function isMessage(value: unknown): boolean {
  return typeof (value as { role?: unknown }).role === "string" && parseMessage(value) !== undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not whole.
    return undefined;
  }
}

function printed(
  rng: Rng,
  messages: readonly unknown[],
  isWrapped: boolean,
): { text: string; pieces: Piece[] } {
  const indent = rng.pick(["", "  ", "    ", "\t"]);
  const gap = indent === "" ? rng.pick(["", " "]) : "\n";
  const margin = isWrapped ? indent.repeat(2) : indent;
  const pieces = messages.map((value) => ({
    text: JSON.stringify(value, null, indent).replaceAll("\n", `\n${margin}`),
    value: JSON.stringify(value),
  }));
  const entries = pieces.map(({ text }) => (indent === "" ? text : margin + text)).join(`,${gap}`);
  const list = `[${gap}${entries}${gap}${indent === "" ? "" : margin.slice(indent.length)}]`;
  if (!isWrapped) return { text: `${list}\n`, pieces };
  const meta = rng.oneIn(2) ? `"version": 2,${gap}${indent}` : "";
  const rest = rng.oneIn(2) ? `,${gap}${indent}"meta": ${JSON.stringify(valueOf(rng))}` : "";
  return { text: `{${gap}${indent}${meta}"messages": ${list}${rest}${gap}}\n`, pieces };
}
