import type { Random } from "../../src/platform/clock.js";

/** The same names in the same order. */
export function countingRandom(): Random {
  let next = 0;
  return { name: (length) => (next++).toString(36).padStart(length, "0").slice(-length) };
}
