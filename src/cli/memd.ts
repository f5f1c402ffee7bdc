/**
 * The memd that answers a command: the running one over its socket, else this
 * process in the owner's place for as long as the command takes.
 */
import { askRunning, strange, type Memd } from "../library/running.js";
import { isMemdError, MemdError } from "../model/errors.js";
import { systemClock } from "../platform/clock.js";
import { answers } from "../platform/owner.js";
import { terminal } from "../platform/process.js";
import { ownerSocket } from "../protocol/owner-note.js";
import type { Workspace } from "../protocol/workspace.js";
import type { AnswerOf, OperationName, SentTo } from "../service/operations.js";
import { onlyFinds, onlyReads } from "../service/reading.js";
import type { Running } from "../daemon/own.js";
import { commandClock, openWorkspace, type CommonOptions } from "./context.js";

/** An owner that ends between two questions is followed by another try, each after twice the pause: six seconds in all. */
const TRIES = 8;
const FIRST_PAUSE_MS = 50;

/**
 * What a command is for: where no memd runs, one that `works` may start passes of its own, one that
 * `finds` waits for what agents left behind, and it or one that `reads` is answered from a workspace
 * that cannot be written too.
 */
type Purpose = "finds" | "reads" | "changes" | "works";

const READS: readonly Purpose[] = ["finds", "reads"];

export function purposeOf(operation: string): Purpose {
  if (onlyFinds(operation)) return "finds";
  return onlyReads(operation) ? "reads" : "changes";
}

export function withMemd<T>(
  options: CommonOptions,
  purpose: Purpose,
  use: (memd: Memd) => Promise<T>,
): Promise<T> {
  return withSocket(options, purpose, (socket) => askRunning(socket, use));
}

/** The same for whoever asks the socket itself. */
export async function withSocket<T>(
  options: CommonOptions,
  purpose: Purpose,
  use: (socket: string) => Promise<T>,
): Promise<T> {
  const workspace = await openWorkspace(options);
  for (let attempt = 1; ; attempt++) {
    const socket = await ownerSocket(workspace);
    try {
      if (await answers(socket)) return await use(socket);
      const running = await ownerFor(workspace, socket, purpose);
      if (running === undefined) return await use(socket);
      try {
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

/** In the owner's place, and started; undefined where another process has it by now. */
async function ownerFor(
  workspace: Workspace,
  socket: string,
  purpose: Purpose,
): Promise<Running | undefined> {
  try {
    return await started(workspace, socket, { purpose });
  } catch (error) {
    const isUnwritable = isMemdError(error, "disk_denied") || isMemdError(error, "disk_full");
    if (!READS.includes(purpose) || !isUnwritable) throw error;
    const says = "this is answered from its files as they are, and nothing is kept.";
    terminal.err(`memd: ${workspace.root} cannot be written: ${says}\n`);
    return started(workspace, socket, { purpose, reads: true });
  }
}

async function started(
  workspace: Workspace,
  socket: string,
  { purpose, reads = false }: { purpose: Purpose; reads?: boolean },
): Promise<Running | undefined> {
  const { becomeOwner } = await import("../daemon/own.js");
  const running = await becomeOwner(workspace, socket, commandClock(), { reads });
  if (running === undefined) return undefined;
  try {
    await running.memd.start({ watch: false, work: purpose === "works" });
    if (purpose === "finds" && !reads) await running.memd.remember();
    return running;
  } catch (error) {
    await running.stop();
    throw error;
  }
}

/** One question, and nothing else. */
export function askMemd<N extends OperationName>(
  options: CommonOptions,
  name: N,
  asked: SentTo<N>,
): Promise<AnswerOf<N>> {
  return withMemd(options, purposeOf(name), (memd) => memd.ask(name, asked));
}

/** The running memd only; throws `not_running`. */
export async function withRunning<T>(options: CommonOptions, use: (memd: Memd) => Promise<T>): Promise<T> {
  const workspace = await openWorkspace(options);
  const socket = await ownerSocket(workspace);
  if (!(await answers(socket))) throw new MemdError("not_running", `memd does not run in ${workspace.root}.`);
  return askRunning(socket, use);
}
