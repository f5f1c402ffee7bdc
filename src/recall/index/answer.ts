/** What an engine gathered, put in order: the last step of every search, the same for all engines. */
import type { Hit } from "../../model/passage.js";
import { reciprocalRankFusion } from "../fusion.js";
import { score, type Scorable, type Scored } from "../score.js";
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
