/**
 * Requests of every kind, read off the table of operations: from where, by whom, on
 * whose behalf, with what. Pure; the same seed gives the same ones again.
 */
import type { z } from "zod";
import type { Served } from "../../../src/service/served.js";

export const TOKENS = ["none", "empty", "short", "wrong", "owner", "viewer", "seated", "removed"] as const;
export type TokenKind = (typeof TOKENS)[number];
const HOSTS = ["ours", "localhost", "another port", "evil", "none"] as const;
const ORIGINS = ["none", "same", "other", "null"] as const;
const METHODS = ["own", "GET", "HEAD", "POST", "DELETE", "PUT", "OPTIONS"] as const;
const NAMED = ["absent", "same", "other", "empty", "half"] as const;
const BODIES = ["none", "valid", "wrong", "not JSON", "no object", "a form"] as const;
export const PLACES = ["socket", "loopback"] as const;

/** What is asked for: a row on its path or by its name, or what is none. */
export interface Target {
  row?: Served;
  call: string;
}

export interface Case {
  target: Target;
  place: (typeof PLACES)[number];
  token: TokenKind;
  host: (typeof HOSTS)[number];
  origin: (typeof ORIGINS)[number];
  method: string;
  named: (typeof NAMED)[number];
  /** What is named, and whether in the body; undefined where nothing is. */
  as?: { value: unknown; inBody: boolean };
  body: (typeof BODIES)[number];
  /** What is asked with, beside the path. */
  fields: Record<string, unknown>;
  hugeHeader: boolean;
}

function targetsOf(table: readonly Served[]): Target[] {
  return [
    ...table.map((row) => ({ row, call: row.call })),
    ...table.map((row) => ({ row, call: `POST /operations/${row.name}` })),
    ...["GET /ping", "GET /events", "GET /nowhere", "GET /", "POST /operations/dream"].map((call) => ({
      call,
    })),
  ];
}

/** Each target with each token, each way to name somebody and each place, `rounds` times; the rest is drawn. */
export function* casesOf(table: readonly Served[], rounds: number, random: () => number): Generator<Case> {
  for (let round = 0; round < rounds; round++)
    for (const target of targetsOf(table))
      for (const token of TOKENS)
        for (const named of NAMED)
          for (const place of PLACES) yield drawn({ target, token, named, place }, random);
}

type Fixed = Pick<Case, "target" | "token" | "named" | "place">;

function drawn(fixed: Fixed, random: () => number): Case {
  const one = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  /** Mostly what gets through, so that what comes behind is reached. */
  const mostly = <T>(from: readonly [T, ...T[]]): T => (random() < 0.8 ? from[0] : one(from));
  const { target, named, token } = fixed;
  const [own = "GET"] = target.call.split(" ");
  const said = mostly(METHODS);
  const method = said === "own" ? own : said;
  const value = asOf(named, token, one);
  const inBody = takesBody(method) && (typeof value !== "string" || random() < 0.7);
  const isText = typeof value === "string";
  const body = random() < 0.6 ? "valid" : one(BODIES);
  return {
    ...fixed,
    ...(value === undefined || (!inBody && !isText) ? {} : { as: { value, inBody } }),
    host: mostly(HOSTS),
    origin: mostly(ORIGINS),
    method,
    body,
    fields: body === "none" ? {} : fieldsFor(target, body === "wrong", random),
    hugeHeader: random() < 0.03,
  };
}

export function takesBody(method: string): boolean {
  return method !== "GET" && method !== "HEAD";
}

const SEATS = { viewer: ["lin", "main"], seated: ["lin", "main", "s-1"] } as const;

/** Of a token that is bound: user, scope and session. */
export function seatOf(token: TokenKind): readonly string[] | undefined {
  return token === "viewer" || token === "seated" ? SEATS[token] : undefined;
}

function asOf(named: Case["named"], token: TokenKind, one: <T>(from: readonly T[]) => T): unknown {
  const [user = "", scope = "", session] = seatOf(token) ?? SEATS.viewer;
  switch (named) {
    case "absent":
      return undefined;
    case "same":
      return one<unknown>([
        [user, scope, ...(session === undefined ? [] : [session])].join("/"),
        { user, scope, ...(session === undefined ? {} : { session }) },
      ]);
    case "other":
      return one<unknown>([
        "wei",
        "wei/main",
        "lin/other",
        "lin/main/s-9",
        "local",
        { user: "wei" },
        "lin/main/main",
      ]);
    case "empty":
      return one<unknown>(["", " ", {}, null, { user: "" }, [], 0, false]);
    case "half":
      return one<unknown>([
        "/x",
        "a//",
        "a/",
        "lin/main/",
        "//s-1",
        "lin/%20",
        { user: "lin", scope: "" },
        { scope: "main" },
      ]);
    default:
      return named satisfies never;
  }
}

/** Of every type; the first that a field takes is valid for it, the first that it refuses is not. */
const VALUES = [
  "2026-01-28",
  "ferry",
  "user",
  "event",
  "keyword",
  1,
  true,
  ["event"],
  ["ferry"],
  [{}],
  null,
  400,
  7.5,
  { name: "ferry", callId: "c-1" },
  [],
  {},
] as const;

/** Fields that the row takes, some of those that may be left out left out; with `wrong` one of them is not what it must be. */
function fieldsFor({ row, call }: Target, wrong: boolean, random: () => number): Record<string, unknown> {
  if (row === undefined) return wrong ? { nonesuch: "1" } : {};
  const shape: Readonly<Record<string, z.core.$ZodType>> = row.input.shape;
  const inPath = [...call.matchAll(/:([a-z]+)/g)].map(([, name]) => name);
  const names = Object.keys(shape).filter((name) => !inPath.includes(name));
  const fields: Record<string, unknown> = {};
  for (const name of names) fields[name] = valueFor(row, name, true);
  const given = { ...Object.fromEntries(inPath.map((name) => [name, "ferry"])), ...fields };
  for (const name of names) {
    if (random() < 0.5) continue;
    const { [name]: _left, ...without } = given;
    if (!row.input.safeParse(without).success) continue;
    delete fields[name];
    delete (given as Record<string, unknown>)[name];
  }
  if (!wrong) return fields;
  const name = names[Math.floor(random() * (names.length + 1))];
  return name === undefined
    ? { ...fields, nonesuch: "ferry" }
    : { ...fields, [name]: valueFor(row, name, false) };
}

const known = new Map<string, unknown>();

/** One that the field takes, or one that it does not. */
function valueFor({ name, input }: Served, field: string, isTaken: boolean): unknown {
  const key = `${name} ${field} ${isTaken}`;
  if (!known.has(key)) {
    const values = isTaken ? VALUES : VALUES.toReversed();
    known.set(
      key,
      values.find((value) => takes(input, field, value) === isTaken),
    );
  }
  return known.get(key);
}

function takes(input: z.ZodObject, name: string, value: unknown): boolean {
  const { error } = input.safeParse({ [name]: value });
  return error === undefined || error.issues.every(({ path }) => path[0] !== name);
}
