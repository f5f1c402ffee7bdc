/**
 * What happens in a round among the contenders. Pure: seed in, plans out.
 *
 * A round begins on a name that is free or that a dead owner left, with all of
 * them at once; some are slow, or stopped or killed at some call to the system.
 * Whoever owns then releases, dies, sleeps, or has its name taken from it.
 */
import type { Dice } from "./random.js";

/** In how many of a hundred rounds. */
const PLACES = { free: 50, dead: 50 } as const;
const MISHAPS = { none: 52, slow: 28, stopped: 16, dies: 4 } as const;
const ENDS = { release: 65, sleeps: 14, unnamed: 9, renamed: 7, killed: 5 } as const;

/** What befalls a contender at its n-th call to the system. */
export interface Mishap {
  who: number;
  kind: "slow" | "stopped" | "dies";
  /** Counted from the moment at which it is told to take the name. */
  call: number;
  ms: number;
}

export interface RoundPlan {
  place: keyof typeof PLACES;
  mishaps: Mishap[];
  end: keyof typeof ENDS;
}

/** Calls of one attempt on a name that a dead owner left; on a free one it has half as many. */
const MOST_CALLS = 34;
const MOST_SLOW_MS = 8;

export function planRound(dice: Dice, contenders: number): RoundPlan {
  const place = dice.pick(PLACES);
  const kind = dice.pick(MISHAPS);
  const end = dice.pick(ENDS);
  const mishap = (of: Mishap["kind"]): Mishap => ({
    who: dice.between(0, contenders - 1),
    kind: of,
    call: dice.between(1, place === "free" ? MOST_CALLS / 2 : MOST_CALLS),
    ms: dice.between(1, MOST_SLOW_MS),
  });
  if (kind === "none") return { place, mishaps: [], end };
  const count = kind === "slow" ? dice.between(1, contenders) : 1;
  return { place, mishaps: Array.from({ length: count }, () => mishap(kind)), end };
}
