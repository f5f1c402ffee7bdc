/** Options of a search as people type them and as they travel over the socket. */
import { z } from "zod";
import { MemdError } from "../model/errors.js";
import { PASSAGE_KINDS } from "../model/passage.js";
import { RECALL_MODES } from "../model/recall-mode.js";
import type { RecallOptions } from "../recall/recall.js";
import { boundOf } from "../model/period.js";

/** An empty name is a name that was lost: it is told, and never means anybody. */
export const named = z.string().min(1, { error: "must name somebody or something" });

export const searchOptionsSchema = z.strictObject({
  limit: z.number().int().positive().max(1000).optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  asOf: z.string().optional(),
  kinds: z.array(z.enum(PASSAGE_KINDS, { error: `is one of ${PASSAGE_KINDS.join(", ")}` })).optional(),
  scope: named.optional(),
  user: named.optional(),
  session: named.optional(),
  mode: z.enum(RECALL_MODES, { error: `is one of ${RECALL_MODES.join(", ")}` }).optional(),
  rerank: z.boolean().optional(),
});

type SearchOptions = z.infer<typeof searchOptionsSchema>;

/** Throws `usage` for a date that is none. */
export function toRecallOptions({ from, to, asOf, ...rest }: SearchOptions): RecallOptions {
  const options: RecallOptions = Object.fromEntries(
    Object.entries(rest).filter(([, value]) => value !== undefined),
  );
  if (from !== undefined) options.from = bound("--from", from);
  if (to !== undefined) options.to = bound("--to", to);
  if (asOf !== undefined) options.asOf = bound("--as-of", asOf);
  return options;
}

export function bound(name: string, text: string): NonNullable<ReturnType<typeof boundOf>> {
  const found = boundOf(text);
  if (found === undefined) throw new MemdError("usage", `${name} ${text} is no date such as 2026-01-28.`);
  return found;
}
