/**
 * Whether the time of an answer tells a viewer what there is of others: the same asked for what is
 * another's and for what is not there, in no order, at the door of one memd on a disk in memory.
 */
import { MAIN_SCOPE, type Seat } from "../../src/model/address.js";
import { sha256 } from "../../src/platform/files.js";
import { createApp } from "../../src/serve/app.js";
import { openDoor } from "../../src/serve/door.js";
import type { Memd } from "../../src/service/memd.js";
import { onlyReads } from "../../src/service/reading.js";
import { randomOf } from "../../test/faults/random.js";
import { talkOf } from "../../test/support/topic-talk.js";
import { hundredths, median } from "../stall.js";
import { type World, worldOf } from "../walls/world.js";
import { type Asked, type Names, PAIRS } from "./pairs.js";

const NOW = "2026-03-20T12:00:00Z";
const SEAT: Seat = { user: "lin", scope: MAIN_SCOPE, session: "main" };
/** Who has said far more than all others. */
const TALKER = "Lin";
const TALK = { user: TALKER, scope: "main", session: "s-9" };
const USERS = 8;
const SCOPES = 3;
const WARM_UP = 20;
const HOST = "127.0.0.1:4711";
const OWNER_TOKEN = "o".repeat(52);
const VIEWER_TOKEN = `memd_${"v".repeat(52)}`;

type Ask = (asked: Asked, token?: string) => Promise<{ status: number; text: string }>;

export async function benchTimings(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const number = (name: string, otherwise: number): number => Number(options.get(name) ?? otherwise);
  const only = options.get("only") ?? "";
  const topics = { enabled: true, window_tokens: 2000, keep_messages: 1 };
  const world = await worldOf(USERS, SCOPES, { topics, talk: 30 });
  const ask = doorOf(world.memd);
  const names = await namesIn(world, ask);
  const pairs = Object.entries(PAIRS).filter(([name]) => name.includes(only));
  const figures = await measured(pairs, names, ask, {
    count: number("requests", 1000),
    random: randomOf(number("seed", 1)),
  });
  await world.memd.stop();
  return figures;
}

