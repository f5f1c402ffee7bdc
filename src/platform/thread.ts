/**
 * A thread that answers: one message in, one answer out, in the order asked.
 *
 * Messages are plain data. A thread ends with its process and keeps nobody
 * waiting for it; one that dies fails what it was asked, with its reason.
 */
import { parentPort, Worker, workerData } from "node:worker_threads";
import { messageOf } from "../model/errors.js";

export interface Thread {
  /** Rejects with an error of the thread's words. */
  ask(message: unknown): Promise<unknown>;
  isAlive(): boolean;
  end(): Promise<void>;
}

interface Answer {
  value?: unknown;
  /** What the thread threw, in its words. */
  failed?: string;
}

/** `entry` is a built file that calls `answerWith`. */
export function startThread(entry: string, data: unknown): Thread {
  const worker = new Worker(entry, { workerData: data });
  worker.unref();
  const waiting: { resolve: (value: unknown) => void; reject: (error: Error) => void }[] = [];
  let ended: Error | undefined;
  worker.on("message", (answer: Answer) => {
    const next = waiting.shift();
    // Whoever waits keeps the process alive; nobody else does.
    if (waiting.length === 0) worker.unref();
    if (answer.failed === undefined) next?.resolve(answer.value);
    else next?.reject(new Error(answer.failed));
  });
  const fail = (error: Error): void => {
    ended ??= error;
    for (const { reject } of waiting.splice(0)) reject(error);
  };
  worker.on("error", (error) => fail(error instanceof Error ? error : new Error(String(error))));
  worker.on("exit", () => fail(new Error("The thread has ended.")));
  return {
    ask: (message) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(ended);
        worker.ref();
        waiting.push({ resolve, reject });
        worker.postMessage(message);
      }),
    isAlive: () => ended === undefined,
    end: async () => void (await worker.terminate()),
  };
}

/** In the thread: `start` is given what `startThread` was, and gives what answers each message. */
export function answerWith(start: (data: unknown) => (message: unknown) => unknown): void {
  if (parentPort === null) throw new Error("This file runs as a thread.");
  const port = parentPort;
  const answer = start(workerData);
  port.on("message", (message: unknown) => {
    let told: Answer;
    try {
      told = { value: answer(message) };
    } catch (error) {
      told = { failed: messageOf(error) };
    }
    port.postMessage(told);
  });
}
