/** Seeded chance: the same seed gives the same choices (mulberry32). */

export interface Chance {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
}

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  return {
    below: (limit) => {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
    },
  };
}
