/** Chance of a seed: the same seed gives the same choices. */
import { randomOf } from "../random.js";

export interface Chance {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
}

export function chanceOf(seed: number): Chance {
  const next = randomOf(seed);
  return { below: (limit) => Math.floor(next() * limit) };
}
