/**
 * JSON of any size without holding up the event loop. A large array is parsed value by value, which holds
 * no more in memory than the values and one of their texts; any other large text in a thread, whose values
 * come back as a copy, unless it is only its strings that are long.
 */
import { setImmediate } from "node:timers/promises";
import { messageOf } from "../model/errors.js";
import { Mutex } from "./background.js";
import { startThread, type Thread } from "./thread.js";

/** What is nested deeper can be read, but neither copied between threads nor printed again. */
const DEEPEST = 1000;

/** Below this a parse takes about a millisecond, and steps or a thread only add to it. */
const LARGE_BYTES = 256 * 1024;
/** No more values than these are parsed at once, however long their strings are. */
const FEW_VALUES = 20_000;
/** A thread that has parsed so much would keep several times as much for its next text. */
const ENDS_FROM_BYTES = 4 * 1024 * 1024;
/** Between two turns of the event loop, where values allow it. */
const STEP_MS = 8;
const STEP_BYTES = 1024 * 1024;

/** Kept as plain JavaScript text: the same code must run from sources and from a build. */
const THREAD = `
const { parentPort } = require("node:worker_threads");
const isDeep = (value, left) =>
  typeof value === "object" && value !== null &&
  (left === 0 || Object.values(value).some((inner) => isDeep(inner, left - 1)));
const parse = (bytes) => {
  const value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  if (isDeep(value, ${DEEPEST})) throw new SyntaxError("nested too deeply");
  return value;
};
parentPort.on("message", (bytes) => {
  try {
    parentPort.postMessage({ value: parse(bytes) });
  } catch (error) {
    parentPort.postMessage({ failed: String(error && error.message) });
  }
});`;

let thread: Thread | undefined;
/** One at a time: a thread that dies takes no other text with it. */
const turns = new Mutex();

/**
 * The value of UTF-8 JSON bytes, with or without a byte order mark. Throws
 * SyntaxError for anything else, and for what is nested past all reason.
 */
export async function parseJson(bytes: Uint8Array): Promise<unknown> {
  if (bytes.byteLength < LARGE_BYTES) return parseAtOnce(bytes);
  if (isArray(bytes)) return parseArray(bytes);
  return holdsFewValues(bytes) ? parseAtOnce(bytes) : turns.run(() => parseInThread(bytes));
}

/** Looks no further than at so many of them. */
function holdsFewValues(bytes: Uint8Array): boolean {
  let quotes = 0;
  for (let at = bytes.indexOf(QUOTE); at >= 0; at = bytes.indexOf(QUOTE, at + 1))
    if (++quotes > FEW_VALUES) return false;
  let marks = 0;
  for (let at = 0; at < bytes.length && marks <= FEW_VALUES; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = closingQuote(bytes, at);
    else if (byte === COMMA || byte === OPEN_BRACKET || byte === OPEN_BRACE) marks++;
  }
  return marks <= FEW_VALUES;
}

async function parseArray(bytes: Uint8Array): Promise<unknown[]> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const values: unknown[] = [];
  let restedAt = performance.now();
  for (const part of partsOf(bytes)) {
    if (part !== undefined) values.push(parseText(decoded(decoder, part), DEEPEST - 1));
    if (performance.now() - restedAt < STEP_MS) continue;
    await setImmediate();
    restedAt = performance.now();
  }
  return values;
}

function isArray(bytes: Uint8Array): boolean {
  return bytes[afterBlanks(bytes, headOf(bytes))] === OPEN_BRACKET;
}

/** The text of each value of an array, and of nothing at times where a value is long. Throws SyntaxError where it is no array; what stands in a value is not looked at. */
function* partsOf(bytes: Uint8Array): Generator<Uint8Array | undefined> {
  const open = afterBlanks(bytes, headOf(bytes));
  let from = open + 1;
  let restAt = from + STEP_BYTES;
  let depth = 1;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (at >= restAt) {
      restAt = at + STEP_BYTES;
      yield undefined;
    }
    if (byte === QUOTE) at = closingQuote(bytes, at);
    else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) depth++;
    else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth--;
    if (depth > 0 && !(depth === 1 && byte === COMMA)) continue;
    const isEmpty = depth === 0 && from === open + 1 && afterBlanks(bytes, from) === at;
    if (!isEmpty) yield bytes.subarray(from, at);
    if (depth === 0 && (byte !== CLOSE_BRACKET || afterBlanks(bytes, at + 1) < bytes.length)) break;
    if (depth === 0) return;
    from = at + 1;
  }
  throw new SyntaxError("the list does not end where the file does");
}

/** Behind a byte order mark. */
function headOf(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

function afterBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (BLANKS.has(bytes[at] ?? -1)) at++;
  return at;
}

/** Of the string that begins at this quote; behind the last byte where it does not end. */
function closingQuote(bytes: Uint8Array, quote: number): number {
  for (let at = bytes.indexOf(QUOTE, quote + 1); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let before = at;
    while (bytes[before - 1] === BACKSLASH) before--;
    if ((at - before) % 2 === 0) return at;
  }
  return bytes.length;
}

const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];
const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

async function parseInThread(bytes: Uint8Array): Promise<unknown> {
  if (thread?.isAlive() !== true)
    thread = startThread(THREAD, undefined, { eval: true, env: {}, execArgv: [] });
  const asked = thread;
  const value = await asked.ask(bytes).catch((error: unknown) => {
    const reason = asked.isAlive() ? messageOf(error) : `could not be parsed: ${messageOf(error)}`;
    throw new SyntaxError(reason, { cause: error });
  });
  if (bytes.byteLength >= ENDS_FROM_BYTES) {
    thread = undefined;
    void asked.end();
  }
  return value;
}

function parseAtOnce(bytes: Uint8Array): unknown {
  return parseText(decoded(new TextDecoder("utf-8", { fatal: true }), bytes), DEEPEST);
}

function parseText(text: string, deepest: number): unknown {
  const value = JSON.parse(text) as unknown;
  if (isDeep(value, deepest)) throw new SyntaxError("nested too deeply");
  return value;
}

function decoded(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    throw new SyntaxError("not UTF-8", { cause: error });
  }
}

function isDeep(value: unknown, left: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return left === 0 || Object.values(value).some((inner) => isDeep(inner, left - 1));
}
