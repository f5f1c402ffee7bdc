/** A loop for stages that a test drives itself: what they write is written at once, and nobody is woken. */
import type { Loop } from "../../src/platform/background.js";

export interface LoopByHand extends Loop {
  /** What came up since it was last asked. */
  takeFault(): unknown;
}

export function loopByHand(): LoopByHand {
  let kept: unknown;
  return {
    exclusive: (work) => work(),
    done: () => undefined,
    rescan: () => undefined,
    wake: () => undefined,
    fault: (error) => (kept ??= error),
    takeFault: () => {
      const fault = kept;
      kept = undefined;
      return fault;
    },
  };
}
