/**
 * Verbatim days: one Markdown file per scope and day, one block per message,
 * from which the whole message can be built again.
 *
 * Pure. A file is kept as its raw pieces, so that adding a block leaves every
 * other byte, and every hand edit, as it was. Grammar: docs/PROTOCOL.md.
 */
import { defined } from "../model/collections.js";
import { Encoded } from "../platform/encoded.js";
import { contentHash } from "../platform/files.js";
import type { FiledMessage, MessageId } from "../model/message.js";
import { defaultOwnerOf, MAIN_SCOPE, type ScopeId } from "../model/address.js";
import { isDay, isoOf, parseInstant, type Day, type Zone } from "../model/time.js";
import {
  encodeField,
  parseFields,
  parseFrontMatter,
  parseHidden,
  printFields,
  printFrontMatter,
  printHidden,
} from "./front-matter.js";
import { parseMessage, printMessage } from "./message.js";

export interface VerbatimBlock {
  filed: FiledMessage;
  /** First and last line in the file, 1-based. */
  lines: readonly [number, number];
  /** Heading line and escaped text, with what a person wrote below it that is no block; without the separating line breaks. */
  raw: string;
}

export interface VerbatimFile {
  day: Day;
  scope: ScopeId;
  /** What stands before the first block. */
  preamble: string;
  blocks: VerbatimBlock[];
  /** The body is not what memd last wrote. */
  edited: boolean;
}

