/** What is known of people and groups. */
import * as z from "zod";
import { limit, maybe, name, only, remarks } from "./fields.js";
import { owner, viewer } from "./operation.js";
import { hit } from "./shapes.js";

const entity = z.enum(["user", "group"]);
const target = { entity, id: name };

/** A profile is a page, not a library. */
const MOST_BODY_CHARS = 100_000;

const profile = z.object({
  ...target,
  /** Relative to the workspace. */
  file: z.string(),
  /** The whole file; for anybody but the owner without secrets. */
  text: z.string(),
  /** What its head says, where that can be read. */
  name: maybe,
  tags: z.array(z.string()).readonly().exactOptional(),
  /** ISO 8601. */
  updatedAt: maybe,
  /** Below the head: its bullets, as Markdown. */
  body: maybe,
});

export const listProfiles = viewer({
  call: "GET /profiles",
  command: "profile list",
  summary: "of whom something is known",
  input: z.strictObject({}),
  output: z.object({ profiles: z.array(z.object({ ...target, name: maybe })) }),
});

export const getProfile = viewer({
  call: "POST /profiles/show",
  command: "profile show",
  method: "getProfile",
  summary:
    "a profile, the reader's own where nobody is named; `text` is the whole file, and the last four are what can be read of it",
  input: z
    .strictObject({ entity: entity.exactOptional(), id: only, revision: name.exactOptional() })
    .refine((given) => (given.entity === undefined) === (given.id === undefined), {
      error: "has an entity and an id, or neither",
    }),
  example: { entity: "user", id: "lin" },
  errors: ["profile_unknown"],
  output: profile,
});

export const listRevisions = viewer({
  call: "POST /profiles/history",
  command: "profile history",
  summary: "its older versions, newest last",
  input: z.strictObject(target),
  example: { entity: "user", id: "lin" },
  errors: ["profile_unknown"],
  output: z.object({ revisions: z.array(z.string()) }),
});

export const diffProfile = viewer({
  call: "POST /profiles/diff",
  command: "profile diff",
  summary:
    "which lines have gone and which have come since an older version, the newest of them where none is named",
  input: z.strictObject({ ...target, revision: name.exactOptional() }),
  example: { entity: "user", id: "lin" },
  errors: ["profile_unknown"],
  output: z.object({
    /** The older version; absent where there is none, and all has come. */
    from: maybe,
    gone: z.array(z.string()),
    come: z.array(z.string()),
  }),
});

export const rollbackProfile = owner({
  call: "POST /profiles/rollback",
  command: "profile rollback",
  summary: "has an older version stand again, the newest of them where none is named: the profile",
  input: z.strictObject({ ...target, revision: name.exactOptional() }),
  example: { entity: "user", id: "lin" },
  errors: ["profile_unknown"],
  output: profile,
});

export const updateProfile = owner({
  call: "POST /profiles/update",
  summary:
    "has a profile say this below its head, as whoever edits its file: what stood is an older version; where it does not say what was `shown` any more, nothing is changed",
  input: z.strictObject({ ...target, body: z.string().max(MOST_BODY_CHARS), shown: maybe }),
  example: { entity: "user", id: "lin", body: "- Sails on Sundays.\n" },
  errors: ["profile_unknown", "entry_changed", "value_invalid"],
  output: profile,
});

export const searchProfiles = viewer({
  call: "POST /profiles/search",
  command: "profile search",
  method: "searchProfiles",
  summary: "of whom something is said, best first; 8 unless `limit` says otherwise",
  input: z.strictObject({ query: z.string(), entity: entity.exactOptional(), limit }),
  example: { query: "who sails?", limit: 3 },
  errors: ["empty_query"],
  output: z.object({ hits: z.array(hit), ...remarks }),
});
