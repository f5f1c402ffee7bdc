/**
 * A row of the table of operations: what one is for, who may ask for it, how it is asked over HTTP, and
 * what goes in and comes out. What it does is in runs.ts: rows know no stage, so that a program which only
 * asks loads none.
 */
import * as z from "zod";
import { defined } from "../../model/collections.js";
import { MAIN_SCOPE, type ScopeId, type Seat, seatIn } from "../../model/address.js";
import { type ErrorCode, MemdError } from "../../model/errors.js";
import { name, only } from "./fields.js";

/**
 * Who may ask, the one word on it: with `viewer` whoever asks may name on whose behalf
 * (`as`), and the owner reads where nobody is named; with `owner` nobody can be named,
 * and to a token that is bound to a viewer there is no such operation.
 */
export type Access = "owner" | "viewer";

export interface Operation<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
  A extends Access = Access,
> {
  /** How it is asked over HTTP: `:id` is the field `id` of the input. */
  call: `${"GET" | "POST" | "DELETE"} /${string}`;
  /** By which command a person asks for it, `profile show`; absent where by none. */
  command?: string;
  /** By which method of the library a program does. */
  method?: string;
  /** What it does and gives; one or two sentences of Markdown. */
  summary: string;
  access: A;
  input: I;
  /** What it may be asked with. */
  example?: z.input<I>;
  /** What it answers with that nothing else does. */
  errors?: readonly ErrorCode[];
  output: O;
  /** What was sent in a form of before, as it is sent now. */
  upgrade?: (given: Unparsed) => Unparsed;
}

/** Fields of an input before they are parsed. */
export type Unparsed = Readonly<Record<string, unknown>>;

type Row<I extends z.ZodObject, O extends z.ZodType> = Omit<Operation<I, O>, "access">;

/** For the owner alone. */
export function owner<I extends z.ZodObject, O extends z.ZodType>(row: Row<I, O>): Operation<I, O, "owner"> {
  return { ...row, access: "owner" };
}

/** On behalf of whoever is named. */
export function viewer<I extends z.ZodObject, O extends z.ZodType>(
  row: Row<I, O>,
): Operation<I, O, "viewer"> {
  return { ...row, access: "viewer" };
}

export type Table = Readonly<Record<string, Operation>>;

/** On whose behalf: `user/scope/session` with each part percent-encoded, or the parts. */
export const reader = z
  .union([z.string(), z.strictObject({ user: name, scope: only, session: only })], {
    error: "must be user/scope/session or {user, scope?, session?}",
  })
  .transform((as): Seat => {
    if (typeof as === "string") return seatIn(as);
    const { user, scope = MAIN_SCOPE, session } = as;
    return defined({ user, scope: scope as ScopeId, session });
  });

/** What an operation is asked with. */
export type Input<O extends Operation> = Fields<z.input<O["input"]>> &
  (O["access"] extends "viewer" ? { as?: z.input<typeof reader> } : unknown);

/** By name alone: where there are none, zod has them all be `never`. */
type Fields<T> = { [K in keyof T as string extends K ? never : K]: T[K] };

/** As it is sent: JSON does not carry what is undefined. */
export type Sent<O extends Operation> = Lenient<Input<O>>;

export type Lenient<T> = { [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] };

export type Answer<O extends Operation> = z.output<O["output"]>;

/**
 * Filters have the names of the tools that agents know; programs may write them shorter. `{user: "lin"}` is
 * `{target_user_id: "lin"}` where an operation has that field, and stays `user` where it has a `user` of its own.
 */
const SHORT_NAMES = {
  user: "target_user_id",
  group: "target_group_id",
  from: "time_from",
  to: "time_to",
  kinds: "memory_types",
  top_k: "limit",
  asOf: "as_of",
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

/** What was sent under a name of before, under the one of now. */
export function renamed(given: Unparsed, names: Readonly<Record<string, string>>): Unparsed {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const now = names[name];
      return [now === undefined || now in given ? name : now, value];
    }),
  );
}

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

/** `known`: the fields that there are, where whoever asked has not got the table before them. */
export function invalidIn({ issues }: z.ZodError, known: readonly string[] = []): string {
  const [issue] = issues;
  if (issue?.code === "unrecognized_keys") {
    const strange = issue.keys.map((key) => `"${key}"`).join(", ");
    return known.length === 0
      ? `${strange} is no field of this call.`
      : `${strange} must be one of ${known.join(", ")}.`;
  }
  const field = issue?.path.join(".") ?? "";
  return `${field === "" ? "The body" : `"${field}"`}: ${issue?.message ?? "is not valid"}.`;
}