const HASH = "#".charCodeAt(0);
const HEADING = /^### \d{2}:\d{2}:\d{2} /;
/** A text line that could be taken for a heading, at any level of escaping. */
const LOOKS_LIKE_HEADING = /^(\\*)### \d{2}:\d{2}:\d{2}/gm;
const ESCAPED_HEADING = /^\\(\\*### \d{2}:\d{2}:\d{2})/gm;
const WRITTEN_OUT = ["id", "session", "role", "user", "speaker", "scene"] as const;

/** Undefined when the text is no verbatim file; throws SyntaxError when its head cannot be read. */
export function parseVerbatim(text: string): VerbatimFile | undefined {
  const { data, body, bodyLine } = parseFrontMatter(text);
  const { kind, date, scope, hash } = data;
  if (kind !== "verbatim" || typeof date !== "string" || !isDay(date) || typeof scope !== "string")
    return undefined;
  const { preamble, blocks } = parseBlocks(body, bodyLine, scope as ScopeId);
  return { day: date, scope: scope as ScopeId, preamble, blocks, edited: hash !== contentHash(body) };
}

/** What is left of a file without some blocks. */
export interface WithoutBlocks {
  text: string;
  /** Of which the file is, where its head says so. */
  day: Day | undefined;
  left: FiledMessage[];
  gone: FiledMessage[];
  /** Nothing of a person's stands in it either. */
  isEmpty: boolean;
}

/**
 * The file without these blocks, also where a person broke its head; undefined
 * where none of them stands in it.
 */
export function withoutBlocks(
  text: string,
  scope: ScopeId,
  goes: (filed: FiledMessage) => boolean,
): WithoutBlocks | undefined {
  const file = readableVerbatim(text);
  const { preamble, blocks } = file ?? parseBlocks(text, 1, scope);
  const left = blocks.filter(({ filed }) => !goes(filed));
  if (left.length === blocks.length) return undefined;
  const rest = { preamble, blocks: left };
  return {
    text: file === undefined ? bodyOf(rest) : printVerbatim({ ...file, blocks: left }),
    day: file?.day,
    left: left.map(({ filed }) => filed),
    gone: blocks.flatMap(({ filed }) => (goes(filed) ? [filed] : [])),
    isEmpty: left.length === 0 && preamble.replace(/^# .*$/m, "").trim() === "",
  };
}

function readableVerbatim(text: string): VerbatimFile | undefined {
  try {
    return parseVerbatim(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

type Body = Pick<VerbatimFile, "preamble"> & { blocks: { raw: string }[] };

function bodyOf(file: Body): string {
  return [...bodyIn(file)].join("");
}

function* bodyIn(file: Body): Generator<string> {
  yield opening(file);
  for (const [index, { raw }] of file.blocks.entries()) yield index === 0 ? raw : `\n\n${raw}`;
  yield "\n";
}

export function printVerbatim(file: Body & Pick<VerbatimFile, "day" | "scope">): string {
  const body = bodyOf(file);
  return printFrontMatter(
    { kind: "verbatim", date: file.day, scope: file.scope, hash: contentHash(body) },
    body,
  );
}

/** The bytes of `printVerbatim`, made in small steps; `pace` is awaited between them. */
export async function encodeVerbatim(
  file: Body & Pick<VerbatimFile, "day" | "scope">,
  pace: () => Promise<void> | undefined,
): Promise<Encoded> {
  const { hash } = await new Encoded(() => bodyIn(file), pace).measured();
  const head = printFrontMatter({ kind: "verbatim", date: file.day, scope: file.scope, hash }, "");
  return new Encoded(function* () {
    yield head;
    yield* bodyIn(file);
  }, pace);
}

/** What stands before the first block, which must begin a line of its own: a person may have left half of one. */
function opening({ preamble, blocks }: { preamble: string; blocks: readonly unknown[] }): string {
  const isOpen = preamble !== "" && !preamble.endsWith("\n") && blocks.length > 0;
  return isOpen ? `${preamble}\n\n` : preamble;
}

/** What stands before the first block of a new file. */
export function newPreamble(day: Day): string {
  return `\n# ${day}\n\n`;
}

/** One block: heading with the message's fields, then its text. */
export function printBlock(filed: FiledMessage, zone: Zone): string {
  const { message, filedAt, belongsTo } = filed;
  const raw = printMessage(message);
  const fields: [string, string][] = [];
  for (const name of WRITTEN_OUT) {
    const value = raw[name];
    if (typeof value === "string") fields.push([name, value]);
  }
  // A file is of one scope; only who spells out `main` has it in the block.
  if (message.scope === MAIN_SCOPE) fields.push(["scope", MAIN_SCOPE]);
  if (typeof raw["private"] === "boolean") fields.push(["private", String(raw["private"])]);
  if (belongsTo !== undefined && belongsTo !== defaultOwnerOf(message)) fields.push(["for", belongsTo]);
  if (message.createdAt !== "") fields.push(["at", message.createdAt]);
  if (parseInstant(message.createdAt) !== filedAt) fields.push(["filed", isoOf(filedAt)]);
  const hidden = Object.entries(raw).filter(([name, value]) => !isWrittenOut(name, value));
  // UTF-8 has no lone surrogates: such a text travels as JSON and the file shows what can be shown.
  const isText = raw["text"] === undefined || typeof raw["text"] === "string";
  const canBeShown = message.text.isWellFormed();
  if (isText && !canBeShown) hidden.push(["text", message.text]);
  if (hidden.length > 0)
    fields.push(["x", printHidden(Object.fromEntries(hidden), canBeShown ? message.text : "")]);
  const shown = (message.speaker ?? message.user ?? message.role).replace(/[\s<>]+/g, " ").trim();
  return `### ${zone.clockOf(filedAt)} ${shown} <!-- ${printFields(fields)} -->\n${escapeText(message.text)}`;
}

/** Hash of the ids that a summary of the day must cover; private messages are not summarised. Undefined when there are none. */
export function coverHash(filed: readonly FiledMessage[]): string | undefined {
  const ids = filed.filter(({ message }) => message.private !== true).map(({ message }) => message.id);
  return ids.length === 0 ? undefined : contentHash([...ids].sort().map(encodeField).join("\n"));
}

function isWrittenOut(name: string, value: unknown): boolean {
  if (name === "private") return typeof value === "boolean";
  return typeof value === "string" && ["text", "createdAt", "scope", ...WRITTEN_OUT].includes(name);
}

function escapeText(text: string): string {
  return text.replace(LOOKS_LIKE_HEADING, (line) => `\\${line}`);
}

function unescapeText(text: string): string {
  return text.replace(ESCAPED_HEADING, "$1");
}

function parseBlocks(
  body: string,
  bodyLine: number,
  scope: ScopeId,
): { preamble: string; blocks: VerbatimBlock[] } {
  const starts: { at: number; line: number; comment: string }[] = [];
  let line = bodyLine;
  for (let at = 0; at < body.length; line++) {
    const end = body.indexOf("\n", at);
    const stop = end === -1 ? body.length : end;
    if (body.charCodeAt(at) === HASH && body.startsWith("### ", at)) {
      const comment = commentOf(body.slice(at, stop));
      if (comment !== undefined) starts.push({ at, line, comment });
    }
    at = stop + 1;
  }
  const pieces = starts.map((start, index) => {
    const own = pieceOf(body, start.at, starts[index + 1]?.at);
    return { ...start, filed: parseBlock(own, start.comment, scope) };
  });
  // A heading that is nobody's message is what a person wrote: it stays where it is, with the block above.
  const good = pieces.filter(({ filed }) => filed !== undefined);
  const end = { at: body.length, line: body.endsWith("\n") ? line : line - 1 };
  const blocks = good.map(({ at, line: from, filed }, index): VerbatimBlock => {
    const next = good[index + 1];
    const raw = pieceOf(body, at, next?.at);
    // Of what separates it from the next one nothing but line breaks is left out.
    const dropped = (next ?? end).at - at - raw.length;
    return { filed: filed as FiledMessage, raw, lines: [from, (next ?? end).line - dropped] };
  });
  return { preamble: body.slice(0, good[0]?.at ?? body.length), blocks };
}

/** What the comment of a heading says; undefined for any other line. Neither name nor fields hold a `<`. */
function commentOf(line: string): string | undefined {
  const text = line.trimEnd();
  const from = text.lastIndexOf(" <!-- ");
  if (from === -1 || !text.endsWith(" -->") || !HEADING.test(text)) return undefined;
  return text.slice(from + " <!-- ".length, -" -->".length);
}

/** Without the line breaks that separate it from the next piece, or end the file. */
function pieceOf(body: string, from: number, to: number | undefined): string {
  return dropEnd(dropEnd(body.slice(from, to), "\n"), to === undefined ? "" : "\n");
}

function parseBlock(raw: string, comment: string, scope: ScopeId): FiledMessage | undefined {
  const fields = parseFields(comment);
  const id = fields.get("id");
  if (id === undefined) return undefined;
  const newline = raw.indexOf("\n");
  const text = unescapeText(newline === -1 ? "" : raw.slice(newline + 1));
  const rebuilt: Record<string, unknown> = { text };
  if (fields.has("at")) rebuilt["createdAt"] = fields.get("at");
  if (scope !== MAIN_SCOPE || fields.get("scope") === MAIN_SCOPE) rebuilt["scope"] = scope;
  for (const name of WRITTEN_OUT) if (fields.has(name)) rebuilt[name] = fields.get(name);
  if (fields.has("private")) rebuilt["private"] = fields.get("private") === "true";
  const hidden = hiddenFields(fields.get("x"), text);
  let message = parseMessage({ ...rebuilt, ...hidden });
  // What the text says to a person counts; the hidden one only adds what UTF-8 cannot show.
  if (message?.text.toWellFormed() !== text.toWellFormed())
    message = parseMessage({ ...rebuilt, ...hidden, text });
  const filedAt = parseInstant(fields.get("filed") ?? fields.get("at") ?? "");
  if (message === undefined || filedAt === undefined) return undefined;
  const belongsTo = fields.get("for") ?? defaultOwnerOf(message);
  return {
    message: { ...message, id: id as MessageId },
    filedAt,
    ...defined({ belongsTo }),
  };
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

function dropEnd(text: string, end: string): string {
  return end !== "" && text.endsWith(end) ? text.slice(0, -end.length) : text;
}
