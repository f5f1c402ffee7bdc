/**
 * The memd that answers a command: the running one over its socket, else this
 * process in the owner's place for as long as the command takes.
 */
import { isMemdError, MemdError, messageOf, type ErrorCode } from "../model/errors.js";
import { ask, follow } from "../platform/http.js";
import { answers } from "../platform/owner.js";
import { ownerSocket } from "./owner-note.js";
import type { LogEvent } from "../platform/log.js";
import { commandClock, openWorkspace, type CommonOptions } from "./context.js";

export interface Memd {
  ask<T>(method: "GET" | "POST", path: string, body?: unknown): Promise<T>;
  /** Events while something is asked. */
  hear(listener: (event: LogEvent) => void): void;
}

/** An owner that ends between two questions is followed by another try. */
const TRIES = 5;
/** Without an answer for so long, it is asked whether it is there at all. */
const PING_MS = 5000;

/** `work`: this process may start passes of its own when it takes the owner's place. */
export async function withMemd<T>(
  options: CommonOptions,
  work: boolean,
  use: (memd: Memd) => Promise<T>,
): Promise<T> {
  const workspace = await openWorkspace(options);
  for (let attempt = 1; ; attempt++) {
    const socket = await ownerSocket(workspace);
    try {
      if (await answers(socket)) return await askRunning(socket, use);
      const { becomeOwner } = await import("./compose.js");
      const running = await becomeOwner(workspace, socket, commandClock());
      if (running === undefined) return await askRunning(socket, use);
      try {
        await running.supervisor.start({ watch: false, work });
        const stopped = running.stopAsked.then((): never => {
          throw new MemdError("timeout", "Another command asked this one to stop.");
        });
        return await Promise.race([askRunning(socket, use), stopped]);
      } finally {
        await running.stop();
      }
    } catch (error) {
      if (!isMemdError(error, "not_running")) throw error;
      if (attempt === TRIES) throw (await answers(socket)) ? strange(socket, error.cause ?? error) : error;
    }
  }
}

/** The running memd only; throws `not_running`. */
export async function withRunning<T>(options: CommonOptions, use: (memd: Memd) => Promise<T>): Promise<T> {
  const workspace = await openWorkspace(options);
  const socket = await ownerSocket(workspace);
  if (!(await answers(socket))) throw new MemdError("not_running", `memd does not run in ${workspace.root}.`);
  return askRunning(socket, use);
}

async function askRunning<T>(socket: string, use: (memd: Memd) => Promise<T>): Promise<T> {
  const streams: { stop: () => void }[] = [];
  try {
    return await use({
      ask: async <A>(method: "GET" | "POST", path: string, body?: unknown) => {
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
  const timer = commandClock().after(PING_MS, () => end(false));
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

function strange(socket: string, error: unknown): MemdError {
  return new MemdError("port_taken", `What listens on ${socket} is no memd: ${messageOf(error)}.`, {
    cause: error,
  });
}

function errorOf(body: unknown): MemdError {
  const { code, message } =
    (body as { error?: { code?: ErrorCode; message?: string } } | undefined)?.error ?? {};
  return new MemdError(code ?? "internal", message ?? "memd gave no answer.");
}
