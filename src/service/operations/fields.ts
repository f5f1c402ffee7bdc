/** Fields that several operations have: each filter under one name, with one meaning. */
import * as z from "zod";
import { RECALL_MODES, type RecallMode } from "../../model/passage.js";
import { boundOf, type Bound } from "../../model/time.js";

/** Of a person, a place or a thing. An empty name is one that was lost on the way: it never means anybody. */
export const name = z
  .string({ error: "must name somebody or something" })
  .refine((text) => text.trim() !== "", { error: "must name somebody or something" });

/** A text that need not be given. */
export const maybe = z.string().exactOptional();

/** Only what is of that one. Left out it narrows nothing; there without a value it is an error. */
export const only = name.exactOptional();

/** At most so many. */
export const limit = z.number().int().positive().max(1000).exactOptional();

/** A local day, `2026-01-28`, or an instant. */
export const moment = z
  .union([z.string(), z.date()], { error: "must be a day such as 2026-01-28, or an instant" })
  .transform((given, context): Bound => {
    const text = typeof given === "string" ? given : given.toISOString();
    const bound = boundOf(text);
    if (bound !== undefined) return bound;
    context.addIssue({ code: "custom", message: `${text} is no date such as 2026-01-28` });
    return z.NEVER;
  });

export const period = { time_from: moment.exactOptional(), time_to: moment.exactOptional() };

const upperCased = RECALL_MODES.map((mode) => mode.toUpperCase() as Uppercase<RecallMode>);

/** How recall looks; in capitals too, as some agents write it. */
export const method = z
  .enum([...RECALL_MODES, ...upperCased], { error: `is one of ${RECALL_MODES.join(", ")}` })
  .transform((given) => given.toLowerCase() as RecallMode);

/** Some of these, at least one. */
export function kindsOf<K extends string>(kinds: readonly K[]) {
  return z
    .array(z.enum(kinds, { error: `is one of ${kinds.join(", ")}` }))
    .min(1)
    .readonly()
    .exactOptional();
}

/** Beside an answer: what was done with the question, such as a time that was turned; what to try where nothing was found. */
export const remarks = { warnings: z.array(z.string()), advice: maybe };

/** An answer that is typed where it is made: the schema says the same to whoever reads no types. */
export function madeAs<T>(schema: z.ZodType): z.ZodType<T, T> {
  return schema as z.ZodType<T, T>;
}
