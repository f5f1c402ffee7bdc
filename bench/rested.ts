/** A supervisor whose clock is driven by hand, until nothing is left to do. */
import { SECOND_MS } from "../src/model/time.js";
import type { Memd } from "../src/service/memd.js";
import type { HandClock } from "../test/support/hand-clock.js";

/** Time goes on for what waits for it. */
export async function rested(supervisor: Memd, clock: HandClock): Promise<void> {
  let isIdle = false;
  const idle = supervisor.idle().finally(() => (isIdle = true));
  while (!isIdle) {
    await clock.advance(SECOND_MS);
    await clock.breathe();
  }
  await idle;
  await supervisor.settled();
}
