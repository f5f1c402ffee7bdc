/**
 * Whether anybody is ever given what they may not read: every operation that may
 * be asked on somebody's behalf, asked as everybody, and each answer looked
 * through for words that are not theirs. Part of it goes over a socket.
 */
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { answerTo } from "../../src/library/running.js";
import { serverFor } from "../../src/platform/http-server.js";
import { createApp } from "../../src/serve/app.js";
import { OPERATIONS, type OperationName, type Operations } from "../../src/service/operations.js";
import { SERVED } from "../../src/service/runs.js";
import { maySee, type Reader, type World, worldOf } from "./world.js";

type AskedAs = {
  [N in OperationName]: Operations[N]["access"] extends "viewer" ? N : never;
}[OperationName];

/** How it is asked: what it is, on whose behalf, with which fields. */
export type Ask = (name: string, given: Record<string, unknown>) => Promise<unknown>;
export type Answers = (service: { memd: World["memd"] }) => Ask;

type Rng = () => number;
type Fields = (pick: <T>(of: readonly T[]) => T, world: World, reader: Reader) => Record<string, unknown>;

const QUERIES = ["ferry", "Porto", "which ferry sank?", "who likes a ferry", "sails", "林悦 ferry", "zq"];
const LIMITS = [1, 8, 50, 1000];
const somebody: Fields = (pick, { readers }) => {
  const { user, scope, session } = pick(readers);
  return pick([{}, { target_user_id: user }, { scope }, { scope, session }, { target_user_id: user, scope }]);
};
const target: Fields = (pick, { readers }, own) =>
  pick([
    { entity: "user", id: pick(readers).user },
    { entity: "user", id: own.user },
    { entity: "group", id: pick(readers).scope.replace(/^group:/, "") || "x" },
  ]);
const asEvents: Fields = (pick, { readers }) => {
  const { user, scope } = pick(readers);
  return pick([{}, { target_user_id: user }, { target_group_id: scope }]);
};
const topicOf: Fields = (pick) => ({ topic: pick(["Porto", "ferry", "t-1"]) });
/** One of any reader's words: who guesses it is told no more. */
const query: Fields = (pick, { kept }) => ({ query: pick([...QUERIES, pick([...kept.keys()])]) });

/** Every operation that may be asked on somebody's behalf, and how often it is. */
const QUESTIONS: Readonly<Record<AskedAs, { share: number; fields: Fields }>> = {
  prompt: { share: 2, fields: () => ({}) },
  briefing: {
    share: 4,
    fields: (pick, { kept }) => pick([{}, { asked: pick([...QUERIES, pick([...kept.keys()])]) }]),
  },
  history: {
    share: 20,
    fields: (pick, { readers }) => {
      const { scope, session } = pick(readers);
      return { limit: pick(LIMITS), ...pick([{}, { scope }, { session }, { scope, session }]) };
    },
  },
  listScopes: { share: 2, fields: () => ({}) },
  listSessions: { share: 4, fields: (pick, { readers }) => pick([{}, { scope: pick(readers).scope }]) },
  searchEvents: {
    share: 15,
    fields: (...of) => ({
      ...asEvents(...of),
      ...of[0]([{}, query(...of)]),
      memory_types: ["event", "fact", "episode", "foresight"],
      limit: of[0](LIMITS),
    }),
  },
  searchMemories: {
    share: 20,
    fields: (...of) => ({ ...somebody(...of), ...query(...of), limit: of[0](LIMITS) }),
  },
  listMemories: { share: 15, fields: (...of) => ({ ...asEvents(...of), limit: of[0](LIMITS) }) },
  listProfiles: { share: 2, fields: () => ({}) },
  getProfile: { share: 8, fields: (...of) => of[0]([{}, target(...of)]) },
  listRevisions: { share: 4, fields: target },
  diffProfile: { share: 4, fields: target },
  searchProfiles: { share: 5, fields: (...of) => ({ ...query(...of), limit: of[0](LIMITS) }) },
  listTopics: { share: 4, fields: (pick) => ({ all: pick([true, false]) }) },
  activateTopics: { share: 1, fields: query },
  showTopic: { share: 2, fields: topicOf },
  renameTopic: { share: 1, fields: (...of) => ({ ...topicOf(...of), name: "Ferries" }) },
  mergeTopics: { share: 1, fields: () => ({ topics: ["Porto"], into: "ferry" }) },
  splitTopic: { share: 1, fields: topicOf },
  archiveTopic: { share: 1, fields: topicOf },
  reviewTopics: { share: 1, fields: () => ({}) },
  listSources: { share: 2, fields: (pick) => ({ limit: pick(LIMITS) }) },
  listDays: { share: 2, fields: () => ({}) },
  readSource: {
    share: 8,
    fields: (pick, { paths }) => ({ path: pick(paths), max_tokens: 50_000 }),
  },
  listPinned: { share: 2, fields: () => ({}) },
  addPinned: { share: 1, fields: () => ({ text: "A ferry is late." }) },
  updatePinned: { share: 1, fields: () => ({ entry: "ferry", text: "A ferry is on time." }) },
  removePinned: { share: 1, fields: (pick) => ({ entry: pick([1, "whale", "whale", "whale"]) }) },
  end: { share: 1, fields: () => ({ memo: "", observations: [] }) },
};
const NAMES = Object.keys(QUESTIONS) as AskedAs[];
const DECK = NAMES.flatMap((name) => Array.from({ length: QUESTIONS[name].share }, () => name));

