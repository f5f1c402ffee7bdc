import fc from "fast-check";
import { expect, test } from "vitest";
import type { FiledMessage, MessageId } from "../../src/model/message.js";
import type { ScopeId } from "../../src/model/address.js";
import { epochMs, zoneOf } from "../../src/model/time.js";
import type { TopicEvent, TopicId } from "../../src/model/topic.js";
import { parseTopicMessages } from "../../src/protocol/topic-events.js";
import { topicsDir } from "../../src/protocol/workspace.js";
import { TopicStore } from "../../src/topics/store.js";
import { memoryDisk, type MemoryDisk } from "../support/memory-disk.js";
import { countingRandom } from "../support/counting-random.js";

const DIR = "memory/topics";
const AT = epochMs(Date.parse("2026-03-01T08:00:00Z"));

function filed(id: string, text = `said ${id}`): FiledMessage {
  return {
    message: { id: id as MessageId, role: "user", text, createdAt: "2026-03-01T08:00:00Z" },
    filedAt: AT,
    belongsTo: "local",
  };
}

function openShelf(disk: MemoryDisk): TopicStore {
  const writer = { disk, random: countingRandom(), guard: async () => undefined };
  return new TopicStore({ writer, workspace: { root: "/w" }, zone: zoneOf("UTC") }, DIR);
}

/** Where each message stands on the disk. */
function placesOf(disk: MemoryDisk): Map<string, string[]> {
  const places = new Map<string, string[]>();
  for (const [path, text] of Object.entries(disk.files())) {
    if (!path.startsWith(`/w/${DIR}/`) || !path.endsWith(".jsonl") || path.endsWith("events.jsonl")) continue;
    for (const id of parseTopicMessages(text).messages.keys())
      places.set(id, [...(places.get(id) ?? []), path]);
  }
  return places;
}

const ids = (...names: string[]): MessageId[] => names as MessageId[];
const topic = (name: string): TopicId => name as TopicId;

const DAY = 86_400_000;
const EVENTS: readonly TopicEvent[] = [
  { at: AT, is: "split", made: [{ id: topic("ferries"), name: "Ferries", ids: ids("1", "2") }], filled: [] },
  {
    at: AT,
    is: "split",
    made: [{ id: topic("tea"), name: "Tea", ids: ids("3") }],
    filled: [{ id: topic("ferries"), ids: ids("4", "5") }],
  },
  {
    at: AT,
    is: "divided",
    topic: topic("ferries"),
    into: [
      { id: topic("ferriesa"), name: "Times", ids: ids("1", "4") },
      { id: topic("ferriesb"), name: "Fares", ids: ids("2", "5") },
    ],
  },
  { at: AT, is: "slept", topics: [topic("tea")] },
  { at: epochMs(AT + 8 * DAY), is: "archived", topics: [topic("tea")] },
  { at: AT, is: "merged", topics: [topic("ferriesb")], into: topic("ferriesa") },
  { at: AT, is: "woken", topics: [topic("tea")] },
  { at: AT, is: "split", made: [], filled: [{ id: topic("tea"), ids: ids("6") }] },
  { at: epochMs(AT + 40 * DAY), is: "archived", topics: [topic("tea")] },
];

test("killed at any operation of the disk, every message stands in one place once it is read again", async () => {
  const whole = memoryDisk();
  await through(whole);
  const operations = await countOperations();
  expect(operations).toBeGreaterThan(100);
  for (let fatal = 0; fatal < operations; fatal++) {
    const disk = memoryDisk();
    let count = 0;
    disk.before(() => {
      if (count++ >= fatal) throw Object.assign(new Error("killed"), { code: "EIO" });
    });
    await through(disk).catch(() => undefined);
    disk.before(() => undefined);
    const before = placesOf(disk);
    const shelf = openShelf(disk);
    await shelf.load();
    const after = placesOf(disk);
    for (const id of before.keys())
      expect(after.get(id), `message ${id}, killed at ${fatal}`).toHaveLength(1);
    // What is asked for again, as a host's list does at every look, ends where it would have ended.
    await through(disk, shelf);
    expect(placesOf(disk)).toEqual(placesOf(whole));
  }

  async function countOperations(): Promise<number> {
    const disk = memoryDisk();
    let count = 0;
    disk.before(() => void count++);
    await through(disk);
    return count;
  }
});

async function through(disk: MemoryDisk, shelf = openShelf(disk)): Promise<void> {
  await shelf.take(["1", "2", "3", "4", "5", "6", "7"].map((id) => filed(id)));
  for (const event of EVENTS) await shelf.happen(event);
}

test("a fault leaves a shelf that goes on from what stands", async () => {
  const disk = memoryDisk();
  const shelf = openShelf(disk);
  await shelf.take(["1", "2", "3"].map((id) => filed(id)));
  let isFull = true;
  disk.before((operation, path) => {
    if (isFull && operation === "write" && path.includes("ferries"))
      throw Object.assign(new Error("full"), { code: "ENOSPC" });
  });
  await expect(shelf.happen(EVENTS[0] as TopicEvent)).rejects.toMatchObject({ code: "disk_full" });
  isFull = false;
  await shelf.load();
  expect(shelf.messagesOf(topic("ferries")).map(({ message }) => message.id)).toEqual(["1", "2"]);
  expect(shelf.unsplit.map(({ message }) => message.id)).toEqual(["3"]);
  expect([...placesOf(disk).values()].every((places) => places.length === 1)).toBe(true);
});

