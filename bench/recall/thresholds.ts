/**
 * Whether similarities mean something: the best answer to each query beside the
 * best that a conversation gives which knows nothing of it.
 */
import type { Asking } from "./asking.js";

const THRESHOLDS = [0.1, 0.2, 0.3, 0.35, 0.4, 0.5];

export async function thresholds(askings: readonly Asking[]): Promise<Record<string, unknown>> {
  const results: Record<string, unknown> = {};
  for (const asking of askings) {
    const { set } = asking;
    const own = (await asking.ask()).map(({ bestGold }) => bestGold);
    const foreign = (await asking.ask({ elsewhere: true })).map(({ best }) => best);
    const above = (scores: readonly number[], threshold: number): number =>
      Math.round((scores.filter((score) => score >= threshold).length / scores.length) * 1000) / 1000;
    results[set.name] = {
      auc: Math.round(auc(own, foreign) * 1000) / 1000,
      above: Object.fromEntries(
        THRESHOLDS.map((threshold) => [
          threshold,
          { own: above(own, threshold), foreign: above(foreign, threshold) },
        ]),
      ),
    };
  }
  return results;
}

/** How often a score of the first is above one of the second. */
function auc(first: readonly number[], second: readonly number[]): number {
  let wins = 0;
  for (const a of first) for (const b of second) wins += a > b ? 1 : a === b ? 0.5 : 0;
  return wins / (first.length * second.length);
}
