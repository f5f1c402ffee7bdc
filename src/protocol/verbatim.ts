/**
 * Verbatim days: one Markdown file per scope and day, one block per message,
 * from which the whole message can be built again.
 *
 * Pure. A file is kept as its raw pieces, so that adding a block leaves every
 * other byte, and every hand edit, as it was. Grammar: docs/PROTOCOL.md.
 */
import type { Pace } from "../model/work.js";
import { Encoded } from "../platform/encoded.js";
import { contentHash, hashInSteps } from "../platform/files.js";
import type { FiledMessage, Message } from "../model/message.js";
import { defaultOwnerOf, MAIN_SCOPE, type ScopeId } from "../model/address.js";
import { isDay, isoOf, parseInstant, type Day, type Zone } from "../model/time.js";
import { encodeField, frontMatterOf, printFields, printFrontMatter, printHidden } from "./front-matter.js";
import { printMessage } from "./message.js";
import { type Body, type Contents, contentsOf, type VerbatimBlock, WRITTEN_OUT } from "./verbatim-blocks.js";

export type { VerbatimBlock };

export interface VerbatimFile {
  day: Day;
  scope: ScopeId;
  /** What stands before the first block. */
  preamble: string;
  blocks: VerbatimBlock[];
  /** The body is not what memd last wrote. */
  edited: boolean;
}

/** A text line that could be taken for a heading, at any level of escaping. */
const LOOKS_LIKE_HEADING = /^(\\*)### \d{2}:\d{2}:\d{2}/gm;

/** A day as it stands in its bytes: nothing of it is a text before it is its turn. */
export interface VerbatimDay extends Contents, Pick<VerbatimFile, "day" | "scope"> {
  /** The body is not what memd last wrote. `pace` is awaited between small steps. */
  isEdited(pace: Pace): Promise<boolean>;
}

/** Undefined when the bytes are no verbatim file; throws SyntaxError when they are no text or its head cannot be read. */
export function openVerbatim(bytes: Uint8Array): VerbatimDay | undefined {
  const found = parted(bytes);
  if (found === undefined) return undefined;
  const { day, scope, hash, body } = found;
  const isEdited = async (pace: Pace): Promise<boolean> => (await hashInSteps(body.bytes, pace)) !== hash;
  return { day, scope, ...contentsOf(body), isEdited };
}

/** The same, made whole at once. */
export function parseVerbatim(content: string | Uint8Array): VerbatimFile | undefined {
  const found = parted(typeof content === "string" ? Buffer.from(content) : content);
  if (found === undefined) return undefined;
  const { day, scope, hash, body } = found;
  const { preamble, blocks } = contentsOf(body);
  return { day, scope, preamble, blocks: [...blocks], edited: hash !== contentHash(body.bytes) };
}

interface Parted extends Pick<VerbatimFile, "day" | "scope"> {
  hash: unknown;
  body: Body;
}

function parted(bytes: Uint8Array): Parted | undefined {
  const { data, body, bodyLine: line } = frontMatterOf(bytes);
  const { kind, date: day, scope, hash } = data;
  if (kind !== "verbatim" || typeof day !== "string" || !isDay(day) || typeof scope !== "string")
    return undefined;
  return { day, scope: scope as ScopeId, hash, body: { bytes: body, line, scope: scope as ScopeId } };
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
  const { preamble, blocks } = file ?? wholeBody(text, scope);
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

function wholeBody(text: string, scope: ScopeId): Pick<VerbatimFile, "preamble" | "blocks"> {
  const { preamble, blocks } = contentsOf({ bytes: Buffer.from(text), line: 1, scope });
  return { preamble, blocks: [...blocks] };
}

type ToPrint = Pick<VerbatimFile, "preamble"> & { blocks: { raw: string }[] };

function bodyOf(file: ToPrint): string {
  return [...bodyIn(file)].join("");
}

function* bodyIn(file: ToPrint): Generator<string> {
  yield opening(file);
  for (const [index, { raw }] of file.blocks.entries()) yield index === 0 ? raw : `\n\n${raw}`;
  yield "\n";
}

export function printVerbatim(file: ToPrint & Pick<VerbatimFile, "day" | "scope">): string {
  const body = bodyOf(file);
  return printFrontMatter(
    { kind: "verbatim", date: file.day, scope: file.scope, hash: contentHash(body) },
    body,
  );
}

/** The bytes of `printVerbatim`, made in small steps; `pace` is awaited between them. */
export async function encodeVerbatim(
  file: ToPrint & Pick<VerbatimFile, "day" | "scope">,
  pace: Pace,
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

/** A message by what a summary's cover says of it. */
export type Named = Pick<Message, "id"> & { private?: boolean | undefined };

/** Hash of the ids that a summary of the day must cover; private messages are not summarised. Undefined when there are none. */
export function coverHash(filed: readonly { message: Named }[]): string | undefined {
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
