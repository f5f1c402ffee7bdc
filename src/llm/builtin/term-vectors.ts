/** Texts as weighed words, and how alike two of them are. Pure. */
import { tally } from "../../model/collections.js";
import { termsOf } from "../../text/terms.js";

/** How often each term is said. */
export type TermCounts = ReadonlyMap<string, number>;

/** Of unit length. */
export type Vector = ReadonlyMap<string, number>;

export function countsOf(text: string): TermCounts {
  return tally(termsOf(text));
}

export function summed(all: readonly TermCounts[]): TermCounts {
  const sums = new Map<string, number>();
  for (const counts of all) for (const [term, count] of counts) sums.set(term, (sums.get(term) ?? 0) + count);
  return sums;
}

/** Of a word that so many of all texts hold. */
type Rarity = (texts: number, holding: number) => number;

/** Within one conversation every word tells something. */
export const withinOne: Rarity = (texts, holding) => Math.log(1 + texts / (1 + holding));

/** Between several, a word that nearly all of them hold tells nothing. */
export const betweenSeveral: Rarity = (texts, holding) =>
  Math.max(0, Math.log((texts + 1) / (holding + 0.5)));

/** What most texts say tells nothing of any; what is said often in one tells more of it. */
export function weighing(corpus: readonly TermCounts[], rarityOf: Rarity): (counts: TermCounts) => Vector {
  const holding = tally(corpus.flatMap((counts) => [...counts.keys()]));
  const rarity = (term: string): number => rarityOf(corpus.length, holding.get(term) ?? 0);
  return (counts) => {
    const weighed = [...counts].map(([term, count]) => [term, (1 + Math.log(count)) * rarity(term)] as const);
    const length = Math.sqrt(weighed.reduce((sum, [, weight]) => sum + weight * weight, 0)) || 1;
    return new Map(weighed.map(([term, weight]) => [term, weight / length]));
  };
}

export function cosine(one: Vector, other: Vector): number {
  const [small, large] = one.size <= other.size ? [one, other] : [other, one];
  let sum = 0;
  for (const [term, weight] of small) sum += weight * (large.get(term) ?? 0);
  return sum;
}

export function topTerms(vector: Vector): string[] {
  return [...vector]
    .sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1))
    .slice(0, MOST_WORDS)
    .map(([term]) => term);
}
const MOST_WORDS = 40;

export function statistics(values: readonly number[]): { mean: number; deviation: number } {
  const count = Math.max(1, values.length);
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count;
  return { mean, deviation: Math.sqrt(variance) };
}