test("a message is taken once, and again where its text was changed before it was split", async () => {
  const disk = memoryDisk();
  const shelf = openShelf(disk);
  await shelf.take([filed("1"), filed("2")]);
  await shelf.take([filed("1"), filed("2", "said anew")]);
  expect(shelf.unsplit.map(({ message }) => message.text)).toEqual(["said 1", "said anew"]);
  await shelf.happen(EVENTS[0] as TopicEvent);
  await shelf.take([filed("1"), filed("2", "too late")]);
  expect(shelf.unsplit).toEqual([]);
  const again = openShelf(disk);
  await again.load();
  expect(again.messagesOf(topic("ferries")).map(({ message }) => message.text)).toEqual([
    "said 1",
    "said anew",
  ]);
});

test("what happened is told in short once the file is long, and nothing else changes", async () => {
  const disk = memoryDisk();
  const shelf = openShelf(disk);
  await through(disk, shelf);
  const scored: TopicEvent = { at: AT, is: "scored", scores: [[topic("ferriesa"), 0.5]] };
  const line = `${JSON.stringify({ ...scored, at: "2026-03-01T08:00:00.000Z" })}\n`;
  const file = `/w/${DIR}/events.jsonl`;
  disk.writeInPlace(file, (disk.files()[file] ?? "") + line.repeat(20_000));
  const long = openShelf(disk);
  await long.load();
  expect((disk.files()[file] ?? "").split("\n")).toHaveLength(2);
  const short = openShelf(disk);
  await short.load();
  expect(short.topics).toEqual(long.topics);
  expect(short.topics.get(topic("ferriesa"))?.scores).toEqual([0.5, 0.5, 0.5, 0.5, 0.5]);
});

test("lines that are no messages, and files of topics that nobody knows, are kept", async () => {
  const disk = memoryDisk();
  const shelf = openShelf(disk);
  await shelf.take([filed("1"), filed("2"), filed("3")]);
  disk.writeInPlace(
    `/w/${DIR}/unsplit.jsonl`,
    `${disk.files()[`/w/${DIR}/unsplit.jsonl`] ?? ""}a note of mine\n`,
  );
  const again = openShelf(disk);
  await again.happen(EVENTS[0] as TopicEvent);
  const copies = Object.entries(disk.files()).filter(([path]) => path.includes("/conflicts/"));
  expect(copies.map(([, text]) => text).join()).toContain("a note of mine");

  await disk.rename(`/w/${DIR}/ferries.jsonl`, `/w/${DIR}/stranger.jsonl`);
  const third = openShelf(disk);
  await third.load();
  expect(third.messagesOf(topic("ferries")).map(({ message }) => message.id)).toEqual(["1", "2"]);
  expect(Object.keys(disk.files()).some((path) => path.includes("stranger"))).toBe(false);
});

test("a file that another hand put in the way is kept, beside", async () => {
  const disk = memoryDisk();
  await through(disk);
  disk.writeInPlace(`/w/${DIR}/tea.jsonl`, "lines of mine\n");
  const shelf = openShelf(disk);
  await shelf.open(topic("tea"));
  expect(shelf.messagesOf(topic("tea")).map(({ message }) => message.id)).toEqual(["3", "6"]);
  const kept = Object.entries(disk.files()).filter(([, text]) => text.includes("lines of mine"));
  expect(kept.map(([path]) => path.startsWith("/w/conflicts/"))).toEqual([true]);
});

test("forgetting takes messages from every file, and names that were made of them", async () => {
  const disk = memoryDisk();
  const shelf = openShelf(disk);
  await through(disk, shelf);
  await shelf.forget((id) => id === "3" || id === "7");
  expect([...placesOf(disk).keys()].sort()).toEqual(["1", "2", "4", "5", "6"]);
  const all = Object.values(disk.files()).join("\n");
  expect(all).not.toContain("said 3");
  expect(all).not.toContain('"Tea"');
  const again = openShelf(disk);
  await again.load();
  expect(again.topics.get(topic("tea"))).toMatchObject({ name: "", ids: ["6"] });
});

test("folders of users never stand in each other's way", () => {
  const users = ["local", "users", "archived", "a/b", "..", "lin"];
  const dirs = users.map((user) => topicsDir({ scope: "main" as ScopeId, user }));
  expect(new Set(dirs).size).toBe(users.length);
  expect(dirs.every((dir) => !dir.split("/").includes(".."))).toBe(true);
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (user) => {
      const dir = topicsDir({ scope: "main" as ScopeId, user });
      return user === "local" || /^memory\/topics\/users\/[^/]+$/.test(dir);
    }),
  );
});
