/**
 * The blocks of a verbatim day, out of its bytes: each is made a text only when it is
 * its turn, so that a day of any length stands in memory once.
 *
 * Pure. A heading that is nobody's message is what a person wrote: it stays where it
 * is, with the block above.
 */
import { defined } from "../model/collections.js";
import type { FiledMessage, IncomingMessage, MessageId } from "../model/message.js";
import { defaultOwnerOf, MAIN_SCOPE, type ScopeId } from "../model/address.js";
import { type EpochMs, parseInstant } from "../model/time.js";
import { parseFields, parseHidden } from "./front-matter.js";
import { parseMessage } from "./message.js";

export interface VerbatimBlock {
  filed: FiledMessage;
  /** First and last line in the file, 1-based. */
  lines: readonly [number, number];
  /** Heading line and escaped text, with what a person wrote below it that is no block; without the separating line breaks. */
  raw: string;
}

/** Fields of a message that its heading says in words. */
export const WRITTEN_OUT = ["id", "session", "role", "user", "speaker", "scene"] as const;

const BREAK = "\n".charCodeAt(0);
const OPENING = Buffer.from("### ");
const LATER_OPENING = Buffer.from("\n### ");
const HEADING = /^### \d{2}:\d{2}:\d{2} /;
const ESCAPED_HEADING = /^\\(\\*### \d{2}:\d{2}:\d{2})/gm;

/** What the heading of somebody's message says. */
interface Heading {
  id: MessageId;
  filedAt: EpochMs;
  fields: ReadonlyMap<string, string>;
}

/** Where a block stands, in bytes. */
interface Place {
  heading: Heading;
  from: number;
  /** Where its text ends: what looks like a heading below it is no part of what was said. */
  textTo: number;
  /** Where the next block begins. */
  to: number;
}

/** A file without its head. */
export interface Body {
  /** UTF-8. */
  bytes: Buffer;
  /** 1-based line of the file on which it begins. */
  line: number;
  scope: ScopeId;
}

/** What a day holds; all of it can be gone through again. */
export interface Contents {
  /** What stands before the first block. */
  preamble: string;
  /** In the order of the file. */
  blocks: Iterable<VerbatimBlock>;
  /** The same messages, of a long text no more than its beginning and its end, each of more than 64,000 characters. */
  glimpses: Iterable<FiledMessage>;
}

export function contentsOf(body: Body): Contents {
  const places = placesIn(body.bytes);
  return {
    preamble: body.bytes.toString("utf8", 0, places[0]?.from),
    blocks: { [Symbol.iterator]: () => madeOf(places, body) },
    glimpses: { [Symbol.iterator]: () => glimpsesOf(places, body) },
  };
}

function* madeOf(places: readonly Place[], { bytes, line, scope }: Body): Generator<VerbatimBlock> {
  let [breaks, counted] = [0, 0];
  // Counted only where it is asked for, which is nearly always in order.
  const lineAt = (at: number): number => {
    if (at < counted) [breaks, counted] = [0, 0];
    for (; counted < at; counted++) if (bytes[counted] === BREAK) breaks++;
    return line + breaks;
  };
  for (const { heading, from, textTo, to } of places) {
    const end = trimmed(bytes, from, to);
    const raw = bytes.toString("utf8", from, end);
    const said = textTo === to ? raw : bytes.toString("utf8", from, trimmed(bytes, from, textTo));
    // Of what separates it from the next one nothing but line breaks is left out.
    const linesOf = (): readonly [number, number] => [lineAt(from), lineAt(to) - (to - end)];
    yield {
      filed: filedOf(textIn(said), heading, scope),
      raw,
      get lines() {
        return linesOf();
      },
    };
  }
}

/** So many bytes hold 64,000 characters of any kind. */
const GLIMPSE_BYTES = 192 * 1024 + 4;

function* glimpsesOf(places: readonly Place[], { bytes, scope }: Body): Generator<FiledMessage> {
  for (const { heading, from, textTo } of places) {
    const end = trimmed(bytes, from, textTo);
    const newline = bytes.indexOf(BREAK, from);
    const begin = newline === -1 ? end : Math.min(newline + 1, end);
    const [headTo, tailFrom] = [begin + GLIMPSE_BYTES, end - GLIMPSE_BYTES];
    const text =
      headTo >= tailFrom
        ? bytes.toString("utf8", begin, end)
        : `${bytes.toString("utf8", begin, headTo)}${bytes.toString("utf8", tailFrom, end)}`;
    yield filedOf(text, heading, scope);
  }
}

function placesIn(bytes: Buffer): Place[] {
  const starts = headingsIn(bytes);
  const places: Place[] = [];
  for (const [index, { at, heading }] of starts.entries()) {
    if (heading === undefined) continue;
    const last = places.at(-1);
    if (last !== undefined) last.to = at;
    places.push({ heading, from: at, textTo: starts[index + 1]?.at ?? bytes.length, to: bytes.length });
  }
  return places;
}

/** Lines that look like headings, each with what it says where it is somebody's message. */
function headingsIn(bytes: Buffer): { at: number; heading: Heading | undefined }[] {
  const found: { at: number; heading: Heading | undefined }[] = [];
  const starts = bytes.subarray(0, OPENING.length).equals(OPENING) ? [0] : [];
  for (let at = starts[0] ?? nextIn(bytes, 0); at !== -1; at = nextIn(bytes, at)) {
    const stop = bytes.indexOf(BREAK, at);
    const comment = commentOf(bytes.toString("utf8", at, stop === -1 ? bytes.length : stop));
    if (comment !== undefined) found.push({ at, heading: headingOf(comment) });
  }
  return found;
}

function nextIn(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(LATER_OPENING, from);
  return at === -1 ? -1 : at + 1;
}

/** What the comment of a heading says; undefined for any other line. Neither name nor fields hold a `<`. */
function commentOf(line: string): string | undefined {
  const text = line.trimEnd();
  const from = text.lastIndexOf(" <!-- ");
  if (from === -1 || !text.endsWith(" -->") || !HEADING.test(text)) return undefined;
  return text.slice(from + " <!-- ".length, -" -->".length);
}

function headingOf(comment: string): Heading | undefined {
  const fields = parseFields(comment);
  const id = fields.get("id");
  const filedAt = parseInstant(fields.get("filed") ?? fields.get("at") ?? "");
  return id === undefined || filedAt === undefined ? undefined : { id: id as MessageId, filedAt, fields };
}

/** Without the line breaks that separate it from the next block, or end the file. */
function trimmed(bytes: Buffer, from: number, to: number): number {
  const most = to === bytes.length ? 1 : 2;
  let end = to;
  while (end > from && to - end < most && bytes[end - 1] === BREAK) end--;
  return end;
}

/** What stands below the heading. */
function textIn(raw: string): string {
  const newline = raw.indexOf("\n");
  return newline === -1 ? "" : raw.slice(newline + 1);
}

/** `written`: the text with its escapes. */
function filedOf(written: string, { id, filedAt, fields }: Heading, scope: ScopeId): FiledMessage {
  const text = unescapeText(written);
  const rebuilt: Record<string, unknown> = { text };
  if (fields.has("at")) rebuilt["createdAt"] = fields.get("at");
  if (scope !== MAIN_SCOPE || fields.get("scope") === MAIN_SCOPE) rebuilt["scope"] = scope;
  for (const name of WRITTEN_OUT) if (fields.has(name)) rebuilt[name] = fields.get(name);
  if (fields.has("private")) rebuilt["private"] = fields.get("private") === "true";
  const hidden = hiddenFields(fields.get("x"), text);
  const whole = parseMessage({ ...rebuilt, ...hidden });
  // What the text says to a person counts; the hidden one only adds what UTF-8 cannot show.
  const isShown = whole?.text.toWellFormed() === text.toWellFormed();
  // Whatever has a text is a message.
  const message = (isShown ? whole : parseMessage({ ...rebuilt, ...hidden, text })) as IncomingMessage;
  const belongsTo = fields.get("for") ?? defaultOwnerOf(message);
  return { message: { ...message, id }, filedAt, ...defined({ belongsTo }) };
}

function hiddenFields(encoded: string | undefined, text: string): Record<string, unknown> {
  if (encoded === undefined) return {};
  try {
    const fields = parseHidden(encoded, text);
    if (typeof fields !== "object" || fields === null) return {};
    // The scope is the file's, whatever a block says.
    return Object.fromEntries(
      Object.entries(fields).filter(([name, value]) => name !== "scope" || typeof value !== "string"),
    );
  } catch {
    // A hand edit broke the hidden fields; what is readable still counts.
    return {};
  }
}

function unescapeText(text: string): string {
  return text.replace(ESCAPED_HEADING, "$1");
}
