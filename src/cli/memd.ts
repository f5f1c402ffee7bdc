/**
 * The memd that answers a command: the running one over its socket, else this
 * process in the owner's place for as long as the command takes.
 */
import { askRunning, strange, type Memd } from "../library/running.js";
import { isMemdError, MemdError } from "../model/errors.js";
import { systemClock } from "../platform/clock.js";
import { answers } from "../platform/owner.js";
import { ownerSocket } from "../protocol/owner-note.js";
import type { AnswerOf, OperationName, SentTo } from "../service/operations.js";
import { commandClock, openWorkspace, type CommonOptions } from "./context.js";

/** An owner that ends between two questions is followed by another try, each after twice the pause: six seconds in all. */
const TRIES = 8;
const FIRST_PAUSE_MS = 50;

/** `work`: this process may start passes of its own when it takes the owner's place. */
export function withMemd<T>(
  options: CommonOptions,
  work: boolean,
  use: (memd: Memd) => Promise<T>,
): Promise<T> {
  return withSocket(options, work, (socket) => askRunning(socket, use));
}

/** The same for whoever asks the socket itself. */
export async function withSocket<T>(
  options: CommonOptions,
  work: boolean,
  use: (socket: string) => Promise<T>,
): Promise<T> {
  const workspace = await openWorkspace(options);
  for (let attempt = 1; ; attempt++) {
    const socket = await ownerSocket(workspace);
    try {
      if (await answers(socket)) return await use(socket);
      const { becomeOwner } = await import("./compose.js");
      const running = await becomeOwner(workspace, socket, commandClock());
      if (running === undefined) return await use(socket);
      try {
        await running.memd.start({ watch: false, work });
        const stopped = running.stopAsked.then((): never => {
          throw new MemdError("timeout", "Another command asked this one to stop.");
        });
        return await Promise.race([use(socket), stopped]);
      } finally {
        await running.stop();
      }
    } catch (error) {
      if (!isMemdError(error, "not_running")) throw error;
      if (attempt === TRIES) throw (await answers(socket)) ? strange(socket, error.cause ?? error) : error;
      // It answers as long as it ends.
      await systemClock().sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1));
    }
  }
}

/** One question, and nothing else. */
export function askMemd<N extends OperationName>(
  options: CommonOptions,
  name: N,
  asked: SentTo<N>,
): Promise<AnswerOf<N>> {
  return withMemd(options, false, (memd) => memd.ask(name, asked));
}

/** The running memd only; throws `not_running`. */
export async function withRunning<T>(options: CommonOptions, use: (memd: Memd) => Promise<T>): Promise<T> {
  const workspace = await openWorkspace(options);
  const socket = await ownerSocket(workspace);
  if (!(await answers(socket))) throw new MemdError("not_running", `memd does not run in ${workspace.root}.`);
  return askRunning(socket, use);
}