/** Nobody is told to wait here. */
function doorOf(memd: Memd): Ask {
  let nowMs = 0;
  const hash = sha256(VIEWER_TOKEN);
  const token = { id: hash.slice(0, 8), seat: SEAT, createdAt: NOW, hash };
  const door = openDoor({
    app: createApp({ memd, socket: "/none", listen: () => () => undefined, stop: () => undefined }),
    ownerToken: OWNER_TOKEN,
    tokens: () => Promise.resolve([token]),
    monotonicMs: () => (nowMs += 1000),
  });
  return async ({ call, body }, secret = VIEWER_TOKEN) => {
    const [method = "", address = ""] = call.split(" ");
    const request = new Request(`http://${HOST}${address}`, {
      method,
      headers: { host: HOST, authorization: `Bearer ${secret}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = await door(request, { kind: "loopback", port: 4711 });
    return { status: answer.status, text: await answer.text() };
  };
}

/** Of others as they are, and of nobody in the same form. */
async function namesIn(
  { kept, memd, paths: all }: World,
  ask: Ask,
): Promise<Record<"others" | "nobody", Names>> {
  const told = async (asked: Asked): Promise<Record<string, unknown>> =>
    JSON.parse((await ask(asked, OWNER_TOKEN)).text) as Record<string, unknown>;
  const as = `${TALKER}/main/main`;
  const { topics } = (await told({ call: `GET /topics?all=true&as=${encodeURIComponent(as)}` })) as {
    topics: { id: string }[];
  };
  const messages = talkOf("tea", 300, "2026-03-19T09:00:00Z", TALK);
  await told({ call: "POST /import", body: { messages } });
  const { added, entry } = (await told({ call: "POST /memory", body: { text: "Whales sing.", as } })) as {
    added: boolean;
    entry: { id: string };
  };
  if (!added || topics.length === 0) throw new Error("nothing is there that could be named");
  const own = new Set(await memd.search.paths({ kind: "address", ...SEAT, session: "main" }));
  const paths = all.filter((file) => !own.has(file));
  const words = [...kept].flatMap(([word, { user }]) => (user === TALKER ? [word] : []));
  await memd.idle();
  await memd.settled();
  return {
    others: {
      user: ["Lin", "LIN", "lin.", "lin "],
      group: ["harbor"],
      scope: ["group:harbor", "Main"],
      session: ["s-9"],
      path: paths,
      topic: topics.map(({ id }) => id),
      entry: [entry.id],
      message: ["tea-7", "tea-9", "tea-8"],
      revision: ["2026-03-10"],
      word: words,
    },
    nobody: {
      user: ["Nil", "NIL", "lin,", "lin_"],
      group: ["horbar"],
      scope: ["group:horbar", "Niam"],
      session: ["s-7"],
      path: paths.map((file) => file.replace(/.{3}(?=\.\w+$)/, "zzz")),
      topic: topics.map(({ id }) => [...id].reverse().join("")),
      entry: ["kept-0123456789"],
      message: ["eat-7", "eat-9", "eat-8"],
      revision: ["2026-03-11"],
      word: words.map((word) => word.replace(/^zq(.)(.)(.)(.)/, "zq$4y$2x")),
    },
  };
}

async function measured(
  pairs: readonly (readonly [string, (typeof PAIRS)[string]])[],
  names: Record<"others" | "nobody", Names>,
  ask: Ask,
  { count, random }: { count: number; random: () => number },
): Promise<Record<string, unknown>> {
  const one = (of: readonly string[]): string => of[Math.floor(random() * of.length)] ?? "";
  const all = pairs.flatMap(([name, asked]) =>
    (["others", "nobody"] as const).map((whose) => ({
      name,
      asked,
      whose,
      taken: [] as number[],
      statuses: new Set<number>(),
    })),
  );
  // What has the prompt written anew would have all others wait for that.
  for (const phase of PHASES)
    for (let round = -WARM_UP; round < count; round++)
      for (const each of shuffled(
        all.filter(({ name }) => phase === phaseOf(name)),
        random,
      )) {
        const asked = each.asked((name) => one(names[each.whose][name]));
        const began = performance.now();
        const { status } = await ask(asked);
        if (round >= 0) each.taken.push(performance.now() - began);
        each.statuses.add(status);
      }
  const operations = pairs.map(([name]) => {
    const [others, nobody] = all.filter((each) => each.name === name);
    const [others_ms, nobody_ms] = [median(others?.taken ?? []), median(nobody?.taken ?? [])];
    return {
      name,
      others_ms: thousandths(others_ms),
      nobody_ms: thousandths(nobody_ms),
      ratio: thousandths(others_ms / nobody_ms),
      status: [...(others?.statuses ?? [])].join(),
      alike: [...(others?.statuses ?? [])].join() === [...(nobody?.statuses ?? [])].join(),
    };
  });
  const offBy = ({ ratio }: { ratio: number }): number => Math.abs(ratio - 1);
  const [worst] = operations.toSorted((a, b) => offBy(b) - offBy(a));
  return {
    requests: count,
    operations,
    worst: worst?.name,
    worst_percent: hundredths(100 * offBy(worst ?? { ratio: 1 })),
  };
}

const PHASES = ["reading", "changing", "waking"] as const;

function phaseOf(name: string): (typeof PHASES)[number] {
  const [operation = ""] = name.split(" ");
  if (onlyReads(operation)) return "reading";
  return operation === "activateTopics" ? "waking" : "changing";
}

function thousandths(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function shuffled<T>(of: readonly T[], random: () => number): T[] {
  const left = [...of];
  for (let at = left.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [left[at], left[other]] = [left[other] as T, left[at] as T];
  }
  return left;
}
