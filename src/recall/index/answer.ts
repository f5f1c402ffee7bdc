/** What an engine gathered, put in order: the last step of every search, the same for all engines; two orders are joined by rank. */
import type { Hit } from "../../model/passage.js";
import { type Scorable, score, type Scored } from "../score.js";
import type { CorpusStatistics, EngineQuery } from "./engine.js";

/** `P`: a passage, or what an engine has in its place until it is shown. */
export interface Gathered<P> {
  statistics: CorpusStatistics;
  scorable: readonly Scorable[];
  /** Of hits alone, by their place in `scorable`; undefined where one is gone by now. */
  passages(places: readonly number[]): readonly (P | undefined)[];
}

export interface AnswerOf<P> {
  statistics: CorpusStatistics;
  /** Best first; `score` is the similarity. */
  hits: (Omit<Hit, "passage"> & { passage: P })[];
}

type Ordering = Pick<EngineQuery, "question" | "most" | "weights" | "vector" | "ranking">;

export function answerFrom<P>(gathered: Gathered<P>, ordering: Ordering): AnswerOf<P> {
  const { statistics } = gathered;
  const order = inOrder(gathered, ordering);
  const passages = gathered.passages(order.map(({ at }) => at));
  const hits = order.flatMap(({ similarity, parts }, place): AnswerOf<P>["hits"] => {
    const passage = passages[place];
    return passage === undefined ? [] : [{ passage, score: similarity, parts }];
  });
  return { statistics, hits };
}

function inOrder({ statistics, scorable }: Gathered<unknown>, ordering: Ordering): Scored[] {
  const { question, most, weights, vector, ranking = "score" } = ordering;
  if (ranking === "vector") return byNearness(scorable, most);
  const byWords = (nearWeight: number): Scored[] =>
    score(question, statistics, scorable, most, weights, nearWeight);
  return ranking === "rrf" && vector !== undefined
    ? reciprocalRankFusion([byWords(0), byNearness(scorable, most)], most)
    : byWords(vector?.weight ?? 0);
}

function byNearness(scorable: readonly Scorable[], most: number): Scored[] {
  return scorable
    .flatMap(({ eligible, near = 0 }, at) =>
      eligible && near > 0 ? [{ at, similarity: near, parts: { vector: near } }] : [],
    )
    .sort((a, b) => b.similarity - a.similarity || a.at - b.at)
    .slice(0, most);
}

/** The customary constant: a first place is worth little more than a second. */
const K = 60;

/** Reciprocal rank fusion (Cormack et al. 2009): by rank in both; the best keeps the higher of the two similarities, the others theirs in proportion. */
function reciprocalRankFusion(orders: readonly (readonly Scored[])[], most: number): Scored[] {
  const fused = new Map<number, { scored: Scored; worth: number }>();
  for (const order of orders) {
    for (const [rank, scored] of order.entries()) {
      const known = fused.get(scored.at);
      const parts = { ...known?.scored.parts, ...scored.parts };
      const worth = (known?.worth ?? 0) + 1 / (K + rank + 1);
      fused.set(scored.at, { scored: { ...scored, parts }, worth });
    }
  }
  const best = Math.max(0, ...orders.map(([first]) => first?.similarity ?? 0));
  const inOrder = [...fused.values()].sort((a, b) => b.worth - a.worth || a.scored.at - b.scored.at);
  const top = inOrder[0]?.worth ?? 1;
  return inOrder.slice(0, most).map(({ scored, worth }) => ({ ...scored, similarity: (best * worth) / top }));
}

/**
 * The first order with the other led in: its n-th is worth what the first has
 * at place n × `every`, or more. So what only the other finds gets its share,
 * whatever its own scores are worth beside those of the first; with `least`, where
 * they are worth that share of them.
 */
export function ledIn(order: readonly Hit[], other: readonly Hit[], every: number, least = 0): Hit[] {
  const hits = new Map(order.map((hit) => [hit.passage.id, hit]));
  for (const [place, hit] of other.entries()) {
    const peer = order[Math.min((place + 1) * every, order.length - 1)];
    if (peer !== undefined && hit.score < least * peer.score) continue;
    const known = hits.get(hit.passage.id) ?? hit;
    const score = peer === undefined ? hit.score : peer.score;
    hits.set(hit.passage.id, known === hit || known.score < score ? { ...known, score } : known);
  }
  return [...hits.values()].sort((one, next) => next.score - one.score);
}
