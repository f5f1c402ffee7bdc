/** `memd stop`. */
import { MemdError } from "../model/errors.js";
import { answers } from "../platform/owner.js";
import { tell, type CommonOptions, waitFor } from "./context.js";
import { withRunning } from "./memd.js";

const PATIENCE_MS = 10_000;

export async function stop(options: CommonOptions): Promise<void> {
  const status = await withRunning(options, async (memd) => {
    const before = await memd.ask("status", {});
    await memd.ask("stop", {});
    return before;
  });
  const { socket, pid } = status.owner;
  const isGone = await waitFor(PATIENCE_MS, async () => !(await answers(socket)) || undefined);
  if (isGone === undefined) throw new MemdError("timeout", `memd (process ${pid}) has not stopped yet.`);
  tell(options, { stopped: true, pid }, () => `memd stopped (process ${pid}).`);
}
