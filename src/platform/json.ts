/** JSON of any size without holding up the event loop: a large text is parsed in a thread and its values come back as a copy. */
import { messageOf } from "../model/errors.js";
import { Mutex } from "./background.js";
import { startThread, type Thread } from "./thread.js";

/** What is nested deeper can be read, but neither copied between threads nor printed again. */
const DEEPEST = 1000;

/** Below this a parse takes about a millisecond and a thread only adds to it. */
const THREAD_FROM_BYTES = 256 * 1024;

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
  return bytes.byteLength < THREAD_FROM_BYTES ? parseSmall(bytes) : turns.run(() => parseLarge(bytes));
}

async function parseLarge(bytes: Uint8Array): Promise<unknown> {
  if (thread?.isAlive() !== true)
    thread = startThread(THREAD, undefined, { eval: true, env: {}, execArgv: [] });
  const asked = thread;
  return asked.ask(bytes).catch((error: unknown) => {
    const reason = asked.isAlive() ? messageOf(error) : `could not be parsed: ${messageOf(error)}`;
    throw new SyntaxError(reason, { cause: error });
  });
}

function parseSmall(bytes: Uint8Array): unknown {
  const value = JSON.parse(decode(bytes)) as unknown;
  if (isDeep(value, DEEPEST)) throw new SyntaxError("nested too deeply");
  return value;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new SyntaxError("not UTF-8", { cause: error });
  }
}

function isDeep(value: unknown, left: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return left === 0 || Object.values(value).some((inner) => isDeep(inner, left - 1));
}
