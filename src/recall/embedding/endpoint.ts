/** Vectors of an OpenAI-compatible endpoint, `llm.base_url`, by the model that `llm.models.embedding` names. */
import { jobIdOf, type ModelWorkParts } from "../../llm/job-context.js";
import { defined } from "../../model/collections.js";
import { type Encoder, HERE } from "./encoder.js";

export type EndpointParts = Pick<ModelWorkParts, "pool" | "settings" | "onUsage">;

export function endpointEncoder({ pool, settings, onUsage }: EndpointParts): Encoder {
  return {
    title: "the embedding endpoint",
    model: settings.llm.models.embedding,
    isHere: false,
    gives: (model) => !HERE.test(model),
    encode: async (given, { model, signal }) => {
      const { dimensions } = settings.embedding;
      const texts = [...given];
      const job = defined({ kind: "embedding", id: jobIdOf(model, given), model, dimensions, texts });
      const outcome = await pool.run(job, signal);
      onUsage(outcome.usage);
      return outcome.to === "done" ? { vectors: outcome.result.vectors } : { reason: outcome.reason };
    },
  };
}
