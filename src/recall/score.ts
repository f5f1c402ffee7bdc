/**
 * What a match is worth: BM25 over the walls that were opened, then a
 * similarity between 0 and 1.
 *
 * Pure, and the same for every engine: it needs frequencies and counts only.
 */
import { idf } from "./index/candidates.js";
import type { Candidate, Candidates } from "./index/engine.js";
import { BM25, SIMILARITY } from "./weights.js";
import type { Hit } from "../model/passage.js";

/** In the order of the candidates. */
export function score({ statistics, found }: Candidates): Hit[] {
  const weights = statistics.documentFrequencies.map((df) => idf(statistics.passages, df));
  const averageLength = statistics.length / Math.max(1, statistics.passages);
  const halfway = weightOfQuestion(weights);
  return found.map((candidate) => {
    const bm25 = bm25Of(candidate, weights, averageLength);
    const similarity = bm25 === 0 ? 0 : bm25 / (bm25 + halfway);
    return { passage: candidate.passage, score: similarity, parts: { bm25, similarity } };
  });
}

function bm25Of(
  { frequencies, length }: Candidate,
  weights: readonly number[],
  averageLength: number,
): number {
  const norm = BM25.k1 * (1 - BM25.b + (BM25.b * length) / Math.max(1, averageLength));
  let sum = 0;
  for (const [term, frequency] of frequencies.entries()) {
    if (frequency > 0) sum += ((weights[term] ?? 0) * frequency * (BM25.k1 + 1)) / (frequency + norm);
  }
  return sum;
}

function weightOfQuestion(weights: readonly number[]): number {
  const telling = [...weights].sort((a, b) => b - a).slice(0, SIMILARITY.tellingTerms);
  return telling.reduce((sum, weight) => sum + weight, 0);
}
