/** What was said, and what the agent reads of it. */
import * as z from "zod";
import { MOST_BRIEFED_CHARS } from "../../model/briefing.js";
import { ROLES } from "../../model/message.js";
import { limit, maybe, only } from "./fields.js";
import { owner, viewer } from "./operation.js";
import { prompt as promptShape } from "./shapes.js";

export const prompt = viewer({
  call: "GET /prompt",
  command: "prompt",
  method: "prompt",
  summary:
    "the prompt of the newest input of `local` in `main`, or `null`; with `as` that reader's, with `for` that of a conversation, `user/scope/session`; `wait=false` answers without a look at every file first",
  input: z.strictObject({ for: maybe, wait: z.boolean().exactOptional() }),
  example: { for: "lin/main/s-1" },
  output: promptShape.nullable(),
});

export const briefing = viewer({
  call: "POST /briefing",
  command: "hook",
  summary:
    "for an agent that keeps its conversation itself: what the memory holds for what is `asked`, else what is always known, in `max_chars` characters, 10,000 at most; `id` is that of the message, where it has been told already, and `shown` how many of the newest messages of this conversation the agent has before it, 20 where that is not told",
  input: z.strictObject({
    asked: maybe,
    id: maybe,
    max_chars: z.number().int().min(200).max(MOST_BRIEFED_CHARS).exactOptional(),
    shown: z.number().int().nonnegative().exactOptional(),
  }),
  example: { asked: "When does the ferry go?", max_chars: 4000 },
  output: z.object({ text: z.string() }),
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
  method: "history",
  summary:
    "what was said in a conversation, newest last, 50 at a time: the reader's, or another `session` of their place; `next` is the `cursor` of the page before it",
  input: z.strictObject({ scope: only, session: only, limit, cursor: maybe }),
  example: { session: "s-1", limit: 20 },
  output: z.object({ messages: z.array(message), next: maybe }),
});

export const say = owner({
  call: "POST /inbox",
  command: "say",
  method: "say",
  summary:
    "puts a message into the inbox, by a user and of this moment unless it says otherwise; durable when it is answered: its `id`",
  input: z.strictObject({
    text: z.string(),
    role: z.enum(ROLES).exactOptional(),
    user: maybe,
    speaker: maybe,
    scope: maybe,
    session: maybe,
    createdAt: maybe,
    scene: maybe,
    private: z.boolean().exactOptional(),
    tool: z
      .strictObject({
        name: z.string(),
        callId: z.string(),
        input: z.unknown().optional(),
        result: z.unknown().optional(),
      })
      .exactOptional(),
    attachments: z
      .array(z.strictObject({ kind: z.string(), path: maybe, tokens: z.number().exactOptional() }))
      .readonly()
      .exactOptional(),
  }),
  example: { text: "The ferry is late again.", user: "lin", session: "s-1" },
  errors: ["value_invalid", "disk_full"],
  output: z.object({ id: z.string() }),
});

export const end = viewer({
  call: "POST /end",
  command: "end",
  method: "end",
  summary:
    "keeps what a turn leaves behind: one line on what was done, and what is worth remembering, one thing each; with `close` the conversation is over; of a reader who is named it is where that reader is; durable when it is answered: the job's `id`, or none where there was nothing to keep",
  input: z.strictObject({
    memo: maybe,
    observations: z.array(z.string()).readonly().exactOptional(),
    force: z.boolean().exactOptional(),
    close: z.boolean().exactOptional(),
    user: maybe,
    scope: maybe,
    session: maybe,
    createdAt: maybe,
  }),
  example: { memo: "Looked up the ferries.", observations: ["Lin takes the 22:10 ferry on Fridays."] },
  errors: ["value_invalid", "disk_full"],
  output: z.object({ id: maybe }),
});

/** Of what was said there. */
const span = {
  messages: z.number(),
  /** ISO 8601. */
  from: z.string(),
  to: z.string(),
};

export const listScopes = viewer({
  call: "GET /scopes",
  command: "scopes",
  summary: "where something was said, the one that was spoken in last first",
  input: z.strictObject({}),
  output: z.object({ scopes: z.array(z.object({ id: z.string(), sessions: z.number(), ...span })) }),
});

export const listSessions = viewer({
  call: "GET /sessions",
  command: "scopes",
  summary:
    "the conversations of a scope, the reader's own where none is named, the one that was spoken in last first",
  input: z.strictObject({ scope: only }),
  example: { scope: "main" },
  output: z.object({
    sessions: z.array(z.object({ id: z.string(), scope: z.string(), users: z.array(z.string()), ...span })),
  }),
});

export const importMessages = owner({
  call: "POST /import",
  command: "import",
  method: "importMessages",
  summary:
    "takes messages in that were said before: how many were new; while `more` says that others follow at once, what can wait does, and they are not found yet",
  input: z.strictObject({ messages: z.array(z.unknown()), more: z.boolean().exactOptional() }),
  example: {
    messages: [{ id: "m-1", role: "user", text: "The ferry is late.", createdAt: "2026-03-01T08:00:00Z" }],
  },
  errors: ["value_invalid", "git_moved"],
  output: z.object({ fresh: z.number() }),
});
