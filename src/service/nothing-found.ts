/** What to try where nothing was found: what the question was narrowed by, and where such things come from. Pure. */

/** One or two sentences. */
export function adviceOn(
  of: "events" | "memories" | "words" | "profiles",
  asked: Readonly<Record<string, unknown>>,
  isCognitive: boolean,
): string {
  const has = (...names: string[]): boolean => names.some((name) => asked[name] !== undefined);
  const ways = [
    ...(has("query") ? ["other words"] : []),
    ...(has("time_from", "time_to", "asOf") ? ["a wider time"] : []),
    ...(has("target_user_id", "target_group_id", "scope", "session")
      ? ["no user, group, scope or session"]
      : []),
    ...(has("memory_types") ? ["other kinds"] : []),
    ...(of === "events" && has("query") ? ["`memd search`, which finds what was said too"] : []),
  ];
  const tries = ways.length === 0 ? [] : [`Try ${listed(ways)}.`];
  return [...tries, ...(of === "words" ? [] : [sourceOf(isCognitive)])].join(" ");
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
