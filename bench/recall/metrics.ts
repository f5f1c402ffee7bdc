/** How good a ranked list of message ids is beside the ids that answer the query. Pure. */

export interface Ranked {
  /** Best first, each once. */
  order: readonly string[];
  gold: readonly string[];
  /** Ids of the first ten hits, whatever they are. */
  top: readonly string[];
  /** Sessions in the order of their best message, and those of the gold. */
  sessions: readonly string[];
  goldSessions: readonly string[];
  ms: number;
  /** Scores of the best hit and of the best that answers; 0 where there is none. */
  best: number;
  bestGold: number;
}

/** Means over all queries, fractions of 1; times are percentiles in milliseconds. */
export function figuresOf(ranked: readonly Ranked[]): Record<string, number> {
  const mean = (of: (one: Ranked) => number): number =>
    round(ranked.reduce((sum, one) => sum + of(one), 0) / Math.max(1, ranked.length));
  const times = ranked.map(({ ms }) => ms).sort((a, b) => a - b);
  const percentile = (share: number): number =>
    round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
  return {
    "recall@5": mean(({ order, gold }) => recallAt(order, gold, 5)),
    "recall@10": mean(({ order, gold }) => recallAt(order, gold, 10)),
    "recall@20": mean(({ order, gold }) => recallAt(order, gold, 20)),
    "hit@5": mean(({ order, gold }) => (recallAt(order, gold, 5) > 0 ? 1 : 0)),
    "all@10": mean(({ order, gold }) => (recallAt(order, gold, 10) === 1 ? 1 : 0)),
    mrr: mean(({ order, gold }) => reciprocalRank(order, gold)),
    "ndcg@10": mean(({ order, gold }) => ndcgAt(order, gold, 10)),
    "session_recall@5": mean(({ sessions, goldSessions }) => recallAt(sessions, goldSessions, 5)),
    "session_hit@1": mean(({ sessions, goldSessions }) => (recallAt(sessions, goldSessions, 1) > 0 ? 1 : 0)),
    queries: ranked.length,
    p50_ms: percentile(0.5),
    p95_ms: percentile(0.95),
  };
}

function recallAt(order: readonly string[], gold: readonly string[], k: number): number {
  const found = new Set(order.slice(0, k));
  return gold.filter((id) => found.has(id)).length / Math.max(1, gold.length);
}

function reciprocalRank(order: readonly string[], gold: readonly string[]): number {
  const first = order.findIndex((id) => gold.includes(id));
  return first === -1 ? 0 : 1 / (first + 1);
}

function ndcgAt(order: readonly string[], gold: readonly string[], k: number): number {
  const gain = (rank: number): number => 1 / Math.log2(rank + 2);
  const found = order.slice(0, k).reduce((sum, id, rank) => sum + (gold.includes(id) ? gain(rank) : 0), 0);
  const ideal = gold.slice(0, k).reduce((sum, _, rank) => sum + gain(rank), 0);
  return ideal === 0 ? 0 : found / ideal;
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
