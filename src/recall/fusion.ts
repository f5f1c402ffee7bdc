/** Two orders joined by rank: reciprocal rank fusion (Cormack et al. 2009). Pure. */
import type { Scored } from "./score.js";

/** The customary constant: a first place is worth little more than a second. */
const K = 60;

/** By rank in both; the best keeps the higher of the two similarities, the others theirs in proportion. */
export function reciprocalRankFusion(orders: readonly (readonly Scored[])[], most: number): Scored[] {
  const fused = new Map<number, { scored: Scored; worth: number }>();
  for (const order of orders) {
    for (const [rank, scored] of order.entries()) {
      const known = fused.get(scored.at);
      const parts = { ...known?.scored.parts, ...scored.parts };
      fused.set(scored.at, {
        scored: { ...scored, parts },
        worth: (known?.worth ?? 0) + 1 / (K + rank + 1),
      });
    }
  }
  const best = Math.max(0, ...orders.map(([first]) => first?.similarity ?? 0));
  const inOrder = [...fused.values()].sort((a, b) => b.worth - a.worth || a.scored.at - b.scored.at);
  const top = inOrder[0]?.worth ?? 1;
  return inOrder.slice(0, most).map(({ scored, worth }) => ({ ...scored, similarity: (best * worth) / top }));
}
