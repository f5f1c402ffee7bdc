/** Turns texts into vectors at an OpenAI-compatible `/embeddings`. What comes back is measured before it is believed. */
import type { EmbeddingJob, EmbeddingResult, JobOutcome, UsageRecord } from "../model/work.js";
import { isoOf } from "../model/time.js";
import { redactSecrets } from "../text/redact.js";
import { estimateTokens } from "../text/tokens.js";
import { countedTokens, openaiClient, withRetries, type EndpointOptions } from "./openai-client.js";

export async function runEmbeddingJob(
  job: EmbeddingJob,
  options: EndpointOptions,
  onUsage: (usage: UsageRecord) => void,
): Promise<JobOutcome<EmbeddingResult>> {
  const input = job.texts.map(redactSecrets);
  const client = await openaiClient(options);
  const tried = await withRetries<Answered>(
    options,
    async () =>
      await client.embeddings.create({
        model: job.model,
        input,
        // As numbers: not every endpoint knows base64, which the SDK asks for by itself.
        encoding_format: "float",
        ...(job.dimensions === undefined ? {} : { dimensions: job.dimensions }),
      }),
    (outcome, ms, answer) =>
      onUsage({
        at: isoOf(options.clock.now()),
        role: "embedding",
        feature: "embedding",
        model: job.model,
        tokensIn:
          countedTokens(answer?.usage?.prompt_tokens) ??
          (outcome === "ok" || outcome === "timeout" ? tokensOf(input) : 0),
        tokensOut: 0,
        tokensCached: 0,
        ms,
        outcome,
      }),
  );
  if (tried.to !== "answer") return { ...tried, usage: [] };
  const vectors = vectorsIn(tried.answer, job);
  return typeof vectors === "string"
    ? { to: "failed", reason: vectors, usage: [] }
    : {
        to: "done",
        result: { kind: "embedding", id: job.id, vectors },
        usage: [],
      };
}

interface Answered {
  data?: unknown;
  usage?: { prompt_tokens?: unknown };
}

/** In the order of the texts; or, in words, what is wrong with the answer. */
function vectorsIn({ data }: Answered, { texts, dimensions }: EmbeddingJob): number[][] | string {
  if (!Array.isArray(data) || data.length !== texts.length)
    return `the endpoint gave ${Array.isArray(data) ? data.length : "no"} vectors for ${texts.length} texts`;
  const vectors: number[][] = [];
  for (const [place, each] of (data as { index?: unknown; embedding?: unknown }[]).entries()) {
    const index = typeof each.index === "number" ? each.index : place;
    if (!isVector(each.embedding)) return "the endpoint gave a vector that is no list of numbers";
    vectors[index] = each.embedding;
  }
  const size = dimensions ?? vectors[0]?.length ?? 0;
  if (size === 0 || texts.some((_, index) => vectors[index]?.length !== size))
    return `the endpoint gave vectors of other sizes than ${size}`;
  return vectors;
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((part) => typeof part === "number" && Number.isFinite(part));
}

function tokensOf(texts: readonly string[]): number {
  return Math.ceil(texts.reduce((sum, text) => sum + estimateTokens(text), 0));
}
