/**
 * What an agent may ask of the memory: events, memories, profiles. Each question names its viewer; whom and
 * what it names beside is a filter inside what that viewer may read; where nothing was found, the answer
 * says what to try. Nothing is written.
 */
import { isGroup, LOCAL_USER, type Viewer } from "../model/address.js";
import { addAll, defined } from "../model/collections.js";
import { MemdError } from "../model/errors.js";
import type { Beside, Listed } from "../model/found.js";
import type { Hit, Passage } from "../model/passage.js";
import type { RecordKind } from "../model/record.js";
import type { Period } from "../model/time.js";
import type { Newest, NewestOptions } from "../recall/newest.js";
import type { Recalled } from "../recall/recall.js";
import { withAnswers } from "./answered.js";
import type { Memd } from "./memd.js";
import type { AnswerOf, ParsedOf } from "./operations.js";
import { withOriginals } from "./originals.js";
import { showProfile } from "./profiles.js";
import { upToDate } from "./up-to-date.js";

const MEMORIES_LISTED = 50;
/** As many as a search may give. */
const MOST_HITS = 1000;

interface Answered {
  found: Listed[];
  warnings: string[];
  /** What to try instead, where nothing was found. */
  advice?: string;
}

/** Best first, or the newest first where nothing is asked. Throws `empty_query` for a question without a word. */
export async function searchEvents(
  memd: Memd,
  viewer: Viewer,
  asked: ParsedOf<"searchEvents">,
): Promise<Answered> {
  const { query, memory_types: named, limit = memd.parts.settings.recall.events_limit } = asked;
  const kinds = named ?? HAPPENED;
  // What somebody is like has not happened; as many are looked through as it takes to see what has.
  const mayShow = (one: Listed): boolean => named !== undefined || hasHappened(one.passage);
  const options = { ...filtersIn(asked), kinds };
  if (query === undefined) {
    const { listed, warnings } = await upToDate(
      memd,
      () => newestOf(memd, viewer, { ...options, limit }, mayShow),
      listedIn,
    );
    return { found: listed, warnings, ...adviceFor(memd, listed, "events", asked) };
  }
  const most = named === undefined ? Math.min(MOST_HITS, LOOKED_THROUGH * limit) : limit;
  const asks = { ...options, limit: most };
  const { hits, warnings } = await upToDate(
    memd,
    () => memd.search.find(asWords(query), viewer, asks),
    hitsIn,
  );
  const found = hits.filter(mayShow).slice(0, limit);
  return { found, warnings, ...adviceFor(memd, found, "events", asked) };
}

const HAPPENED = ["event", "episode", "fact"] as const satisfies readonly RecordKind[];
const LOOKED_THROUGH = 4;

function hasHappened({ kind, level, text }: Passage): boolean {
  return kind !== "fact" || level !== "user" || /\b\d{4}-\d{2}/.test(text);
}

/** A page at a time, until there are enough. */
async function newestOf(
  memd: Memd,
  viewer: Viewer,
  options: NewestOptions,
  mayShow: (one: Listed) => boolean,
): Promise<Newest> {
  const listed: Listed[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await memd.search.newest(viewer, { ...options, ...defined({ cursor }) });
    addAll(listed, page.listed.filter(mayShow));
    cursor = page.next;
    if (cursor === undefined || listed.length >= options.limit)
      return { listed: listed.slice(0, options.limit), warnings: page.warnings };
  }
}

/** Records and profiles, newest first. Throws `usage` for a cursor that is none. */
export async function listMemories(
  memd: Memd,
  viewer: Viewer,
  asked: ParsedOf<"listMemories">,
): Promise<Answered & { next?: string }> {
  const { memory_types: kinds, limit = MEMORIES_LISTED, cursor } = asked;
  const options = defined({ ...filtersIn(asked), limit, kinds, cursor });
  const { listed, next, warnings } = await upToDate(
    memd,
    () => memd.search.newest(viewer, options),
    listedIn,
  );
  // A last page that is empty is no search without a hit.
  const advice = cursor === undefined ? adviceFor(memd, listed, "memories", asked) : {};
  return defined({ found: listed, warnings, ...advice, next });
}

