/** Work in the background that rests while somebody else moves the files. */
import type { Background } from "../platform/background.js";

/** The same work, left alone while the keeper of the repository is held. */
export function heldBy(keeper: { readonly isHeld: boolean }, each: Background): Background {
  return {
    name: each.name,
    poll: (tick) => (keeper.isHeld ? undefined : each.poll(tick)),
    get running() {
      return each.running;
    },
    get nextMs() {
      return keeper.isHeld ? undefined : each.nextMs;
    },
    get isAsked() {
      return each.isAsked === true && !keeper.isHeld;
    },
    get isHeldUp() {
      return each.isHeldUp === true && !keeper.isHeld;
    },
    refuse: (trouble) => each.refuse?.(trouble),
    forget: (isGone) => each.forget?.(isGone),
    stop: () => each.stop(),
  };
}
