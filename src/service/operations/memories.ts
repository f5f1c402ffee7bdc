/** What is remembered: found again, listed, forgotten. */
import * as z from "zod";
import type { ForgetReport } from "../../forget/forgetting.js";
import { PASSAGE_KINDS } from "../../model/passage.js";
import { RECORD_KINDS } from "../../model/record.js";
import { kindsOf, limit, madeAs, maybe, method, moment, name, only, period, remarks } from "./fields.js";
import { owner, renamed, viewer, withFullNames } from "./operation.js";
import { found, markedFound, markedHit } from "./shapes.js";

/** Whether what is found has its `marks`. */
const marks = z.boolean().exactOptional();
const ofWhom = { target_user_id: only, target_group_id: only };

export const searchEvents = viewer({
  call: "POST /events/search",
  command: "events",
  method: "searchEvents",
  summary:
    "what happened: best first, without a query the newest first; 12 unless `limit` says otherwise; of all kinds but what is expected and what people are like, or of `memory_types` (`event`, `fact`, `episode`, `foresight`)",
  input: z.strictObject({
    query: maybe,
    ...ofWhom,
    limit,
    ...period,
    memory_types: kindsOf(RECORD_KINDS),
    marks,
  }),
  example: { query: "when did we move?", time_from: "2026-01-01", limit: 5 },
  errors: ["empty_query"],
  output: z.object({ events: z.array(markedFound), ...remarks }),
  upgrade: (given) => renamed(given, { top_k: "limit" }),
});

const searchInput = z.strictObject({
  query: z.string(),
  target_user_id: only,
  scope: only,
  session: only,
  ...period,
  /** Only what had been said by then. */
  as_of: moment.exactOptional(),
  memory_types: kindsOf(PASSAGE_KINDS),
  limit,
  method: method.exactOptional(),
  /** False leaves the order as it is where a rerank model is named. */
  use_rerank: z.boolean().exactOptional(),
  marks,
  /** Whether a message that was found has what it answers. */
  answers: z.boolean().exactOptional(),
});

export const searchMemories = viewer({
  call: "POST /agent/memories/search",
  command: "search",
  method: "searchMemories",
  summary:
    "everything that is remembered, the words of conversations too, best first; `limit` and `method` (`keyword`, `vector`, `hybrid`, `agentic`) are those of the settings where they are not given",
  input: searchInput,
  example: { query: "staging port", limit: 3 },
  errors: ["empty_query"],
  output: z.object({ hits: z.array(markedHit), ...remarks }),
  // All but the query once stood in `options`, under short names.
  upgrade: ({ options, ...given }) =>
    renamed(
      options === undefined ? given : withFullNames(searchInput, given, optionsIn.parse({ options }).options),
      { asOf: "as_of" },
    ),
});

const optionsIn = z.object({ options: z.record(z.string(), z.unknown()) });

export const listMemories = viewer({
  call: "GET /agent/memories",
  method: "listMemories",
  summary:
    "records and profiles, newest first, 50 at a time; `memory_types` are kinds of records and `profile`; `next` is the `cursor` of the next page",
  input: z.strictObject({
    ...ofWhom,
    ...period,
    memory_types: kindsOf([...RECORD_KINDS, "profile"]),
    limit,
    cursor: maybe,
  }),
  example: { memory_types: ["fact"], limit: 20 },
  output: z.object({ memories: z.array(found), ...remarks, next: maybe }),
});

const target = z.discriminatedUnion("is", [
  z.object({ is: z.literal("session"), session: z.string(), scope: z.string(), user: maybe }),
  z.object({ is: z.literal("scope"), scope: z.string() }),
  z.object({ is: z.literal("message"), message: z.string(), scope: z.string() }),
  z.object({ is: z.literal("record"), record: z.string(), scope: maybe }),
]);

const report = madeAs<ForgetReport>(
  z.object({
    forgotten: z.boolean(),
    target,
    messages: z.number(),
    records: z.number(),
    memos: z.number(),
    windows: z.array(z.string()),
    jobs: z.array(z.string()),
    profiles: z.array(z.string()),
  }),
);

export const forget = owner({
  call: "POST /forget",
  command: "forget",
  summary:
    "forgets a conversation, a place, a message or a record for good: what went, or with `dryRun` would go",
  input: z.strictObject({
    session: only,
    scope: only,
    user: only,
    id: only,
    dryRun: z.boolean().exactOptional(),
  }),
  example: { session: "s-1", dryRun: true },
  errors: ["forget_unknown", "git_moved"],
  output: report,
});

export const forgetSession = owner({
  call: "DELETE /sessions/:id",
  summary: "forgets this conversation, as `POST /forget` does",
  input: z.strictObject({ id: name, scope: only, user: only }),
  example: { id: "s-1" },
  errors: ["forget_unknown", "git_moved"],
  output: report,
});

export const forgetScope = owner({
  call: "DELETE /scopes/:id",
  summary: "forgets all that was said and kept in this scope, as `POST /forget` does",
  input: z.strictObject({ id: name }),
  example: { id: "harbor" },
  errors: ["forget_unknown", "git_moved"],
  output: report,
});

export const deleteMemory = owner({
  call: "DELETE /agent/memories/:id",
  summary: "forgets this record, as `POST /forget` does",
  input: z.strictObject({ id: name }),
  example: { id: "r-4k2j9x0a" },
  errors: ["forget_unknown", "git_moved"],
  output: report,
});
