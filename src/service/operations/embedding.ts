/** Which model turns texts into vectors, and the owner's yes to one that runs on this machine. */
import * as z from "zod";
import { HOME_SERVERS } from "../../protocol/embedding.js";
import { maybe, only } from "./fields.js";
import { owner } from "./operation.js";
import { embeddingStatus } from "./shapes.js";

const offer = { server: z.enum(HOME_SERVERS), url: z.string(), model: z.string() };

const report = z.object({
  /** `llm.embedding`; absent where it is not set. */
  setting: maybe,
  /** What servers of this machine offer, best first. */
  found: z.array(z.object(offer)),
  /** What the owner said yes to. */
  accepted: z.object({ ...offer, acceptedAt: z.string() }).exactOptional(),
  /** What was not looked at, and why. */
  refused: maybe,
  /** Absent where the settings name no model. */
  status: embeddingStatus.exactOptional(),
  /** What can be done next; absent where nothing has to be. */
  advice: maybe,
});

export type EmbeddingReport = z.output<typeof report>;

export const embedding = owner({
  call: "GET /embedding",
  command: "embed status",
  summary:
    "which model turns texts into vectors, how far it is, and which ones an Ollama or LM Studio on this machine offers; no text is sent to find out",
  input: z.strictObject({}),
  output: report,
});

export const acceptEmbedding = owner({
  call: "POST /embedding",
  command: "embed accept",
  summary:
    "the owner's yes: texts may be sent to that model of a server on this machine, or to the best that is offered; it counts where `llm.embedding` is `auto`, for that server and model alone",
  input: z.strictObject({ model: only }),
  example: { model: "bge-m3:latest" },
  errors: ["embedding_unknown"],
  output: report,
});

export const declineEmbedding = owner({
  call: "DELETE /embedding",
  command: "embed decline",
  summary: "takes that yes back: no text is sent any more; `declined` is false where there was none",
  input: z.strictObject({}),
  output: z.object({ declined: z.boolean() }),
});
