/** A small world behind its door, and what may be asked there, and by whom. */
import { maySee, type Reader, type World, worldOf } from "../../../bench/walls/world.js";
import type { ScopeId, Seat } from "../../../src/model/address.js";
import { sha256 } from "../../../src/platform/files.js";
import type { Token } from "../../../src/protocol/tokens.js";
import { createApp } from "../../../src/serve/app.js";
import { openDoor } from "../../../src/serve/door.js";
import type { Answered } from "./checks.js";
import type { Sent } from "./drafts.js";
import { publishedIn } from "./published.js";
import type { Asker } from "./requests.js";
import { SEEN } from "./seen.js";
import type { Texts } from "./values.js";

const PORT = 4711;
const HOST = `127.0.0.1:${PORT}`;
const OWNER_TOKEN = "o".repeat(52);

export interface AskedWorld {
  owner: Asker<Seat>;
  viewers: Asker<Seat>[];
  /** With method and path as they arrive. */
  ask: (seat: Seat | undefined, sent: Sent) => Promise<Answered & { method: string; path: string }>;
  /** Words in a text that somebody reads, of others and of their own. */
  wordsIn: (text: string, reader: Reader) => { foreign: string[]; own: string[] };
  close: () => Promise<void>;
}

export async function askedWorld(size: {
  users: number;
  scopes: number;
  topics: boolean;
}): Promise<AskedWorld> {
  const world = await worldOf(size.users, size.scopes, {
    topics: { enabled: size.topics, window_tokens: 2000, keep_messages: 1 },
    talk: 30,
  });
  const { memd, kept } = world;
  const seats = seatsIn(world);
  let nowMs = 0;
  const door = openDoor({
    app: createApp({ memd, socket: "/none", listen: () => () => undefined, stop: () => undefined }),
    ownerToken: OWNER_TOKEN,
    tokens: () => Promise.resolve(seats.map(tokenOf)),
    // Nobody is told to wait here.
    monotonicMs: () => (nowMs += 1000),
  });
  const ask: AskedWorld["ask"] = async (seat, { method, address, contentType, body }) => {
    const request = new Request(`http://${HOST}${address}`, {
      method,
      headers: {
        host: HOST,
        authorization: `Bearer ${seat === undefined ? OWNER_TOKEN : secretOf(seat)}`,
        ...(contentType !== undefined && { "content-type": contentType }),
      },
      ...(body !== undefined && { body }),
    });
    const asked = { method: request.method, path: new URL(request.url).pathname };
    const answer = await door(request, { kind: "loopback", port: PORT });
    const { status, headers } = answer;
    const type = headers.get("content-type") ?? "";
    const isStream = type.startsWith("text/event-stream");
    if (isStream) await answer.body?.cancel();
    return { ...asked, status, type, text: isStream ? "" : await answer.text() };
  };
  const askerAt = async (seat?: Seat): Promise<Asker<Seat>> => {
    const { text } = await ask(seat, { method: "GET", address: "/openapi.json" });
    const own =
      seat === undefined ? addressesIn(world) : [seatText(seat), seatText(seat), ...addressesIn(world)];
    return { ...(seat && { seat }), published: publishedIn(JSON.parse(text)), texts: textsIn(world, own) };
  };
  const viewers: Asker<Seat>[] = [];
  for (const seat of seats) viewers.push(await askerAt(seat));
  return {
    owner: await askerAt(),
    viewers,
    ask,
    wordsIn: (text, reader) => {
      const known = [...new Set(text.match(/zq[a-y]{4}qz/g) ?? [])].filter((word) => kept.has(word));
      const isOwn = (word: string): boolean => maySee(reader, kept.get(word) ?? { reach: "owner" });
      return { own: known.filter(isOwn), foreign: known.filter((word) => !isOwn(word)) };
    },
    close: () => memd.stop(),
  };
}

/** Of several users and places; every other one without a session. */
function seatsIn({ readers }: World): Seat[] {
  const step = Math.max(1, Math.floor(readers.length / 8) | 1);
  return readers
    .filter((_reader, at) => at % step === 0)
    .map(({ user, scope, session }, at) => ({
      user,
      scope: scope as ScopeId,
      ...(at % 2 === 0 && { session }),
    }));
}

function seatText({ user, scope, session }: Seat | Reader): string {
  return [user, scope, ...(session === undefined ? [] : [session])].map(encodeURIComponent).join("/");
}

function secretOf(seat: Seat): string {
  return `memd_${sha256(seatText(seat)).slice(0, 52)}`;
}

function tokenOf(seat: Seat): Token {
  const hash = sha256(secretOf(seat));
  return { id: hash.slice(0, 8), seat, createdAt: "2026-01-05T10:00:00.000Z", hash };
}

function addressesIn({ readers }: World): string[] {
  return readers.filter((_reader, at) => at % 5 === 0).map(seatText);
}

/** What is written says no word of anybody: what is found in an answer was there before. */
function textsIn({ readers, kept, paths }: World, addresses: readonly string[]): Texts {
  const some = (name: keyof Reader): string[] => [...new Set(readers.map((reader) => reader[name]))];
  const [users, scopes, sessions] = [some("user"), some("scope"), some("session")];
  const queries = ["ferry", "Porto", "which ferry sank?", "who likes a ferry", "林悦 ferry", ...kept.keys()];
  const times = ["2026-03-01", "2026-03-10T12:00:00Z", "2026-03-20", "2025-01-01T00:00:00+01:00"];
  const said = [
    "A whale is late.",
    "The last whale leaves at 22:10.",
    "password = hunter2-and-more",
    "whale",
  ];
  const ids = [
    ...Array.from({ length: 20 }, () => SEEN.id),
    "m0",
    "m1",
    "m7",
    "r4",
    "r10",
    "r55",
    "whale",
    ...users,
    ...scopes,
  ];
  const topics = [SEEN.id, SEEN.id, SEEN.id, "Porto", "whale"];
  const known: Readonly<Record<string, readonly string[]>> = {
    ...{ user: users, target_user_id: users, speaker: users },
    ...{ scope: scopes, target_group_id: [...scopes, "harbor", "Harbor"], session: sessions },
    ...{ id: ids, as: addresses, for: addresses, path: [...paths, "memory.md", "/etc/passwd"] },
    ...{ query: queries, topic: topics, topics, into: topics, name: ["Whales"], entry: [SEEN.id, ...said] },
    ...{
      time_from: times,
      time_to: times,
      asOf: times,
      createdAt: times,
      cursor: [SEEN.cursor, SEEN.cursor, "m3"],
    },
    ...{
      text: said,
      memo: said,
      observations: said,
      heading: ["Notes"],
      title: ["Whales"],
      revision: [SEEN.revision],
      // What is attached is written too.
      "attachments.path": ["photos/whale.jpg"],
    },
  };
  return (field) => known[field] ?? known[field.split(".").at(-1) ?? ""] ?? [];
}
