/**
 * What a program asks, checked, as calls of the socket; and the answers as the
 * library gives them.
 *
 * A name that is there without a value is refused: a program that lost whose
 * memory it asks for must not be given everybody's.
 */
import { printAddress } from "../model/address-text.js";
import { isMemdError, MemdError } from "../model/errors.js";
import { foundOf, type Found } from "../model/found.js";
import type { ScopeId } from "../model/address.js";
import type { Hit } from "../model/passage.js";
import type { Workspace } from "../protocol/workspace.js";
import { askerOf, type Question } from "./asking.js";
import type {
  AddressInput,
  Answer,
  EventsOptions,
  ListOptions,
  MemoriesOptions,
  ProfileOptions,
  ProfileFound,
  ProfilesOptions,
  TopicsOptions,
  TopicsFound,
} from "./memory.js";

const FILTERS = ["as", "user", "group", "from", "to", "kinds", "limit"] as const;
const KNOWN = {
  events: ["query", ...FILTERS],
  list: [...FILTERS, "cursor"],
  memories: [
    "query",
    "as",
    "user",
    "scope",
    "session",
    "from",
    "to",
    "asOf",
    "kinds",
    "limit",
    "mode",
    "rerank",
  ],
  profile: ["as", "user", "group"],
  profiles: ["query", "as", "entity", "limit"],
  topics: ["query", "as", "from", "to"],
} as const;
/** Whose memory, or what of it. */
const NAMES = ["user", "group", "scope", "session"] as const;

/** The questions of one workspace. */
export function questionsTo(workspace: Workspace): Questions {
  const ask = askerOf(workspace);
  return {
    searchEvents: async (asked) => {
      const { events, ...more } = (await ask(eventsQuestion(asked))) as More & { events: Found[] };
      return { found: events, ...more };
    },
    listMemories: async (asked) => {
      const answer = await ask(listQuestion(asked));
      const { memories, ...more } = answer as More & { memories: Found[]; next?: string };
      return { found: memories, ...more };
    },
    searchMemories: async (asked) => foundIn(await ask(memoriesQuestion(asked))),
    searchProfiles: async (asked) => foundIn(await ask(profilesQuestion(asked))),
    activateTopics: async (asked) => (await ask(topicsQuestion(asked))) as TopicsFound,
    getProfile: async (asked) => {
      try {
        return (await ask(profileQuestion(asked))) as ProfileFound;
      } catch (error) {
        if (isMemdError(error, "profile_unknown")) return undefined;
        throw error;
      }
    },
  };
}

interface Questions {
  searchEvents(asked: EventsOptions): Promise<Answer>;
  searchMemories(asked: MemoriesOptions): Promise<Answer>;
  listMemories(asked: ListOptions): Promise<Answer & { next?: string }>;
  getProfile(asked: ProfileOptions): Promise<ProfileFound | undefined>;
  searchProfiles(asked: ProfilesOptions): Promise<Answer>;
  activateTopics(asked: TopicsOptions): Promise<TopicsFound>;
}

type More = Omit<Answer, "found">;

/** Hits in the form of all other answers. */
function foundIn(answer: unknown): Answer {
  const { hits, ...more } = answer as More & { hits: Hit[] };
  return { found: hits.map(foundOf), ...more };
}

function eventsQuestion(asked: EventsOptions): Question {
  const { query, as, user, group, from, to, kinds, limit } = checked(asked, KNOWN.events);
  const body = {
    query,
    target_user_id: user,
    target_group_id: group,
    time_from: timeOf(from),
    time_to: timeOf(to),
    memory_types: kinds,
    top_k: limit,
    as: addressOf(as),
  };
  return { method: "POST", path: "/events/search", body };
}

function listQuestion(asked: ListOptions): Question {
  const { as, user, group, from, to, kinds, limit, cursor } = checked(asked, KNOWN.list);
  const given = {
    target_user_id: user,
    target_group_id: group,
    time_from: timeOf(from),
    time_to: timeOf(to),
    memory_types: kinds?.join(","),
    limit: limit?.toString(),
    cursor,
    as: addressOf(as),
  };
  const said = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value.toWellFormed())}`],
  );
  return { method: "GET", path: `/agent/memories${said.length === 0 ? "" : `?${said.join("&")}`}` };
}

function memoriesQuestion(asked: MemoriesOptions): Question {
  const { query, as, from, to, asOf, ...options } = checked(asked, KNOWN.memories);
  const times = { from: timeOf(from), to: timeOf(to), asOf: timeOf(asOf) };
  return {
    method: "POST",
    path: "/agent/memories/search",
    body: { query, options: { ...options, ...times }, as: addressOf(as) },
  };
}

function profileQuestion(asked: ProfileOptions): Question {
  const { as, user, group } = checked(asked, KNOWN.profile);
  if (user !== undefined && group !== undefined)
    throw new MemdError("value_invalid", 'A profile is of one: name "user" or "group".');
  const target =
    group !== undefined
      ? { entity: "group", id: group.replace(/^group:/, "") }
      : user !== undefined
        ? { entity: "user", id: user }
        : {};
  return { method: "POST", path: "/profiles/show", body: { ...target, as: addressOf(as) } };
}

function profilesQuestion(asked: ProfilesOptions): Question {
  const { as, ...body } = checked(asked, KNOWN.profiles);
  return { method: "POST", path: "/profiles/search", body: { ...body, as: addressOf(as) } };
}

function topicsQuestion(asked: TopicsOptions): Question {
  const { query, as, from, to } = checked(asked, KNOWN.topics);
  const body = { query, time_from: timeOf(from), time_to: timeOf(to), as: addressOf(as) };
  return { method: "POST", path: "/topics/activate", body };
}

function checked<T extends object>(asked: T, known: readonly string[]): T {
  const strange = Object.keys(asked).find((name) => !known.includes(name));
  // A mistyped filter would let everything through.
  if (strange !== undefined)
    throw new MemdError("value_invalid", `"${strange}" must be one of ${known.join(", ")}.`);
  const named: Partial<Record<(typeof NAMES)[number] | "as", unknown>> = asked;
  for (const name of NAMES) {
    const value = named[name];
    if (name in asked && (typeof value !== "string" || value.trim() === ""))
      throw new MemdError("value_invalid", `"${name}" must be a name, or be left out.`);
  }
  if ("as" in asked && (typeof named.as !== "string" || named.as.trim() === "") && !isAddress(named.as))
    throw new MemdError(
      "value_invalid",
      '"as" must be user/scope/session or {user, scope?, session?}; left out, the owner asks.',
    );
  return asked;
}

function isAddress(given: unknown): boolean {
  if (typeof given !== "object" || given === null) return false;
  const { user, ...more } = given as Record<string, unknown>;
  const isName = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";
  return (
    isName(user) &&
    Object.entries(more).every(([name, value]) => ["scope", "session"].includes(name) && isName(value))
  );
}

function addressOf(as: string | AddressInput | undefined): string | undefined {
  if (as === undefined || typeof as === "string") return as;
  const { user, scope, session } = as;
  return printAddress({
    user,
    ...(scope === undefined ? {} : { scope: scope as ScopeId }),
    ...(session === undefined ? {} : { session }),
  });
}

function timeOf(time: string | Date | undefined): string | undefined {
  if (!(time instanceof Date)) return time;
  if (Number.isNaN(time.getTime()))
    throw new MemdError("value_invalid", "A time must be one: this Date is invalid.");
  return time.toISOString();
}
