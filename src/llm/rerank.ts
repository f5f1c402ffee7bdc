/** Puts passages in order at a `/rerank` endpoint: the form that Jina, Cohere, vLLM and llama.cpp share. */
import type { JobOutcome, RerankJob, RerankResult, UsageRecord } from "../model/work.js";
import { isoOf } from "../model/time.js";
import { redactSecrets } from "../text/redact.js";
import { estimateTokens } from "../text/tokens.js";
import { openaiClient, withRetries, type EndpointOptions } from "./openai-client.js";

export async function runRerankJob(
  job: RerankJob,
  options: EndpointOptions,
  onUsage: (usage: UsageRecord) => void,
): Promise<JobOutcome<RerankResult>> {
  const query = redactSecrets(job.query);
  const documents = job.texts.map(redactSecrets);
  const client = await openaiClient(options);
  const tried = await withRetries<unknown>(
    options,
    () => client.post("/rerank", { body: { model: job.model, query, documents, top_n: documents.length } }),
    (outcome, ms) =>
      onUsage({
        at: isoOf(options.clock.now()),
        role: "rerank",
        feature: "rerank",
        model: job.model,
        tokensIn:
          outcome === "ok" || outcome === "timeout"
            ? Math.ceil([query, ...documents].reduce((sum, text) => sum + estimateTokens(text), 0))
            : 0,
        tokensOut: 0,
        tokensCached: 0,
        ms,
        outcome,
      }),
  );
  if (tried.to !== "answer") return { ...tried, usage: [] };
  const scores = scoresIn(tried.answer, documents.length);
  return scores === undefined
    ? { to: "failed", reason: "the endpoint's order names not each passage once", usage: [] }
    : { to: "done", result: { kind: "rerank", id: job.id, scores }, usage: [] };
}

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
