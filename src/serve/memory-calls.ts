/**
 * The questions to the memory as calls of the socket: their bodies, checked,
 * and their answers with scores, dates and sources.
 *
 * `as` names the viewer; without it the owner asks. Every other name is a filter
 * inside what that viewer may read.
 */
import type { Hono } from "hono";
import { z } from "zod";
import { readerIn } from "../model/address-text.js";
import { OWNER, type Viewer } from "../model/access.js";
import { MemdError } from "../model/errors.js";
import { foundOf, type Listed } from "../model/found.js";
import { PASSAGE_KINDS } from "../model/passage.js";
import { RECALL_MODES } from "../model/recall-mode.js";
import { RECORD_KINDS } from "../model/record.js";
import { explainHit, formatHit, formatSources } from "../recall/format.js";
import { DISTILLED_KINDS } from "../recall/newest.js";
import type { RecallOptions } from "../recall/recall.js";
import {
  listMemories,
  searchEvents,
  searchMemories,
  searchProfiles,
  type Filters,
} from "../service/questions.js";
import type { Memd as Supervisor } from "../service/memd.js";
import { MARKS } from "./marks.js";
import { bound, named, searchOptionsSchema, toRecallOptions } from "./search-options.js";

const as = z.string().optional();
const limit = z.number().int().positive().max(1000).optional();
/** With it the answer has printable lines for each hit, of this many characters of text. */
const lineWidth = z.number().int().positive().max(1000).optional();
const oneOf = <K extends string>(
  kinds: readonly K[],
): z.ZodOptional<z.ZodArray<z.ZodEnum<{ [P in K]: P }>>> =>
  z
    .array(z.enum(kinds, { error: `is one of ${kinds.join(", ")}` }))
    .min(1)
    .optional();

const filters = {
  target_user_id: named.optional(),
  target_group_id: named.optional(),
  time_from: z.string().optional(),
  time_to: z.string().optional(),
};
const eventsBody = z.strictObject({
  query: z.string().optional(),
  ...filters,
  top_k: limit,
  memory_types: oneOf(RECORD_KINDS),
  as,
  lineWidth,
});
const searchBody = z.strictObject({
  query: z.string(),
  method: z.enum(RECALL_MODES, { error: `is one of ${RECALL_MODES.join(", ")}` }).optional(),
  use_rerank: z.boolean().optional(),
  limit,
  memory_types: oneOf(PASSAGE_KINDS),
  options: searchOptionsSchema.optional(),
  as,
  lineWidth,
  /** And below each line one that tells how its score came about. */
  explain: z.boolean().optional(),
});
const profilesBody = z.strictObject({
  query: z.string(),
  entity: z.enum(["user", "group"]).optional(),
  limit,
  as,
});
/** Of an address, where everything is text. */
const listQuery = z.strictObject({
  ...filters,
  memory_types: z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(z.enum(DISTILLED_KINDS, { error: `is one of ${DISTILLED_KINDS.join(", ")}` })))
    .optional(),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, { error: "is a whole number from 1 to 1000" })
    .transform(Number)
    .pipe(z.number().max(1000, { error: "is a whole number from 1 to 1000" }))
    .optional(),
  cursor: z.string().optional(),
  as,
});

export function addMemoryCalls(app: Hono, supervisor: Supervisor): void {
  app.delete("/agent/memories/:id", async (context) =>
    context.json(await supervisor.forget({ record: context.req.param("id") }, false)),
  );
  app.get("/agent/memories", async (context) => {
    const asked = listQuery.parse(once(context.req.queries()));
    const { memory_types: kinds, limit: most, cursor } = asked;
    const { found, ...more } = await listMemories(supervisor, viewerOf(asked.as), {
      ...filtersIn(asked),
      ...(kinds === undefined ? {} : { kinds }),
      ...(most === undefined ? {} : { limit: most }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    return context.json({ memories: found.map(foundOf), ...more });
  });
  app.post("/agent/memories/search", async (context) => {
    const asked = searchBody.parse(await context.req.json());
    const found = await searchMemories(supervisor, viewerOf(asked.as), asked.query, optionsIn(asked));
    if (asked.lineWidth === undefined) return context.json(found);
    const { query, lineWidth: width, explain = false } = asked;
    const lines = found.hits.flatMap((hit) => {
      const line = formatHit(hit, query, { mark, width });
      return explain ? [line, `    ${explainHit(hit)}`] : [line];
    });
    return context.json({ ...found, lines });
  });
  app.post("/events/search", async (context) => {
    const asked = eventsBody.parse(await context.req.json());
    const { query, memory_types: kinds, top_k: most, lineWidth: width } = asked;
    const { found, ...more } = await searchEvents(supervisor, viewerOf(asked.as), {
      ...filtersIn(asked),
      ...(query === undefined ? {} : { query }),
      ...(kinds === undefined ? {} : { kinds }),
      ...(most === undefined ? {} : { limit: most }),
    });
    const lines =
      width === undefined ? {} : { lines: found.flatMap((one) => eventLines(one, query ?? "", width)) };
    return context.json({ events: found.map(foundOf), ...more, ...lines });
  });
  app.post("/profiles/search", async (context) => {
    const { as: reader, query, entity, limit: most } = profilesBody.parse(await context.req.json());
    const asked = {
      query,
      ...(entity === undefined ? {} : { entity }),
      ...(most === undefined ? {} : { limit: most }),
    };
    return context.json(await searchProfiles(supervisor, viewerOf(reader), asked));
  });
}

/** The owner where nobody is named. Throws `usage` for an address that is none. */
export function viewerOf(address: string | undefined): Viewer {
  return address === undefined ? OWNER : readerIn(address);
}

function mark(word: string): string {
  return `${MARKS.open}${word}${MARKS.close}`;
}

function eventLines(one: Listed, query: string, width: number): string[] {
  const sources = formatSources(one);
  return [formatHit(one, query, { mark, width }), ...(sources === undefined ? [] : [`    ${sources}`])];
}

function filtersIn(asked: {
  target_user_id?: string | undefined;
  target_group_id?: string | undefined;
  time_from?: string | undefined;
  time_to?: string | undefined;
}): Filters {
  const { target_user_id: user, target_group_id: group, time_from: from, time_to: to } = asked;
  return {
    ...(user === undefined ? {} : { user }),
    ...(group === undefined ? {} : { group }),
    ...(from === undefined ? {} : { from: bound("The time", from) }),
    ...(to === undefined ? {} : { to: bound("The time", to) }),
  };
}

/** Throws `usage` where the same is said under both of its names. */
function optionsIn({
  method,
  use_rerank,
  limit: most,
  memory_types,
  options = {},
}: z.infer<typeof searchBody>): RecallOptions {
  const under = { mode: method, rerank: use_rerank, limit: most, kinds: memory_types };
  const given = Object.entries(under).filter(([, value]) => value !== undefined);
  const twice = given.find(([name]) => options[name as keyof typeof options] !== undefined);
  if (twice !== undefined) throw new MemdError("usage", `"options.${twice[0]}" is said twice.`);
  return { ...toRecallOptions(options), ...(Object.fromEntries(given) as RecallOptions) };
}

/** Throws `usage` for what is given twice: neither of the two is more meant than the other. */
function once(given: Record<string, string[]>): Record<string, string | undefined> {
  const twice = Object.keys(given).find((name) => (given[name]?.length ?? 0) > 1);
  if (twice !== undefined) throw new MemdError("usage", `"${twice}" is given more than once.`);
  return Object.fromEntries(Object.entries(given).map(([name, values]) => [name, values[0]]));
}
