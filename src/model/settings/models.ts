/** The models that work for memd, and the processes that ask them. */
import * as z from "zod";
import { count, countOrNone, positive, section } from "./fields.js";

/** One folder above it at most, and none that begins with a dot: what is named stays where models stand. */
const LOCAL_NAME = /^[A-Za-z0-9_][\w.-]*(?:\/[A-Za-z0-9_][\w.-]*)?$/;

/** Of a model that memd runs itself. */
export function isLocalName(name: string): boolean {
  return LOCAL_NAME.test(name);
}

function namesHere(setting: string): boolean {
  const [kind, name = ""] = setting.split(/(?<=^local):/);
  return setting === "auto" || (kind === "local" && (isLocalName(name) || /^\/[^\0]+$/.test(name)));
}

export const llm = section({
  provider: z
    .enum(["builtin", "openai"])
    .optional()
    .describe(
      "`builtin` or `openai`; when not set, `openai` if `api_key_env` names a variable that is there, or if `base_url` is set and no `api_key_env`",
    ),
  base_url: z
    .url({ protocol: /^https?$/, error: "is not a URL that begins with http:// or https://" })
    .optional()
    .describe("address of an OpenAI-compatible endpoint; OpenAI's own when not set"),
  api_key_env: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "is the name of an environment variable, not the key")
    .optional()
    .describe(
      "name of the environment variable that holds the key; `OPENAI_API_KEY` at OpenAI's own address",
    ),
  models: section({
    summary: z.string().min(1).optional().describe("model that writes summaries"),
    historian: z
      .string()
      .min(1)
      .optional()
      .describe(
        "model that picks out what is worth keeping of a conversation; a role without a model uses that of the one before it",
      ),
    topic: z
      .string()
      .min(1)
      .optional()
      .describe(
        "model that is asked what topics know, and puts hits in order where `recall.rerank_by` is `chat`",
      ),
    strong: z
      .string()
      .min(1)
      .optional()
      .describe(
        "model that splits topics, writes other words for a search (`agentic`), and answers in `memd chat`",
      ),
    embedding: z
      .string()
      .min(1)
      .optional()
      .describe("model that turns texts into vectors, for search by meaning; without it, by words"),
    rerank: z.string().min(1).optional().describe("model that puts what was found into a better order"),
  }),
  embedding: z
    .string()
    .refine(namesHere, 'is "auto", "local:NAME" or "local:/a/folder"')
    .optional()
    .describe(
      "model on this machine that turns texts into vectors, before `models.embedding`: of an Ollama or LM Studio that runs here, once you said yes to it (`auto`, `memd embed accept`), or of memd's own from its files (`local:NAME`, `local:/a/folder`, `memd embed install`)",
    ),
  context_tokens: count
    .default(32_000)
    .describe("what the model can read at once; more is summarised in windows"),
  max_output_tokens: count.default(4_000).describe("longest answer of a model"),
  request_timeout_seconds: positive.default(120).describe("time for one request, answer included"),
  max_retries: countOrNone.default(2).describe("how often one request is tried again, within its time"),
  daily_tokens: count.optional().describe("cap for a local day; beyond it the work of models waits"),
});

export const worker = section({
  max_processes: count.default(3).describe("summaries made at the same time"),
  keep_seconds: positive.default(60).describe("a worker without work ends after this"),
  idle_timeout_minutes: positive.default(10).describe("a worker that says nothing for so long is killed"),
  output_limit_mb: positive.default(16).describe("a worker that puts out more is killed"),
});
