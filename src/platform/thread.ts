/**
 * A thread that answers: one message in, one answer out, in the order asked. Messages are plain data. It ends
 * with its process and keeps nobody waiting for it; one that dies fails what it was asked, with its reason.
 */
import v8 from "node:v8";
import { runInNewContext } from "node:vm";
import { parentPort, Worker, workerData, type WorkerOptions } from "node:worker_threads";
import { messageOf } from "../model/errors.js";

export interface Thread {
  /** Rejects with an error of the thread's words. Bytes that are `given` away are the thread's from then on, and empty here. */
  ask(message: unknown, given?: Uint8Array): Promise<unknown>;
  isAlive(): boolean;
  end(): Promise<void>;
}

interface Answer {
  value?: unknown;
  /** What the thread threw, in its words. */
  failed?: string;
}

/** What a thread makes is soon of no use: three times its default size is what each would keep for it. */
const RESOURCES = { maxYoungGenerationSizeMb: 6 };

/** `entry` is a built file that calls `answerWith`, or with `eval` code that answers alike. */
export function startThread(entry: string, data: unknown, options: WorkerOptions = {}): Thread {
  const worker = new Worker(entry, { resourceLimits: RESOURCES, ...options, workerData: data });
  worker.unref();
  const waiting: { resolve: (value: unknown) => void; reject: (error: Error) => void }[] = [];
  let ended: Error | undefined;
  const told = (answer: Answer): void => {
    const next = waiting.shift();
    // Whoever waits keeps the process alive; nobody else does.
    if (waiting.length === 0) worker.unref();
    if (answer.failed === undefined) next?.resolve(answer.value);
    else next?.reject(new Error(answer.failed));
  };
  worker.on("message", told);
  worker.on("messageerror", () => told({ failed: "nested too deeply" }));
  const fail = (error: Error): void => {
    ended ??= error;
    for (const { reject } of waiting.splice(0)) reject(error);
  };
  worker.on("error", (error) => fail(error instanceof Error ? error : new Error(String(error))));
  worker.on("exit", () => fail(new Error("The thread has ended.")));
  return {
    ask: (message, given) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(ended);
        worker.ref();
        waiting.push({ resolve, reject });
        worker.postMessage(message, given === undefined || !isWhole(given) ? [] : [given.buffer]);
      }),
    isAlive: () => ended === undefined,
    end: async () => void (await worker.terminate()),
  };
}

/** Whether nothing else stands in the memory of these bytes. */
function isWhole(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
}

/** What a thread does. */
export interface Work {
  /** What it throws is told to who asked. */
  answer(message: unknown): unknown;
  /** A short step of what can wait until nobody asks; false when nothing is left to do. */
  rest?(): boolean;
}

/** So long nobody has to ask before the thread takes up what can wait. */
const RESTS_AFTER_MS = 100;

/** In the thread: `start` is given what `startThread` was. */
export function answerWith(start: (data: unknown) => Work): void {
  if (parentPort === null) throw new Error("This file runs as a thread.");
  const port = parentPort;
  const work = start(workerData);
  const leftovers = new Leftovers();
  let resting: NodeJS.Timeout | undefined;
  const restAfter = (ms: number): void => {
    clearTimeout(resting);
    resting = setTimeout(() => {
      if (rests(work)) restAfter(0);
      else leftovers.clear();
    }, ms).unref();
  };
  port.on("message", (message: unknown) => {
    let told: Answer;
    try {
      told = { value: work.answer(message) };
    } catch (error) {
      told = { failed: messageOf(error) };
    }
    port.postMessage(told);
    restAfter(RESTS_AFTER_MS);
  });
}

/** In the thread, for answers that are promised: the next is begun when the one before it is there. */
export function answerInTurn(start: (data: unknown) => (message: unknown) => Promise<unknown>): void {
  if (parentPort === null) throw new Error("This file runs as a thread.");
  const port = parentPort;
  const answer = start(workerData);
  let last: Promise<unknown> = Promise.resolve();
  port.on("message", (message: unknown) => {
    last = last
      .then(() => answer(message))
      .then(
        (value): Answer => ({ value }),
        (error: unknown): Answer => ({ failed: messageOf(error) }),
      )
      .then((told) => port.postMessage(told));
  });
}

/** What fails here is met again by who asks, and told then. */
function rests(work: Work): boolean {
  try {
    return work.rest?.() ?? false;
  } catch {
    return false;
  }
}

/** So much more than after it was cleared last. */
const WORTH_CLEARING_BYTES = 32 * 1024 * 1024;

/** What work of a thread has left in its memory: one that has nothing to do would keep it until it is asked again. */
class Leftovers {
  #heldBytes = 0;
  readonly #collect = collector();

  clear(): void {
    if (heldBytes() < this.#heldBytes + WORTH_CLEARING_BYTES) return;
    this.#collect();
    this.#heldBytes = heldBytes();
  }
}

function heldBytes(): number {
  const { used_heap_size: used, external_memory: external } = v8.getHeapStatistics();
  return used + external;
}

/** The garbage collector of this thread, which nothing but a flag of the engine gives. */
function collector(): () => void {
  v8.setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}
