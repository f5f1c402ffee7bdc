/** Where what was found stands: the files of the memory, and what is written in them. */
import * as z from "zod";
import type { Found } from "../../model/found.js";
import { limit, madeAs, maybe, name } from "./fields.js";
import { viewer } from "./operation.js";
import { foundFields, lines } from "./shapes.js";

const KINDS = ["memory", "profile", "summary", "day", "document", "records", "journal"] as const;

const source = z.object({
  /** Relative to the workspace. */
  path: z.string(),
  kind: z.enum(KINDS),
  /** Of a day or its summary; of a month's summary the month. */
  date: maybe,
});

export const listSources = viewer({
  call: "GET /sources",
  summary:
    "the files in which there is something to read: `memory.md` and profiles first, then what is newest; 200 unless `limit` says otherwise",
  input: z.strictObject({ limit }),
  example: { limit: 20 },
  output: z.object({ sources: z.array(source) }),
});

const said = z.object({
  /** A day, or a month. */
  date: z.string(),
  messages: z.number(),
  /** Where they stand, and what sums them up. Relative to the workspace. */
  sources: z.array(z.string()),
  summaries: z.array(z.string()),
});

export const listDays = viewer({
  call: "GET /days",
  summary:
    "on which days how much was said, and where that stands: the oldest first; each month with what sums it up",
  input: z.strictObject({}),
  output: z.object({ days: z.array(said), months: z.array(said) }),
});

/** A stretch of a source: a message, a record, a section, or a piece of one that is long. */
export interface Part extends Found {
  lines: readonly [first: number, last: number];
  /** 8 hex digits: another where it has been changed. */
  revision: string;
}

const line = z.number().int().positive().exactOptional();

export const readSource = viewer({
  call: "POST /sources/read",
  command: "read",
  summary:
    "what stands in a source, from one line to another, without secrets and what is private; `next` is where to go on after 4,000 tokens, or `max_tokens`",
  input: z.strictObject({
    path: name,
    from: line,
    to: line,
    /** Characters of the part on line `from` that were read before. */
    offset: z.number().int().nonnegative().exactOptional(),
    max_tokens: z.number().int().min(100).max(50_000).exactOptional(),
  }),
  example: { path: "memory/2026-03-07.md", from: 12, to: 40 },
  errors: ["source_unknown"],
  output: z.object({
    path: z.string(),
    kind: z.enum(KINDS),
    parts: z.array(madeAs<Part>(foundFields.extend({ lines, revision: z.string() }))),
    next: z.object({ from: z.number(), offset: z.number() }).exactOptional(),
  }),
});

export type Source = z.output<typeof source>;
