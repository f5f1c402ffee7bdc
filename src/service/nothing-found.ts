/** What to try where nothing was found: what the question was narrowed by, and where such things come from. Pure. */
interface Narrowed {
  of: "events" | "memories" | "words" | "profiles";
  query?: string;
  user?: unknown;
  group?: unknown;
  scope?: unknown;
  session?: unknown;
  from?: unknown;
  to?: unknown;
  asOf?: unknown;
  kinds?: unknown;
}

/** One or two sentences. */
export function adviceOn(asked: Narrowed, isCognitive: boolean): string {
  const { of, query, user, group, scope, session, from, to, asOf, kinds } = asked;
  const is = (...given: unknown[]): boolean => given.some((one) => one !== undefined);
  const ways = [
    ...(query === undefined ? [] : ["other words"]),
    ...(is(from, to, asOf) ? ["a wider time"] : []),
    ...(is(user, group, scope, session) ? ["no user, group, scope or session"] : []),
    ...(is(kinds) ? ["other kinds"] : []),
    ...(of === "events" && query !== undefined ? ["`memd search`, which finds what was said too"] : []),
  ];
  const tried = ways.length === 0 ? [] : [`Try ${listed(ways)}.`];
  return [...tried, ...(of === "words" ? [] : [sourceOf(isCognitive)])].join(" ");
}

function sourceOf(isCognitive: boolean): string {
  return isCognitive
    ? "Events and profiles come from what agents observe (`memd end --observe TEXT`)."
    : "No new events and profiles are made: cognitive.enabled is false in memd.toml.";
}

function listed(ways: readonly string[]): string {
  const last = ways.at(-1) ?? "";
  return ways.length < 2 ? last : `${ways.slice(0, -1).join(", ")}, or ${last}`;
}
