/** Randomness from a seed (mulberry32): the same seed plans the same races. */
export interface Dice {
  /** At least 0, less than 1. */
  next(): number;
  /** From `least` to `most`, both included. */
  between(least: number, most: number): number;
  /** One of the kinds, as often as its weight says. */
  pick<K extends string>(weights: Readonly<Record<K, number>>): K;
}

export function dice(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick: (weights) => {
      const kinds = Object.entries<number>(weights) as [keyof typeof weights, number][];
      let left = next() * kinds.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [kind, weight] of kinds) if ((left -= weight) < 0) return kind;
      return kinds[kinds.length - 1]![0];
    },
  };
}
