/**
 * JSON of any size without holding up the event loop: a large text is parsed in
 * a thread and its values come back as a copy.
 */
import { Worker } from "node:worker_threads";

/** Below this a parse takes about a millisecond and a thread only adds to it. */
const THREAD_FROM_BYTES = 256 * 1024;

/** Kept as plain JavaScript text: the same code must run from sources and from a build. */
const THREAD = `
const { parentPort } = require("node:worker_threads");
parentPort.on("message", ({ id, bytes }) => {
  try {
    parentPort.postMessage({ id, value: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) });
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
const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();

/** The value of UTF-8 JSON bytes, with or without a byte order mark. Throws SyntaxError for anything else. */
export async function parseJson(bytes: Uint8Array): Promise<unknown> {
  if (bytes.byteLength < THREAD_FROM_BYTES) return parseSmall(bytes);
  const worker = startThread();
  const id = nextId++;
  worker.ref();
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    worker.postMessage({ id, bytes });
  });
}

function parseSmall(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as unknown;
  } catch (error) {
    throw error instanceof SyntaxError ? error : new SyntaxError("not UTF-8", { cause: error });
  }
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
  started.on("error", (error) => {
    thread = undefined;
    for (const asked of waiting.values()) asked.reject(new SyntaxError(`could not be parsed: ${error.message}`));
    waiting.clear();
  });
  thread = started;
  return started;
}
