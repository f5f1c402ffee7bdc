/**
 * JSON of any size without holding up the event loop: a large text is parsed in
 * a thread and its values come back as a copy.
 */
import { Worker } from "node:worker_threads";
import { Mutex } from "./background.js";

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
parentPort.on("message", ({ id, bytes }) => {
  try {
    parentPort.postMessage({ id, value: parse(bytes) });
  } catch (error) {
    parentPort.postMessage({ id, error: String(error && error.message) });
  }
});`;

interface Answer {
  id: number;
  value?: unknown;
  error?: string;
}

let thread: Worker | undefined;
let nextId = 0;
/** One at a time: where an answer cannot be read, it is known whose it was. */
const turns = new Mutex();
const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();

/**
 * The value of UTF-8 JSON bytes, with or without a byte order mark. Throws
 * SyntaxError for anything else, and for what is nested past all reason.
 */
export async function parseJson(bytes: Uint8Array): Promise<unknown> {
  return bytes.byteLength < THREAD_FROM_BYTES ? parseSmall(bytes) : turns.run(() => parseLarge(bytes));
}

function parseLarge(bytes: Uint8Array): Promise<unknown> {
  const worker = startThread();
  const id = nextId++;
  worker.ref();
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    worker.postMessage({ id, bytes });
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

function startThread(): Worker {
  if (thread !== undefined) return thread;
  const started = new Worker(THREAD, { eval: true, env: {}, execArgv: [] });
  started.unref();
  started.on("message", (answer: Answer) => {
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (waiting.size === 0) started.unref();
    if (answer.error !== undefined) asked?.reject(new SyntaxError(answer.error));
    else asked?.resolve(answer.value);
  });
  const failAll = (reason: string): void => {
    for (const asked of waiting.values()) asked.reject(new SyntaxError(reason));
    waiting.clear();
    started.unref();
  };
  started.on("messageerror", () => failAll("nested too deeply"));
  started.on("error", (error) => {
    thread = undefined;
    failAll(`could not be parsed: ${error.message}`);
  });
  thread = started;
  return started;
}
