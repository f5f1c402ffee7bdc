/** Dice of a seed: the same seed gives the same walk. */
import { randomOf } from "../random.js";

export interface Dice {
  /** In [0, 1). */
  next(): number;
  /** In [0, below). */
  int(below: number): number;
  chance(share: number): boolean;
  pick<T>(from: readonly T[]): T;
}

export function diceOf(seed: number): Dice {
  const next = randomOf(seed);
  const int = (below: number): number => Math.floor(next() * below);
  return {
    next,
    int,
    chance: (share) => next() < share,
    pick: (from) => {
      if (from.length === 0) throw new Error("nothing to pick from");
      return from[int(from.length)] as (typeof from)[number];
    },
  };
}
