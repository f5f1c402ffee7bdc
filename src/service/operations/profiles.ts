/** What is known of people and groups. */
import { z } from "zod";
import type { Hit } from "../../model/passage.js";
import { limit, madeAs, name, only } from "./fields.js";
import { operation } from "./operation.js";

const entity = z.enum(["user", "group"]);
const target = { entity, id: name };

const profile = z.object({
  ...target,
  /** Relative to the workspace. */
  file: z.string(),
  /** The whole file; for anybody but the owner without secrets. */
  text: z.string(),
  /** What its head says, where that can be read. */
  name: z.string().exactOptional(),
  tags: z.array(z.string()).readonly().exactOptional(),
  /** ISO 8601. */
  updatedAt: z.string().exactOptional(),
  /** Below the head: its bullets, as Markdown. */
  body: z.string().exactOptional(),
});

export type ProfileShown = z.output<typeof profile>;

export const listProfiles = operation({
  summary: "of whom something is known",
  access: "viewer",
  method: "GET",
  path: "/profiles",
  input: z.strictObject({}),
  output: z.object({ profiles: z.array(z.object({ ...target, name: z.string().exactOptional() })) }),
});

export const getProfile = operation({
  summary:
    "a profile, the reader's own where nobody is named; `text` is the whole file, and the last four are what can be read of it",
  access: "viewer",
  method: "POST",
  path: "/profiles/show",
  input: z
    .strictObject({ entity: entity.exactOptional(), id: only, revision: name.exactOptional() })
    .refine((given) => (given.entity === undefined) === (given.id === undefined), {
      error: "has an entity and an id, or neither",
    }),
  output: profile,
});

export const listRevisions = operation({
  summary: "its older versions, newest last",
  access: "viewer",
  method: "POST",
  path: "/profiles/history",
  input: z.strictObject(target),
  output: z.object({ revisions: z.array(z.string()) }),
});

export const rollbackProfile = operation({
  summary: "has an older version stand again, the newest of them where none is named: the profile",
  access: "owner",
  method: "POST",
  path: "/profiles/rollback",
  input: z.strictObject({ ...target, revision: name.exactOptional() }),
  output: profile,
});

export const searchProfiles = operation({
  summary: "of whom something is said, best first; 8 unless `limit` says otherwise",
  access: "viewer",
  method: "POST",
  path: "/profiles/search",
  input: z.strictObject({ query: z.string(), entity: entity.exactOptional(), limit }),
  output: z.object({
    hits: z.array(madeAs<Hit>()),
    warnings: z.array(z.string()),
    advice: z.string().exactOptional(),
  }),
});
