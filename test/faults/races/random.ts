/** Dice of a seed: the same seed plans the same races. */
import { randomOf } from "../random.js";

export interface Dice {
  /** At least 0, less than 1. */
  next(): number;
  /** From `least` to `most`, both included. */
  between(least: number, most: number): number;
  /** One of the kinds, as often as its weight says. */
  pick<K extends string>(weights: Readonly<Record<K, number>>): K;
}

export function dice(seed: number): Dice {
  const next = randomOf(seed);
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
