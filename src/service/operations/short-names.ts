/**
 * Filters have the names of the tools that agents know; programs may write them
 * shorter. `{user: "lin"}` is `{target_user_id: "lin"}` where an operation has
 * that field, and stays `user` where it has a `user` of its own.
 */
import type { z } from "zod";
import { MemdError } from "../../model/errors.js";
import type { Input, Operation } from "./operation.js";

const SHORT_NAMES = {
  user: "target_user_id",
  group: "target_group_id",
  from: "time_from",
  to: "time_to",
  kinds: "memory_types",
  limit: "top_k",
  mode: "method",
  rerank: "use_rerank",
} as const;
type ShortNames = typeof SHORT_NAMES;

export type ShortInput<O extends Operation> = Input<O> & {
  [
    S in keyof ShortNames as S extends keyof Input<O>
      ? never
      : ShortNames[S] extends keyof Input<O>
        ? S
        : never
  ]?: Input<O>[ShortNames[S] & keyof Input<O>];
};

/** With the names of the table. Throws `usage` for what has both of its names: neither is more meant than the other. */
export function withFullNames(input: z.ZodObject, ...given: readonly object[]): Record<string, unknown> {
  const named: Record<string, unknown> = {};
  for (const [short, value] of given.flatMap((fields) => Object.entries<unknown>({ ...fields }))) {
    const full = new Map<string, string>(Object.entries(SHORT_NAMES)).get(short);
    const name = short in input.shape || full === undefined || !(full in input.shape) ? short : full;
    if (name in named) throw new MemdError("usage", `"${name}" is said twice.`);
    named[name] = value;
  }
  return named;
}
