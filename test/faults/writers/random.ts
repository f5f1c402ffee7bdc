/** Chance out of a seed: the same seed gives the same run, as far as the run decides anything. */
export interface Chance {
  /** 0 ≤ x < 1. */
  next(): number;
  /** A whole number below `end`. */
  below(end: number): number;
  pick<T>(from: readonly T[]): T;
}

/** mulberry32. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
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
