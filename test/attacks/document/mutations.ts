/** What can be wrong of a request. Pure: fast-check draws them. */
import fc from "fast-check";
import { BROKEN_CODES, type Draft, type Fields } from "./drafts.js";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"];
const SMALL_METHODS = ["get", "post", "put", "patch", "delete", "propfind", "Patch"];
const CONTENT_TYPES = [
  "",
  "text/plain",
  "text/json",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/json; charset=utf-16",
  "APPLICATION/JSON",
  "application/jsonp",
];
const BIG = 20_000;
const DEEP = 20_000;
const RAW = [
  ...["", " ", "{", "}", "[]", "null", "0", '"text"', '{"query":}', '{"a":1,}', "\u0000", "\ufeff{}"],
  ...['{"a":1}{"b":2}', '{"query":"\ud83d', "query=ferry", '{"__proto__":{"a":1}}', '{"":""}', "NaN"],
  `{"query":${"[".repeat(DEEP)}${"]".repeat(DEEP)}}`,
  `{"messages":[${'{"a":'.repeat(DEEP)}1${"}".repeat(DEEP)}]}`,
];
const HOSTILE_TEXTS = [
  ...["", " ", "\t\n", "\u0000", "ferry\u0000", "\ud800", "ferry \udfff", "\u202eyrref", "\ufeff", "\u2028"],
  ...["..", "../../etc/passwd", "/", "\\", ...BROKEN_CODES, "a/b/c/d", "//", "group:"],
  ...["__proto__", "constructor", "toString", "-", "--", "*", '"', "`", "${7*7}", "{{7*7}}", "<b>", "\r\n"],
  ...["2026-13-45", "2026-02-30T25:61:61Z", "0000-00-00", "+275760-09-13", "NaN", "Infinity", "1e999"],
  ...["jose\u0301", "ﬁn", "İ", "ß", "e\u0301".repeat(300), "🦑".repeat(300), "\u200d".repeat(50)],
  ...["a".repeat(300), "ferry ".repeat(1000), "(".repeat(BIG), " ".repeat(BIG), "林".repeat(BIG / 4)],
];
const HOSTILE_NUMBERS = [
  ...[0, -0, -1, 1.5, 1e-7, -1e308, 1e308, 1001, 50_001],
  ...[2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 53) - 2],
];
const OTHERS = [null, true, false, 7, "ferry", [], {}, [null], [[]], [{}], { ferry: 1 }, [1, "a", null]];
const STRANGE_NAMES = ["nonesuch", "__proto__", "constructor", "", "as", "user", "scope", "session", "limit"];

type Mutation = (draft: Draft) => fc.Arbitrary<Draft>;

export const MUTATIONS = {
  missing: (draft) => fieldIn(draft, (fields, name) => fc.constant(without(fields, name))),
  type: (draft) => changedTo(draft, OTHERS),
  number: (draft) => changedTo(draft, HOSTILE_NUMBERS),
  text: (draft) => changedTo(draft, HOSTILE_TEXTS),
  extra: (draft) =>
    fc
      .tuple(fc.constantFrom(...STRANGE_NAMES), fc.constantFrom<unknown>(...OTHERS, ...HOSTILE_TEXTS))
      .map(([name, value]) =>
        draft.call.body === undefined
          ? { ...draft, query: withField(draft.query, name, value) }
          : { ...draft, body: withField(draft.body ?? {}, name, value) },
      ),
  twice: (draft) => {
    const [name, value] = Object.entries(draft.body ?? {})[0] ?? ["as", "lin/main"];
    return fc.constant({ ...draft, query: withField(draft.query, name, value) });
  },
  raw: (draft) => fc.constantFrom(...RAW).map((raw) => ({ ...draft, raw })),
  method: (draft) =>
    fc.constantFrom(...METHODS, ...SMALL_METHODS).map((method): Draft => ({ ...draft, method })),
  contentType: (draft) =>
    fc.constantFrom(...CONTENT_TYPES).map((contentType): Draft => ({ ...draft, contentType })),
  path: (draft) =>
    fc.constantFrom(...HOSTILE_TEXTS).map((text) => ({
      ...draft,
      path: Object.fromEntries(keysOf(draft.path).map((name) => [name, text])),
    })),
} as const satisfies Record<string, Mutation>;

export type MutationName = keyof typeof MUTATIONS;
export const MUTATION_NAMES = Object.keys(MUTATIONS) as MutationName[];

function keysOf(fields: Fields): string[] {
  return Object.keys(fields);
}

/** One field of the draft changed, wherever it stands; a draft without any has an extra one instead. */
function fieldIn(
  draft: Draft,
  change: (fields: Fields, name: string) => fc.Arbitrary<Fields>,
): fc.Arbitrary<Draft> {
  const inQuery = keysOf(draft.query).map((name) => ["query", name] as const);
  const inBody = keysOf(draft.body ?? {}).map((name) => ["body", name] as const);
  const all = [...inQuery, ...inBody];
  if (all.length === 0) return MUTATIONS.extra(draft);
  return fc
    .constantFrom(...all)
    .chain(([place, name]) =>
      change(draft[place] ?? {}, name).map((fields): Draft => ({ ...draft, [place]: fields })),
    );
}

function changedTo(draft: Draft, values: readonly unknown[]): fc.Arbitrary<Draft> {
  return fieldIn(draft, (fields, name) =>
    fc.constantFrom(...values).map((value) => withField(fields, name, value)),
  );
}

/** `__proto__` too is a field of its own. */
function withField(fields: Fields, name: string, value: unknown): Fields {
  return Object.fromEntries([...Object.entries(fields).filter(([one]) => one !== name), [name, value]]);
}

function without(fields: Fields, name: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([one]) => one !== name));
}
