/**
 * What models add to recall, where the owner named some: a vector of the question, the question in
 * other words, a better order of the best. Each may be missing or fail; recall goes on and says so.
 */
import { jobIdOf, type ModelWorkParts } from "../llm/job-context.js";
import { chooseProvider } from "../llm/job-line.js";
import type { Hit } from "../model/passage.js";
import type { QueryVector } from "./index/engine.js";
import { ranked } from "./rank.js";

export interface RecallModels {
  /** Neither where there is none to be had and nobody has to know. */
  vectorOf(query: string): Promise<{ vector?: QueryVector; reason?: string }>;
  /** Other queries; none where what was found suffices, undefined where no model answers. */
  rewrite?(
    query: string,
    found: readonly { date: string; text: string }[],
  ): Promise<readonly string[] | undefined>;
  /** One score for each text, more is better; undefined where no model answers. */
  rerank?(query: string, texts: readonly string[]): Promise<readonly number[] | undefined>;
}

/** What a model is told of what was found, and of each text. */
const SHOWN_HITS = 8;
const SHOWN_CHARS = 300;

/** The question, then what a model makes of it; each passage by the query that it answers best. */
export async function findAgain(
  models: RecallModels | undefined,
  query: string,
  find: (query: string) => Promise<Hit[]>,
  warnings: string[],
): Promise<Hit[]> {
  const first = await find(query);
  const found = first
    .slice(0, SHOWN_HITS)
    .map(({ passage }) => ({ date: passage.day, text: passage.text.slice(0, SHOWN_CHARS) }));
  const queries = await models?.rewrite?.(query, found);
  if (queries === undefined) {
    warnings.push("Searched once: no model answers that could put the question in other words (llm.models).");
    return first;
  }
  const best = new Map<string, Hit>();
  for (const hits of [first, ...(await Promise.all(queries.map(find)))]) {
    for (const hit of hits) {
      const known = best.get(hit.passage.id);
      if (known === undefined || hit.score > known.score) best.set(hit.passage.id, hit);
    }
  }
  return ranked([...best.values()]);
}

export async function reranked(
  models: RecallModels | undefined,
  query: string,
  hits: readonly Hit[],
  warnings: string[],
): Promise<readonly Hit[]> {
  if (models?.rerank === undefined || hits.length < 2) return hits;
  const scores = await models.rerank(
    query,
    hits.map(({ passage }) => passage.text),
  );
  if (scores?.length !== hits.length) {
    warnings.push(
      "In the order of the first search: the model that puts it in order gave none (recall.rerank_by).",
    );
    return hits;
  }
  return hits
    .map((hit, index) => ({ ...hit, parts: { ...hit.parts, rerank: scores[index] ?? 0 } }))
    .sort((a, b) => b.parts.rerank - a.parts.rerank || b.score - a.score);
}

interface RecallModelParts extends Pick<ModelWorkParts, "pool" | "settings" | "onUsage"> {
  environment: Readonly<Record<string, string | undefined>>;
}

/** The models that recall may ask, as the settings name them. */
export function recallModels(parts: RecallModelParts): Pick<RecallModels, "rewrite" | "rerank"> {
  const { pool, settings, environment, onUsage } = parts;
  const model = settings.llm.models.rerank;
  const hasChat = chooseProvider(settings.llm, environment) !== "builtin";
  const byChat = hasChat && settings.recall.rerank_by === "chat";
  return {
    ...(hasChat && {
      rewrite: async (query, found) => {
        const id = jobIdOf("rewrite", query, found);
        const outcome = await pool.run({ kind: "rewrite", id, query, found: [...found] });
        onUsage(outcome.usage);
        return outcome.to === "done" ? outcome.result.queries : undefined;
      },
    }),
    ...(byChat && {
      rerank: async (query, texts) => {
        const id = jobIdOf("rank", query, texts);
        const outcome = await pool.run({ kind: "rank", id, query, texts: [...texts] });
        onUsage(outcome.usage);
        return outcome.to === "done" ? outcome.result.scores : undefined;
      },
    }),
    ...(!byChat &&
      model !== undefined && {
        rerank: async (query, texts) => {
          const id = jobIdOf("rerank", query, texts);
          const outcome = await pool.run({ kind: "rerank", id, model, query, texts: [...texts] });
          onUsage(outcome.usage);
          return outcome.to === "done" ? outcome.result.scores : undefined;
        },
      }),
  };
}
