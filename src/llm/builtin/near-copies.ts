/** Whether two sentences say the same in nearly the same words. Pure. */

/** Dice over pairs of characters; other numbers are another statement. */
const ALIKE = 0.75;

export interface Fingerprint {
  pairs: ReadonlySet<string>;
  numbers: string;
}

export function fingerprintOf(text: string): Fingerprint {
  const bare = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
  const pairs = new Set<string>();
  for (let at = 0; at < bare.length - 1; at++) pairs.add(bare.slice(at, at + 2));
  // One letter, or nothing but signs: itself is all there is to compare.
  if (pairs.size === 0) pairs.add(text.trim());
  return { pairs, numbers: (text.match(/\d+/g) ?? []).join(" ") };
}

export function isNearCopy(a: Fingerprint, b: Fingerprint): boolean {
  if (a.numbers !== b.numbers) return false;
  const [small, large] = a.pairs.size < b.pairs.size ? [a.pairs, b.pairs] : [b.pairs, a.pairs];
  if (small.size * 2 < (small.size + large.size) * ALIKE) return false;
  let shared = 0;
  for (const pair of small) if (large.has(pair)) shared += 1;
  return 2 * shared >= (small.size + large.size) * ALIKE;
}
