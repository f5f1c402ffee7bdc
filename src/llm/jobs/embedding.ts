/** Texts as vectors, from an OpenAI-compatible `/embeddings`. What comes back is measured before it is believed. */
import * as z from "zod";
import { redactSecrets } from "../../text/redact.js";
import { endpointCall } from "../openai-client.js";
import { endpointKind, type JobOf } from "./kind.js";

export interface EmbeddingJob extends JobOf<"embedding"> {
  model: string;
  /** Of a server on this machine: asked in place of the settings' endpoint, without a key. */
  baseUrl?: string;
  /** For models that can give shorter ones; absent for what the model gives. */
  dimensions?: number;
  texts: string[];
}

export const embedding = endpointKind({
  kind: "embedding",
  /** One for each text, all of one length. */
  output: z.object({ vectors: z.array(z.array(z.number())) }),
  call: async (job: EmbeddingJob, endpoint, onUsage) => {
    const { model, dimensions } = job;
    const texts = job.texts.map((text) => redactSecrets(text));
    const tried = await endpointCall<Answered>(endpoint, onUsage, {
      of: "embedding",
      model,
      texts,
      send: async (client) =>
        await client.embeddings.create({
          model,
          input: texts,
          // As numbers: not every endpoint knows base64, which the SDK asks for by itself.
          encoding_format: "float",
          ...(dimensions === undefined ? {} : { dimensions }),
        }),
      tokensIn: ({ usage }) => usage?.prompt_tokens,
    });
    if (tried.to !== "answer") return tried;
    const vectors = vectorsIn(tried.value, job);
    if (typeof vectors === "string") return { to: "failed", reason: vectors };
    return { to: "answer", value: { vectors } };
  },
});

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
