/** Randomness that the same seed gives again, with seeds made of words and numbers. */
import { randomOf } from "../random.js";

export interface Rng {
  /** A whole number from 0 to `below` - 1. */
  int(below: number): number;
  /** True once in `n` times. */
  oneIn(n: number): boolean;
  pick<T>(from: readonly [T, ...T[]]): T;
}

export function rngOf(...parts: readonly (string | number)[]): Rng {
  const next = randomOf(hashOf(parts.join("\u0000")));
  const int = (below: number): number => Math.floor(next() * below);
  return { int, oneIn: (n) => int(n) === 0, pick: (from) => from[int(from.length)] ?? from[0] };
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash | 0;
}
