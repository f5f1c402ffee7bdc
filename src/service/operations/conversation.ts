/** What was said, and what the agent reads of it. */
import { z } from "zod";
import type { Prompt } from "../../context/inputs.js";
import { ROLES } from "../../model/message.js";
import { limit, madeAs, maybe, only } from "./fields.js";
import { owner, viewer } from "./operation.js";

export const prompt = viewer({
  call: "GET /prompt",
  summary:
    "the prompt of the newest input of `local` in `main`, or `null`; with `as` that reader's, with `for` that of a conversation, `user/scope/session`: `markdown` and `data`",
  input: z.strictObject({ for: maybe }),
  output: madeAs<Prompt>().nullable(),
});

const message = z.object({
  id: z.string(),
  role: z.enum(ROLES),
  /** Without secrets. */
  text: z.string(),
  /** ISO 8601. */
  at: z.string(),
  /** Whose conversation it is part of. */
  user: maybe,
  speaker: maybe,
  scope: z.string(),
  session: z.string(),
  /** What it calls, or answers. */
  tool: z.object({ name: z.string(), callId: z.string() }).exactOptional(),
});

export const history = viewer({
  call: "GET /history",
  summary:
    "what was said in a conversation, newest last, 50 at a time: the reader's, or another `session` of their place; `next` is the `cursor` of the page before it",
  input: z.strictObject({ scope: only, session: only, limit, cursor: maybe }),
  output: z.object({ messages: z.array(message), next: maybe }),
});

export const importMessages = owner({
  call: "POST /import",
  summary: "takes messages in that were said before: how many were new",
  input: z.strictObject({ messages: z.array(z.unknown()) }),
  output: z.object({ fresh: z.number() }),
});
