/** Chance out of a seed: the same seed gives the same run, as far as the run decides anything. */
import { randomOf } from "../random.js";

export interface Chance {
  /** 0 ≤ x < 1. */
  next(): number;
  /** A whole number below `end`. */
  below(end: number): number;
  pick<T>(from: readonly T[]): T;
}

export function chanceOf(seed: number): Chance {
  const next = randomOf(seed);
  const below = (end: number): number => Math.floor(next() * end);
  return { next, below, pick: (from) => from[below(from.length)]! };
}

export function shuffled<T>(items: readonly T[], chance: Chance): T[] {
  const mixed = [...items];
  for (let left = mixed.length - 1; left > 0; left--) {
    const other = chance.below(left + 1);
    [mixed[left], mixed[other]] = [mixed[other]!, mixed[left]!];
  }
  return mixed;
}