/** Of a hundred reads, so many go over the socket. */
const SOCKET_PERCENT = 2;

/** Readers ask beside each other, as they do; so answers that get mixed up would show too. */
const AT_ONCE = 25;
/** What the world's words look like: `world.kept` holds each. */
const WORDS = /zq[a-y]{4}qz/g;
/** So many are told in words. */
const MOST_LEAKS = 10;

export interface WallsFigures extends Record<string, unknown> {
  users: number;
  scopes: number;
  words: number;
  reads: number;
  overSocket: number;
  /** Answers that are a refusal. */
  refused: number;
  /** Words of the reader's own that were given: where there are none, nothing was measured. */
  own: number;
  /** Words that were given to somebody who may not read them. */
  foreign: number;
  /** Operations of the owner's that were answered to somebody else. */
  ownersAnswered: number;
  leaks: string[];
  p50Ms: number;
  p95Ms: number;
}

export async function benchWalls(options: ReadonlyMap<string, string>): Promise<WallsFigures> {
  const number = (name: string, otherwise: number): number => Number(options.get(name) ?? otherwise);
  return walls({
    users: number("users", 20),
    scopes: number("scopes", 12),
    reads: number("reads", 100_000),
    seed: number("seed", 1),
  });
}

/** `through`: how a question is answered; a test has it answered wrongly. */
export async function walls(
  { users, scopes, reads, seed }: { users: number; scopes: number; reads: number; seed: number },
  through: (ask: Ask) => Ask = (ask) => ask,
): Promise<WallsFigures> {
  const world = await worldOf(users, scopes);
  const service = { memd: world.memd, socket: "/none", stop: () => undefined };
  const byName = new Map(SERVED.map((served) => [served.name, served]));
  const inside = through(async (name, given) => byName.get(name)?.answer(service, given));
  const door = await openDoor(world.memd);
  const outside = through((name, given) => answerTo(door.socket, name, given));
  const random = randomFrom(seed);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const taken: number[] = [];
  const figures = { refused: 0, own: 0, foreign: 0, ownersAnswered: 0, overSocket: 0 };
  const leaks: string[] = [];
  try {
    const one = async (): Promise<void> => {
      const reader = pick(world.readers);
      const name = pick(DECK);
      const given = { as: pick([reader, addressOf(reader)]), ...QUESTIONS[name].fields(pick, world, reader) };
      const isOverSocket = random() * 100 < SOCKET_PERCENT;
      if (isOverSocket) figures.overSocket++;
      const began = performance.now();
      const { text, isRefused } = await told(isOverSocket ? outside : inside, name, given);
      taken.push(performance.now() - began);
      if (isRefused) figures.refused++;
      for (const word of new Set(text.match(WORDS) ?? [])) {
        const kept = world.kept.get(word);
        if (kept === undefined) continue;
        if (maySee(reader, kept)) figures.own++;
        else {
          figures.foreign++;
          if (leaks.length < MOST_LEAKS)
            leaks.push(`${name} gave ${JSON.stringify(reader)} what is of ${JSON.stringify(kept)}`);
        }
      }
    };
    for (let read = 0; read < reads; read += AT_ONCE)
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, reads - read) }, one));
    for (const name of Object.keys(OPERATIONS) as OperationName[])
      if (OPERATIONS[name].access === "owner")
        for (const reader of world.readers.slice(0, 5)) {
          const { isRefused } = await told(inside, name, { as: reader });
          if (!isRefused) figures.ownersAnswered++;
        }
  } finally {
    await door.close();
    await world.memd.stop();
  }
  taken.sort((one, other) => one - other);
  const at = (share: number): number =>
    Math.round((taken[Math.floor(taken.length * share)] ?? 0) * 100) / 100;
  return { users, scopes, words: world.kept.size, reads, ...figures, leaks, p50Ms: at(0.5), p95Ms: at(0.95) };
}

async function told(
  ask: Ask,
  name: string,
  given: Record<string, unknown>,
): Promise<{ text: string; isRefused: boolean }> {
  // A refusal or a warning may say again what was asked: who asked for a word knows it.
  const asked = new Set(JSON.stringify(given).match(WORDS));
  const unasked = (said: string): string => said.replace(WORDS, (word) => (asked.has(word) ? "" : word));
  try {
    const answer = await ask(name, given);
    const text = JSON.stringify(answer, (key, value: unknown) =>
      key === "warnings" ? unasked(JSON.stringify(value)) : value,
    );
    return { text: text ?? "", isRefused: false };
  } catch (error) {
    return { text: unasked(String(error)), isRefused: true };
  }
}

async function openDoor(memd: World["memd"]): Promise<{ socket: string; close: () => Promise<void> }> {
  const socket = path.join(tmpdir(), `memd-walls-${randomUUID().slice(0, 8)}.sock`);
  const app = createApp({ memd, socket, stop: () => undefined, listen: () => () => undefined });
  const server = serverFor((request) => app.fetch(request));
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  return {
    socket,
    close: async () => {
      server.close();
      await rm(socket, { force: true });
    },
  };
}

function addressOf({ user, scope, session }: Reader): string {
  return [user, scope, session].map(encodeURIComponent).join("/");
}

/** mulberry32. */
function randomFrom(seed: number): Rng {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
