/**
 * What an agent may ask of the memory: events, memories, profiles. One room for
 * the socket, the command line, the library and every other face.
 *
 * Each question names its viewer; whom and what it names beside is a filter
 * inside what that viewer may read. Nothing is written.
 */
import type { Viewer } from "../model/access.js";
import { MemdError } from "../model/errors.js";
import type { Listed } from "../model/found.js";
import { isGroup, LOCAL_USER } from "../model/address.js";
import type { RecordKind } from "../model/record.js";
import type { ProfileTarget } from "../historian/profile.js";
import type { DistilledKind } from "../recall/newest.js";
import type { Period } from "../model/period.js";
import type { Recalled, RecallOptions } from "../recall/recall.js";
import { DECAY } from "../recall/weights.js";
import { showProfile, type ProfileShown } from "./profiles.js";
import type { Memd as Supervisor } from "./memd.js";
import { adviceOn } from "./nothing-found.js";

/** Seed 001. */
const EVENTS_SHOWN = 12;
const PROFILES_SHOWN = 8;
const MEMORIES_LISTED = 50;
/** As many as a search may give. */
const MOST_HITS = 1000;
/** In what goes into a prompt two weeks count, in what is looked for two months (seed 001). */
const HALF_LIFE = { halfLifeDays: DECAY.searchHalfLifeDays } as const;

/** With advice where nothing was found. */
export interface Answered<T> {
  found: T[];
  warnings: string[];
  /** What to try instead. */
  advice?: string;
}

export interface Filters extends Period {
  /** Only what is of this user. */
  user?: string;
  /** Only what is of this group, by its id. */
  group?: string;
}

export interface EventsAsked extends Filters {
  /** Without it the newest of the period. */
  query?: string;
  /** Events alone when not given. */
  kinds?: readonly RecordKind[];
  /** 12 when not given. */
  limit?: number;
}

/** Best first, or the newest first where nothing is asked. Throws `empty_query` for a question without a word. */
export async function searchEvents(
  supervisor: Supervisor,
  viewer: Viewer,
  asked: EventsAsked,
): Promise<Answered<Listed>> {
  const { query, kinds = ["event"], limit = EVENTS_SHOWN } = asked;
  const options = { ...filtersOf(asked), kinds, limit };
  await supervisor.caughtUp();
  if (query !== undefined) {
    const { hits, warnings } = await supervisor.search.find(asWords(query), viewer, {
      ...options,
      ...HALF_LIFE,
    });
    return answered(supervisor, hits, warnings, { ...asked, of: "events" });
  }
  const { listed, warnings } = await supervisor.search.newest(viewer, options);
  return answered(supervisor, listed, warnings, { ...asked, of: "events" });
}

export interface ListAsked extends Filters {
  /** Records of every kind and profiles when not given. */
  kinds?: readonly DistilledKind[];
  /** 50 when not given. */
  limit?: number;
  cursor?: string;
}

/** Records and profiles, newest first. Throws `usage` for a cursor that is none. */
export async function listMemories(
  supervisor: Supervisor,
  viewer: Viewer,
  asked: ListAsked,
): Promise<Answered<Listed> & { next?: string }> {
  const { kinds, limit = MEMORIES_LISTED, cursor } = asked;
  await supervisor.caughtUp();
  const { listed, next, warnings } = await supervisor.search.newest(viewer, {
    ...filtersOf(asked),
    limit,
    ...(kinds === undefined ? {} : { kinds }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  // A last page that is empty is no search without a hit.
  const told =
    cursor === undefined
      ? answered(supervisor, listed, warnings, { ...asked, of: "memories" })
      : { found: listed, warnings };
  return { ...told, ...(next === undefined ? {} : { next }) };
}

/** Everything that can be found, the words of conversations too. Throws `empty_query`. */
export async function searchMemories(
  supervisor: Supervisor,
  viewer: Viewer,
  query: string,
  options: RecallOptions = {},
): Promise<Recalled & { advice?: string }> {
  await supervisor.caughtUp();
  const { hits, warnings } = await supervisor.search.find(asWords(query), viewer, {
    ...HALF_LIFE,
    ...options,
  });
  if (options.rerank === true && supervisor.search.parts.models?.rerank === undefined)
    warnings.push("In the order of the search: no rerank model is named (llm.models.rerank).");
  const { advice } = answered(supervisor, hits, warnings, { ...options, query, of: "words" });
  return { hits, warnings, ...(advice === undefined ? {} : { advice }) };
}

/** The viewer's own where nobody is named. Throws `profile_unknown` where there is none that the viewer may read. */
export function getProfile(
  supervisor: Supervisor,
  viewer: Viewer,
  target: ProfileTarget = ownOf(viewer),
  revision?: string,
): Promise<ProfileShown> {
  return showProfile(supervisor, viewer, target, revision);
}

export interface ProfilesAsked {
  query: string;
  /** Of users and groups when not given. */
  entity?: ProfileTarget["entity"];
  /** 8 when not given. */
  limit?: number;
}

/** Best first. Throws `empty_query`. */
export async function searchProfiles(
  supervisor: Supervisor,
  viewer: Viewer,
  { query, entity, limit = PROFILES_SHOWN }: ProfilesAsked,
): Promise<Recalled & { advice?: string }> {
  await supervisor.caughtUp();
  const options: RecallOptions = {
    kinds: ["profile"],
    limit: entity === undefined ? limit : MOST_HITS,
    ...HALF_LIFE,
  };
  const found = await supervisor.search.find(asWords(query), viewer, options);
  const hits = found.hits
    .filter(({ passage }) => entity === undefined || (passage.level === "user") === (entity === "user"))
    .slice(0, limit);
  const { advice } = answered(supervisor, hits, found.warnings, { query, of: "profiles" });
  return { hits, warnings: found.warnings, ...(advice === undefined ? {} : { advice }) };
}

function asWords(query: string): string {
  if (query.trim() === "") throw new MemdError("empty_query", "There is nothing to look for.");
  return query;
}

/** A group is a scope; its records are told apart from what its users said elsewhere by that. */
function filtersOf({ user, group, from, to }: Filters): Period & { user?: string; scope?: string } {
  return {
    ...(user === undefined ? {} : { user }),
    ...(group === undefined ? {} : { scope: isGroup(group) ? group : `group:${group}` }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

function ownOf(viewer: Viewer): ProfileTarget {
  return { entity: "user", id: viewer.kind === "owner" ? LOCAL_USER : viewer.user };
}

function answered<T>(
  { parts }: Supervisor,
  found: T[],
  warnings: string[],
  narrowed: Parameters<typeof adviceOn>[0],
): Answered<T> {
  if (found.length > 0) return { found, warnings };
  return { found, warnings, advice: adviceOn(narrowed, parts.settings.cognitive.enabled) };
}
