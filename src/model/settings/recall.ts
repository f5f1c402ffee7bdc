/** How something is found again. */
import * as z from "zod";
import { RECALL_MODES } from "../passage.js";
import { count, positive, section } from "./fields.js";

export const index = section({
  engine: z
    .enum(["auto", "sqlite", "memory"])
    .default("auto")
    .describe("index of search: `sqlite` in `.memd/index/`, `memory`, or what can be had (`auto`)"),
});

export const recall = section({
  min_score: z
    .number()
    .min(0)
    .max(1)
    .default(0.2)
    .describe("hits below it are not shown while there are better ones"),
  limit: count.default(10).describe("hits of a search"),
  mode: z
    .enum(RECALL_MODES)
    .default("hybrid")
    .describe(
      "by words (`keyword`), by meaning (`vector`), by both (`hybrid`), or again with other words of a model's (`agentic`)",
    ),
  fusion: z
    .enum(["score", "rrf"])
    .default("score")
    .describe("how words and meaning are joined: by what each is worth (`score`), or by rank (`rrf`)"),
  events_limit: count.default(12).describe("what a search of events shows"),
  profiles_limit: count.default(8).describe("what a search of profiles shows"),
  decay: z.boolean().default(true).describe("whether what was said lately ranks a little higher"),
  decay_boost: z
    .number()
    .min(0)
    .max(1)
    .default(0.02)
    .describe("how much higher, of its score, where it was said just now"),
  decay_min_similarity: z
    .number()
    .min(0)
    .max(1)
    .default(0.35)
    .describe("below this score nothing ranks higher for being new"),
  half_life_search_days: positive
    .default(60)
    .describe("after so long being new counts half as much, in a search"),
  half_life_prompt_days: positive.default(14).describe("the same in what is found for a prompt"),
  rerank: z
    .boolean()
    .default(true)
    .describe("whether a model puts what was found into a better order, where there is one for it"),
  rerank_by: z
    .enum(["endpoint", "chat"])
    .default("endpoint")
    .describe(
      "who does: `llm.models.rerank` at the endpoint's `/rerank` (`endpoint`), or the model of `llm.models.topic` by chat (`chat`)",
    ),
  rerank_multiple: count.min(2).default(3).describe("so many times as many are put in order as are shown"),
});

export const embedding = section({
  weight: z
    .number()
    .min(0)
    .max(10)
    .default(0.5)
    .describe(
      "how much meaning counts beside words; the model is that of `llm.embedding`, else of `llm.models.embedding`",
    ),
  reads_han: z
    .boolean()
    .optional()
    .describe("whether the model reads Chinese; found out by asking it when not set"),
  revision: z
    .string()
    .optional()
    .describe("change it when the model behind its name has changed, and everything is embedded anew"),
  dimensions: count.optional().describe("length of vectors, for models that can give shorter ones"),
  batch: count.max(2048).default(64).describe("texts that are embedded in one call"),
  query_timeout_seconds: positive
    .default(2)
    .describe("a question whose vector takes longer is answered by words"),
  pause_on_battery: z
    .boolean()
    .default(true)
    .describe(
      "whether a model on this machine (`llm.embedding`) leaves what waits for its vectors while the machine runs on its battery",
    ),
  pause_above_load: z
    .number()
    .min(0)
    .default(0.8)
    .describe(
      "the same above so much load per core, memd's own not counted (the mean of a minute); 0 for never",
    ),
});
