/**
 * A memd that runs, asked over its socket: how its answers and its faults are
 * read. Who runs it and what to do where nobody does is the caller's affair.
 */
import { isMemdError, MemdError, messageOf, type ErrorCode } from "../model/errors.js";
import { systemClock } from "../platform/clock.js";
import { ask, follow } from "../platform/http.js";
import type { LogEvent } from "../platform/log.js";

export type Method = "GET" | "POST" | "DELETE";

export interface Memd {
  ask<T>(method: Method, path: string, body?: unknown): Promise<T>;
  /** Events while something is asked. */
  hear(listener: (event: LogEvent) => void): void;
}

/** Without an answer for so long, it is asked whether it is there at all. */
const PING_MS = 5000;

/** Throws `not_running` when it ends meanwhile, and what memd answers with. */
export async function askRunning<T>(socket: string, use: (memd: Memd) => Promise<T>): Promise<T> {
  const streams: { stop: () => void }[] = [];
  try {
    return await use({
      ask: async <A>(method: Method, path: string, body?: unknown) => {
        const asked = ask(socket, method, path, body).catch((error: unknown) => {
          throw isMemdError(error) ? error : noAnswer(socket, error);
        });
        const answer = await whileAlive(socket, asked);
        if (typeof answer.body !== "object") throw strange(socket, "it does not answer in JSON");
        if (answer.status >= 400) throw errorOf(answer.body);
        return answer.body as A;
      },
      hear: (listener) => {
        streams.push(follow(socket, "/events", (data) => listener(JSON.parse(data) as LogEvent)));
      },
    });
  } finally {
    for (const stream of streams) stream.stop();
  }
}

/** A long pass takes its time; a program that does not even answer a ping is not waited for. */
async function whileAlive<T>(socket: string, asked: Promise<T>): Promise<T> {
  const ended = asked.then(
    () => true,
    () => true,
  );
  while (!(await within(ended))) {
    const ping = ask(socket, "GET", "/ping").then(
      () => true,
      () => true,
    );
    if (!(await within(Promise.race([ended, ping])))) throw strange(socket, "it does not answer");
  }
  return asked;
}

/** Whether it happens before patience ends. */
async function within(happening: Promise<boolean>): Promise<boolean> {
  let end: (happened: boolean) => void = () => undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    end = resolve;
  });
  const timer = systemClock().after(PING_MS, () => end(false));
  const happened = await Promise.race([happening, tooLate]);
  timer.cancel();
  return happened;
}

/** A memd that died while it answered is followed by another try; whatever else listens there is not ours. */
function noAnswer(socket: string, error: unknown): MemdError {
  const codes = [error, (error as Error).cause].map((one) => (one as { code?: string } | undefined)?.code);
  return codes.includes("ECONNRESET") || codes.includes("EPIPE")
    ? new MemdError("not_running", "memd ended before it answered.", { cause: error })
    : strange(socket, error);
}

/** Whatever listens there is not ours. */
export function strange(socket: string, error: unknown): MemdError {
  return new MemdError("port_taken", `What listens on ${socket} is no memd: ${messageOf(error)}.`, {
    cause: error,
  });
}

function errorOf(body: unknown): MemdError {
  const { code, message } =
    (body as { error?: { code?: ErrorCode; message?: string } } | undefined)?.error ?? {};
  return new MemdError(code ?? "internal", message ?? "memd gave no answer.");
}
