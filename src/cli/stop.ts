/** `memd stop`: asks it to end; one that does not answer any more is ended, where it is known to be that process. */
import { isMemdError, MemdError } from "../model/errors.js";
import { SECOND_MS } from "../model/time.js";
import { markOf, signal } from "../platform/other-process.js";
import { answers, notedProcess } from "../platform/owner.js";
import { terminal } from "../platform/process.js";
import { ownerSocket } from "../protocol/owner-note.js";
import { openWorkspace, tell, type CommonOptions, waitFor } from "./context.js";
import { withRunning } from "./memd.js";

const PATIENCE_MS = 10 * SECOND_MS;
/** A memd that hears it is gone within five seconds. */
const TERM_MS = 6 * SECOND_MS;
/** The system may have to end a write first. */
const KILL_MS = 30 * SECOND_MS;

export async function stop(options: CommonOptions & { root?: string }): Promise<void> {
  if (options.root !== undefined) return (await import("./root.js")).stopRoot(options);
  const socket = await ownerSocket(await openWorkspace(options));
  const { pid, trouble } = await askToStop(options);
  if (trouble === undefined)
    return tell(options, { stopped: true, pid }, () => `memd stopped (process ${pid}).`);
  const by = await endStuck(socket, trouble);
  const says = `memd ended (process ${by.pid}, ${by.signal}). Nothing that it had acknowledged is lost.`;
  tell(options, { stopped: true, ...by }, () => says);
}

/** `trouble`: it gave no answer, or none but that it would stop. */
async function askToStop(options: CommonOptions): Promise<{ pid?: number; trouble?: MemdError }> {
  try {
    const { pid, socket, mark } = await withRunning(options, async (memd) => {
      const { owner } = await memd.ask("status", {});
      const asItIs = { ...owner, mark: await markOf(owner.pid) };
      await memd.ask("stop", {});
      return asItIs;
    });
    // It gives its socket up a moment before it ends.
    const isOver = async (): Promise<boolean> =>
      !(await answers(socket)) && (mark === undefined || (await markOf(pid)) !== mark);
    const isGone = await waitFor(PATIENCE_MS, async () => (await isOver()) || undefined);
    if (isGone === true) return { pid };
    return { trouble: new MemdError("timeout", `memd (process ${pid}) has not stopped yet.`) };
  } catch (error) {
    if (isMemdError(error, "not_answering")) return { trouble: error };
    throw error;
  }
}

/** Throws `trouble` where nobody can be sure which process that is: a strange one is never ended. */
async function endStuck(socket: string, trouble: MemdError) {
  const noted = await notedProcess(socket);
  if (noted?.isIt !== true) throw trouble;
  const { pid } = noted;
  const isOver = async (): Promise<true | undefined> =>
    (await notedProcess(socket))?.isIt !== true || undefined;
  const steps = [
    ["SIGTERM", TERM_MS, `${trouble.message} Ending it with SIGTERM …`],
    ["SIGKILL", KILL_MS, "It does not hear that. Ending it with SIGKILL …"],
  ] as const;
  for (const [name, patienceMs, says] of steps) {
    terminal.err(`${says}\n`);
    signal(pid, name);
    if ((await waitFor(patienceMs, isOver)) === true) return { pid, signal: name };
  }
  throw new MemdError("timeout", `memd (process ${pid}) has not ended yet.`);
}
