/** Twenty scopes, fifty users, tens of thousands of questions: nobody is shown what is another's, nor anything reckoned from it. */
import { expect, test } from "vitest";
import { type Address, type Belonging, type Level, viewerAt } from "../../src/model/address.js";
import type { Passage } from "../../src/model/passage.js";
import { RECORD_KINDS } from "../../src/model/record.js";
import { later, zoneOf } from "../../src/model/time.js";
import type { Engine } from "../../src/recall/index/engine.js";
import { memoryEngine } from "../../src/recall/index/memory.js";
import { partOf, partitionOf, type PartitionId } from "../../src/recall/index/partitions.js";
import { recall, type Recalled } from "../../src/recall/recall.js";
import { randomOf } from "../faults/random.js";
import { NOON, said, scope } from "./passage-samples.js";

const SCOPES = [
  "main",
  ...Array.from({ length: 7 }, (_, index) => `group:g${index}`),
  ...Array.from({ length: 8 }, (_, index) => `project-${index}`),
  "main:docs",
  "group:g0:docs",
  "project-0:docs",
  "project-1:docs",
];
const USERS = ["local", ...Array.from({ length: 49 }, (_, index) => `user-${index}`)];
const SESSIONS = ["main", "s1", "s2", "s3", "s4"];
const LEVELS: readonly Level[] = ["owner", "user", "scope", "scope", "scope", "session"];
const DISTILLED = [...RECORD_KINDS, "profile", "document"] as const;
const STANDINGS = [{}, { supersededAt: NOON }, { validTo: NOON }, { knownAt: later(NOON, 1) }];
const WORDS = (
  "tea coffee violin harbour garden train rain winter bicycle doctor sister novel kitchen ticket guitar " +
  "年糕 部署 电影 喜欢 猫 医生 火车 花园 周末 礼物"
).split(" ");
const PASSAGES = 1500;
/** Places where some have said something in each of several sessions. */
const CROWDED = ["main", "group:g0", "project-0", "project-0:docs"];
const TALKATIVE = USERS.slice(0, 20);
const OF_SESSIONS = 600;
const QUESTIONS = 15_000;
const VIEWERS = 500;
const ZONE = zoneOf("UTC");

test("of tens of thousands of questions none is answered with or by what is another's", async () => {
  const random = dice(7);
  const passages = [
    ...Array.from({ length: PASSAGES }, (_, index) => madeUp(random, index)),
    ...Array.from({ length: OF_SESSIONS }, (_, index) => ofSession(random, PASSAGES + index)),
  ];
  const everything = await indexOf(passages);
  const viewers = Array.from({ length: VIEWERS }, (_, index): Address => ({
    user: USERS[index % USERS.length] ?? "local",
    scope: scope(random.pick(SCOPES.slice(0, 16))),
    session: random.pick(SESSIONS),
  }));
  const sessionsBehind = new Map<PartitionId, Set<string>>();
  for (const passage of passages) {
    const part = partOf(passage);
    const { id } = partitionOf(passage);
    if (part !== undefined) sessionsBehind.set(id, (sessionsBehind.get(id) ?? new Set()).add(part));
  }
  const own = new Map<string, Promise<Engine>>();
  let hits = 0;
  let besideOthers = 0;
  for (let question = 0; question < QUESTIONS; question++) {
    const address = random.pick(viewers);
    const readable = (passage: Passage): boolean => isTheirs(address, passage);
    const key = JSON.stringify(address);
    const query = Array.from({ length: 1 + random.below(3) }, () => typed(random)).join(" ");
    const found = await ask(everything, query, address);
    for (const { passage } of found.hits) {
      hits += 1;
      if (!readable(passage))
        throw new Error(`${key} asked ${query} and was shown ${JSON.stringify(passage)}`);
      if (sessionsBehind.get(partitionOf(passage).id)?.size === SESSIONS.length) besideOthers += 1;
    }
    // Once for each address it is reckoned with nobody else there: the same hits with the same scores.
    if (own.has(key) && question % 16 !== 0) continue;
    const alone = own.get(key) ?? indexOf(passages.filter(readable));
    own.set(key, alone);
    expect(found).toEqual(await ask(await alone, query, address));
  }
  expect(hits).toBeGreaterThan(QUESTIONS / 10);
  expect(besideOthers).toBeGreaterThan(QUESTIONS / 100);
}, 480_000);

/** Now and then with a slip: what is near is looked for among what the viewer may read. */
function typed(random: Dice): string {
  const word = random.pick(WORDS);
  if (random.below(8) > 0 || !/^[a-z]{4,}$/.test(word)) return word;
  return `${word.charAt(0)}${word.charAt(2)}${word.charAt(1)}${word.slice(3)}`;
}

interface Dice {
  below(limit: number): number;
  pick<T>(from: readonly T[]): T;
}

function dice(seed: number): Dice {
  const random = randomOf(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  return { below, pick: (from) => from[below(from.length)]! };
}

function ask(engine: Engine, query: string, address: Address): Promise<Recalled> {
  const parts = { engine, zone: ZONE, now: () => NOON, settings: { min_score: 0.2, limit: 10 } };
  return recall(parts, query, viewerAt(address));
}

async function indexOf(passages: readonly Passage[]): Promise<Engine> {
  const engine = memoryEngine();
  const paths = new Set(passages.map(({ path }) => path));
  for (const path of paths)
    await engine.upsert(
      path,
      "1",
      passages.filter((passage) => passage.path === path),
    );
  return engine;
}

/** Some have no user, or no session: a missing value must never mean "any". */
function madeUp(random: Dice, index: number): Passage {
  const level = random.pick(LEVELS);
  const words = Array.from({ length: 2 + random.below(5) }, () => random.pick(WORDS));
  const {
    user: _user,
    session: _session,
    ...passage
  } = said(`${words.join(" ")} ${index}`, {
    id: String(index),
    path: `memory/${index % 40}.md`,
    level,
    scope: scope(random.pick(SCOPES)),
    sequence: random.below(50),
  });
  return {
    ...passage,
    // Records and profiles have partitions like anything else, whether they still hold or not.
    ...(random.below(2) === 0 ? { kind: random.pick(DISTILLED), ...random.pick(STANDINGS) } : {}),
    ...(random.below(10) === 0 ? {} : { user: random.pick(USERS) }),
    ...(random.below(10) === 0 ? {} : { session: random.pick(SESSIONS) }),
  };
}

/** One of many in its partition, of which each viewer may read one session's. */
function ofSession(random: Dice, index: number): Passage {
  return {
    ...madeUp(random, index),
    level: "session",
    scope: scope(random.pick(CROWDED)),
    user: random.pick(TALKATIVE),
    session: random.pick(SESSIONS),
  };
}

/** The rule as it is written down, apart from the code under test. */
function isTheirs(viewer: Address, { level, scope: place, user, session }: Belonging): boolean {
  const isGroup = viewer.scope.startsWith("group:");
  const here = place === viewer.scope || place === `${viewer.scope}:docs`;
  const mine = user === viewer.user;
  if (level === "owner") return viewer.user === "local" && !isGroup;
  if (level === "user") return mine;
  if (!here || !(isGroup || mine)) return false;
  return level === "scope" || session === viewer.session;
}
