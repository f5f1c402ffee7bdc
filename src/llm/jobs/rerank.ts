/** Passages put in order by how well each answers a query, at a `/rerank` endpoint: the form that Jina, Cohere, vLLM and llama.cpp share. */
import * as z from "zod";
import { redactSecrets } from "../../text/redact.js";
import { endpointCall } from "../openai-client.js";
import { endpointKind, type JobOf } from "./kind.js";

export interface RerankJob extends JobOf<"rerank"> {
  model: string;
  query: string;
  texts: string[];
}

export const rerank = endpointKind({
  kind: "rerank",
  /** One for each text; more is better. */
  output: z.object({ scores: z.array(z.number()) }),
  call: async (job: RerankJob, endpoint, onUsage) => {
    const { model } = job;
    const query = redactSecrets(job.query);
    const documents = job.texts.map((text) => redactSecrets(text));
    const tried = await endpointCall<unknown>(endpoint, onUsage, {
      of: "rerank",
      model,
      texts: [query, ...documents],
      send: (client) =>
        client.post("/rerank", { body: { model, query, documents, top_n: documents.length } }),
    });
    if (tried.to !== "answer") return tried;
    const scores = scoresIn(tried.value, documents.length);
    return scores === undefined
      ? { to: "failed", reason: "the endpoint's order names not each passage once" }
      : { to: "answer", value: { scores } };
  },
});

/** Undefined unless each passage has exactly one score: an order of some says nothing about the rest. */
function scoresIn(answer: unknown, size: number): number[] | undefined {
  const results = (answer as { results?: unknown } | null)?.results;
  if (!Array.isArray(results) || results.length !== size) return undefined;
  const scores = new Map<number, number>();
  for (const each of results as { index?: unknown; relevance_score?: unknown; score?: unknown }[]) {
    const score = each.relevance_score ?? each.score;
    if (typeof each.index !== "number" || typeof score !== "number" || !Number.isFinite(score))
      return undefined;
    scores.set(each.index, score);
  }
  const inOrder = Array.from({ length: size }, (_, index) => scores.get(index));
  return inOrder.every((score) => score !== undefined) ? inOrder : undefined;
}
