/** Seeded randomness: the same seed gives the same walk. mulberry32, public domain. */

export interface Dice {
  /** In [0, 1). */
  next(): number;
  /** In [0, below). */
  int(below: number): number;
  chance(share: number): boolean;
  pick<T>(from: readonly T[]): T;
}

export function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
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
