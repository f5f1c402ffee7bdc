/** What several answers are made of, as JSON carries it. */
import * as z from "zod";
import type { Prompt } from "../../context/inputs.js";
import type { Beside, Found } from "../../model/found.js";
import { ROLES } from "../../model/message.js";
import { type Hit, PASSAGE_KINDS } from "../../model/passage.js";
import { SECTION_NAMES } from "../../model/settings/prompt.js";
import type { EmbeddingStatus } from "../../recall/embedder.js";
import { madeAs, maybe } from "./fields.js";

/** Where in a text the words that were asked for stand: the first character, and the one after the last. */
export type Marks = readonly (readonly [from: number, to: number])[];

export interface Marked {
  marks?: Marks;
}

const count = z.number().int().nonnegative();
const texts = z.array(z.string()).readonly();
const trust = z.enum(["human", "agent", "tool", "document"]);
const standing = z.enum(["superseded", "expired"]).exactOptional();
const marks = z
  .array(z.tuple([count, count]))
  .readonly()
  .exactOptional();
export const lines = z.tuple([count, count]).readonly();
const beside = {
  original: maybe,
  answers: z
    .object({ speaker: z.string(), at: z.string(), text: z.string(), source: z.string() })
    .exactOptional(),
};

export const foundFields = z.object({
  id: z.string(),
  kind: z.enum(PASSAGE_KINDS),
  text: z.string(),
  score: z.number().exactOptional(),
  date: z.string(),
  at: z.string(),
  source: z.string(),
  messageIds: texts,
  scope: z.string(),
  user: maybe,
  session: maybe,
  role: z.enum(ROLES).exactOptional(),
  speaker: maybe,
  trust,
  said: maybe,
  standing,
  overtakenOn: maybe,
  ...beside,
});

export const found = madeAs<Found>(foundFields);
export const markedFound = madeAs<Found & Marked>(foundFields.extend({ marks }));

const passage = z.object({
  id: z.string(),
  kind: z.enum(PASSAGE_KINDS),
  level: z.enum(["owner", "user", "scope", "session"]),
  scope: z.string(),
  user: maybe,
  session: maybe,
  path: z.string(),
  lines,
  text: z.string(),
  saidAt: z.number(),
  day: z.string(),
  role: z.enum(ROLES).exactOptional(),
  speaker: maybe,
  sequence: z.number().exactOptional(),
  messageIds: texts,
  trust,
  covers: z
    .array(z.object({ day: z.string(), hash: z.string() }))
    .readonly()
    .exactOptional(),
  said: maybe,
  perspective: maybe,
  knownAt: z.number().exactOptional(),
  validTo: z.number().exactOptional(),
  supersededAt: z.number().exactOptional(),
});

const hitFields = z.object({
  passage,
  score: z.number(),
  parts: z.record(z.string(), z.number()),
  standing,
  overtaken: z.object({ on: z.string(), by: z.string() }).exactOptional(),
});

export const hit = madeAs<Hit>(hitFields);
export const markedHit = madeAs<Hit & Beside & Marked>(hitFields.extend({ ...beside, marks }));

const shownHit = z.object({
  path: z.string(),
  lines,
  revision: z.string(),
  score: z.number(),
  date: z.string(),
  kind: z.enum(PASSAGE_KINDS),
  messageIds: texts,
  trust,
  question: count,
  tokens: z.number().exactOptional(),
  shownOn: z.array(count).readonly().exactOptional(),
});

export const prompt = madeAs<Prompt>(
  z.object({
    markdown: z.string(),
    data: z.object({
      version: z.literal(1),
      viewer: z.object({ user: z.string(), scope: z.string(), session: z.string() }),
      generatedAt: z.string(),
      inboxIds: texts,
      sections: z.array(
        z.object({
          name: z.enum(SECTION_NAMES),
          tokens: z.number(),
          budgetTokens: z.number(),
          cuts: texts,
        }),
      ),
      questions: z.array(
        z.object({
          text: z.string(),
          context: texts,
          found: count,
          shown: count,
          tokens: z.number(),
        }),
      ),
      hits: z.array(shownHit),
      leftOut: z.array(shownHit.extend({ why: z.string() })),
      warnings: texts,
    }),
  }),
);

/** How far vectors are. */
export const embeddingStatus = madeAs<EmbeddingStatus>(
  z.object({
    /** Absent as long as there is none that may be asked; `waits` says why. */
    model: maybe,
    waits: maybe,
    embedded: z.number(),
    passages: z.number(),
    readsHan: z.boolean().exactOptional(),
    fault: maybe,
    /** Why no more are made for now. */
    paused: maybe,
  }),
);