/** Everything that can be found, the words of conversations too. Throws `empty_query`. */
export async function searchMemories(
  memd: Memd,
  viewer: Viewer,
  asked: ParsedOf<"searchMemories">,
): Promise<Omit<Recalled, "hits"> & { hits: (Hit & Beside)[]; advice?: string }> {
  const { query, scope, session, limit, as_of: asOf } = asked;
  const { target_user_id: user, memory_types: kinds, method: mode, use_rerank: rerank } = asked;
  const options = {
    ...periodIn(asked),
    ...defined({ asOf, user, scope, session, kinds, limit, mode, rerank }),
  };
  const found = await upToDate(memd, () => memd.search.find(asWords(query), viewer, options), hitsIn);
  if (rerank === true && memd.search.parts.models?.rerank === undefined)
    found.warnings.push("In the order of the search: no rerank model is named (llm.models.rerank).");
  const hits = await withOriginals(memd, found.hits);
  return {
    hits: asked.answers === true ? await withAnswers(memd, viewer, hits) : hits,
    warnings: found.warnings,
    ...adviceFor(memd, hits, "words", asked),
  };
}

/** The viewer's own where nobody is named. Throws `profile_unknown` where there is none that the viewer may read. */
export function getProfile(
  memd: Memd,
  viewer: Viewer,
  { entity, id, revision }: ParsedOf<"getProfile"> = {},
): Promise<AnswerOf<"getProfile">> {
  const own = { entity: "user", id: viewer.kind === "owner" ? LOCAL_USER : viewer.user } as const;
  const target = entity === undefined || id === undefined ? own : { entity, id };
  return showProfile(memd, viewer, target, revision);
}

/** Best first. Throws `empty_query`. */
export async function searchProfiles(
  memd: Memd,
  viewer: Viewer,
  asked: ParsedOf<"searchProfiles">,
): Promise<Recalled & { advice?: string }> {
  const { query, entity, limit = memd.parts.settings.recall.profiles_limit } = asked;
  const most = entity === undefined ? limit : MOST_HITS;
  const options = { kinds: ["profile"], limit: most } as const;
  const found = await upToDate(memd, () => memd.search.find(asWords(query), viewer, options), hitsIn);
  const hits = found.hits
    .filter(({ passage }) => entity === undefined || (passage.level === "user") === (entity === "user"))
    .slice(0, limit);
  return { hits, warnings: found.warnings, ...adviceFor(memd, hits, "profiles", { query }) };
}

const hitsIn = ({ hits }: Pick<Recalled, "hits">): readonly Hit[] => hits;
const listedIn = ({ listed: found }: Newest): readonly Listed[] => found;

function asWords(query: string): string {
  if (query.trim() === "") throw new MemdError("empty_query", "There is nothing to look for.");
  return query;
}

/** A group is a scope; its records are told apart from what its users said elsewhere by that. */
function filtersIn(
  asked: ParsedOf<"searchEvents"> | ParsedOf<"listMemories">,
): Period & { user?: string; scope?: string } {
  const { target_user_id: user, target_group_id: group } = asked;
  const scope = group === undefined || isGroup(group) ? group : `group:${group}`;
  return { ...defined({ user, scope }), ...periodIn(asked) };
}

export function periodIn({
  time_from: from,
  time_to: to,
}: Pick<ParsedOf<"activateTopics">, "time_from" | "time_to">): Period {
  return defined({ from, to });
}

/** One or two sentences where nothing was found. */
function adviceFor(
  { parts }: Memd,
  found: readonly unknown[],
  of: "events" | "memories" | "words" | "profiles",
  asked: Readonly<Record<string, unknown>>,
): { advice?: string } {
  if (found.length > 0) return {};
  const has = (...names: string[]): boolean => names.some((name) => asked[name] !== undefined);
  const ways = [
    ...(has("query") ? ["other words"] : []),
    ...(has("time_from", "time_to", "as_of") ? ["a wider time"] : []),
    ...(has("target_user_id", "target_group_id", "scope", "session")
      ? ["no user, group, scope or session"]
      : []),
    ...(has("memory_types") ? ["other kinds"] : []),
    ...(of === "events" && has("query") ? ["`memd search`, which finds what was said too"] : []),
  ];
  const tries = ways.length === 0 ? [] : [`Try ${listed(ways)}.`];
  const cameFrom = parts.settings.cognitive.enabled
    ? "Events and profiles come from what is said and from what agents observe (`memd end --observe TEXT`)."
    : "No new events and profiles are made: cognitive.enabled is false in memd.toml.";
  const source = of === "words" ? [] : [cameFrom];
  return { advice: [...tries, ...source].join(" ") };
}

function listed(ways: readonly string[]): string {
  const last = ways.at(-1) ?? "";
  return ways.length < 2 ? last : `${ways.slice(0, -1).join(", ")}, or ${last}`;
}
