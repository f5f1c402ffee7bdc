/**
 * Which terms a text may hold, in 256 bits: most terms of a question are in most
 * texts not, and this says so without a look at the text. Pure.
 */

const WORDS = 8;
export type TermSignature = Int32Array;

/** Where a term leaves its bit. */
export interface TermBit {
  word: number;
  bit: number;
}

export function termBit(term: string): TermBit {
  // FNV-1a.
  let hash = 0x811c9dc5;
  for (let index = 0; index < term.length; index++)
    hash = Math.imul(hash ^ term.charCodeAt(index), 0x01000193);
  hash ^= hash >>> 15;
  return { word: (hash >>> 5) & (WORDS - 1), bit: 1 << (hash & 31) };
}

export function signatureOf(terms: Iterable<string>): TermSignature {
  const signature = new Int32Array(WORDS);
  for (const term of terms) {
    const { word, bit } = termBit(term);
    signature[word] = (signature[word] ?? 0) | bit;
  }
  return signature;
}

/** False only where the text does not hold the term. */
export function mayHold(signature: TermSignature, { word, bit }: TermBit): boolean {
  return ((signature[word] ?? 0) & bit) !== 0;
}
