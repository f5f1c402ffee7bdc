/** `memd stop`. */
import { MemdError } from "../model/errors.js";
import { answers } from "../platform/owner.js";
import { commandClock, tell, type CommonOptions } from "./context.js";
import { withRunning } from "./memd.js";

const PATIENCE_MS = 10_000;
const LOOK_MS = 50;

export async function stop(options: CommonOptions): Promise<void> {
  const status = await withRunning(options, async (memd) => {
    const before = await memd.ask("status", {});
    await memd.ask("stop", {});
    return before;
  });
  const clock = commandClock();
  for (let waitedMs = 0; await answers(status.owner.socket); waitedMs += LOOK_MS) {
    if (waitedMs > PATIENCE_MS)
      throw new MemdError("timeout", `memd (process ${status.owner.pid}) has not stopped yet.`);
    await clock.sleep(LOOK_MS);
  }
  const { pid } = status.owner;
  tell(options, { stopped: true, pid }, () => `memd stopped (process ${pid}).`);
}
