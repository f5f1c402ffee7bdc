/**
 * A memd that runs, asked over its socket: how its answers and its faults are
 * read. Who runs it and what to do where nobody does is the caller's affair.
 */
import {
  type ErrorCode,
  ERRORS,
  isMemdError,
  MemdError,
  messageOf,
  type Problem,
  problemOf,
} from "../model/errors.js";
import { systemClock } from "../platform/clock.js";
import { ask, follow } from "../platform/http.js";
import type { LogEvent } from "../platform/log.js";
import { notedProcess } from "../platform/owner.js";
import type { Operations } from "../service/operations.js";
import type { Answer, Sent, Table } from "../service/operations/operation.js";

export interface Memd<T extends Table = Operations> {
  /** By the operation's name alone, so that whoever asks need not load the table. */
  ask<N extends keyof T & string>(name: N, asked: Sent<T[N]>): Promise<Answer<T[N]>>;
  /** Events while something is asked. */
  hear(listener: (event: LogEvent) => void): void;
}

/** Without an answer for so long, it is asked whether it is there at all. */
const PING_MS = 5000;

/** Throws `not_running` when it ends meanwhile, and what memd answers with. */
export async function askRunning<R, T extends Table = Operations>(
  socket: string,
  use: (memd: Memd<T>) => Promise<R>,
): Promise<R> {
  const streams: { stop: () => void }[] = [];
  try {
    return await use({
      // The table typed it where it was made.
      ask: async <N extends keyof T & string>(name: N, asked: Sent<T[N]>) =>
        (await answerTo(socket, name, asked)) as Answer<T[N]>,
      hear: (listener) => {
        streams.push(follow(socket, "/events", (data) => listener(JSON.parse(data) as LogEvent)));
      },
    });
  } finally {
    for (const stream of streams) stream.stop();
  }
}

/** What memd answers to an operation; `asked` is checked there. Throws `not_running` when it ends meanwhile. */
export async function answerTo(socket: string, name: string, asked: object): Promise<unknown> {
  // What nobody answers would keep this process.
  const unheard = new AbortController();
  const { signal } = unheard;
  const asking = ask(socket, "POST", `/operations/${name}`, asked, signal).catch((error: unknown) => {
    throw isMemdError(error) ? error : noAnswer(socket, error);
  });
  const { status, body } = await whileAlive(socket, asking, signal).finally(() => unheard.abort());
  if (typeof body !== "object") throw strange(socket, "it does not answer in JSON");
  if (status >= 400) throw errorIn(body);
  return body;
}

/** A long pass takes its time; a program that does not even answer a ping is not waited for. */
async function whileAlive<T>(socket: string, asked: Promise<T>, signal: AbortSignal): Promise<T> {
  while (!(await isSettled(asked))) {
    const ping = ask(socket, "GET", "/ping", undefined, signal);
    if (!(await isSettled(Promise.race([asked, ping])))) throw await unanswered(socket);
  }
  return asked;
}

/** Whether it succeeds or fails before patience ends. */
function isSettled(happening: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = systemClock().after(PING_MS, () => resolve(false));
    const settle = (): void => {
      timer.cancel();
      resolve(true);
    };
    happening.then(settle, settle);
  });
}

/** A memd that died while it answered is followed by another try; whatever else listens there is not ours. */
function noAnswer(socket: string, error: unknown): MemdError {
  const codes = [error, error instanceof Error ? error.cause : undefined].map((one) =>
    typeof one === "object" && one !== null && "code" in one ? one.code : undefined,
  );
  return codes.includes("ECONNRESET") || codes.includes("EPIPE")
    ? new MemdError("not_running", "memd ended before it answered.", { cause: error })
    : strange(socket, error);
}

/** Whether it is a memd that is stuck is told by the process that took the socket, where it noted that. */
async function unanswered(socket: string): Promise<MemdError> {
  const noted = await notedProcess(socket);
  if (noted === undefined)
    return strange(socket, `it does not answer (\`lsof -t ${socket}\` names its process)`);
  const { pid, isIt } = noted;
  if (isIt === true) return new MemdError("not_answering", `memd (process ${pid}) does not answer.`);
  const why =
    isIt === false
      ? `process ${pid}, which took it, has ended`
      : `this system does not tell whether process ${pid} still is the memd that took it`;
  const byHand = `See what \`lsof -t ${socket}\` names, and end that by hand with \`kill PID\``;
  return new MemdError("not_answering", `What listens on ${socket} does not answer, and ${why}. ${byHand}.`);
}

/** Whatever listens there is not ours. */
export function strange(socket: string, error: unknown): MemdError {
  return new MemdError("port_taken", `What listens on ${socket} is no memd: ${messageOf(error)}.`, {
    cause: error,
  });
}

/** An error on its way from the memd that answers to the program that asked. */
export function printError(error: unknown): { error: Problem } {
  return { error: problemOf(error) };
}

/** Of a code that this memd does not know it is `internal`. */
export function errorIn(body: unknown): MemdError {
  const { code, message } = fieldsOf(fieldsOf(body)["error"]);
  return new MemdError(
    isCode(code) ? code : "internal",
    typeof message === "string" ? message : "memd gave no answer.",
  );
}

function isCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(ERRORS, code);
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
