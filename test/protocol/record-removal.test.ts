/** Records that go for good, and the lines around them. */
import { expect, test } from "vitest";
import { systemRandom } from "../../src/platform/clock.js";
import type { ScopeId } from "../../src/model/address.js";
import type { FileWriter } from "../../src/protocol/publish.js";
import { recordFiles } from "../../src/protocol/records.js";
import {
  plannedRemoval,
  removeRecords,
  type Removal,
  type Removed,
} from "../../src/protocol/record-removal.js";
import { RecordStore } from "../../src/historian/record-store.js";
import { instant } from "../support/archive-desk.js";
import { handClock } from "../support/hand-clock.js";
import { memoryDisk, type MemoryDisk } from "../support/memory-disk.js";

const NOW = "2026-03-02T12:00:00Z";
const workspace = { root: "/w" };
const place = { scope: "main" as ScopeId };
const MONTH = "/w/memory/records/2026-03.jsonl";
const EARLIER = "/w/memory/records/2026-02.jsonl";

const line = (id: string, more: object = {}): string =>
  JSON.stringify({
    schema: 1,
    id,
    kind: "event",
    level: "scope",
    scope: "main",
    session: "main",
    user: "lin",
    text: `What ${id} says.`,
    at: NOW,
    recordedAt: NOW,
    isAbsolute: true,
    sources: [],
    trust: "agent",
    ...more,
  });

async function shelved(files: Record<string, string>): Promise<{ disk: MemoryDisk; writer: FileWriter }> {
  const clock = handClock(instant(NOW));
  const disk = memoryDisk(() => clock.now());
  await disk.makeDir("/w/memory/records/users");
  for (const [file, text] of Object.entries(files)) disk.writeInPlace(file, text);
  return { disk, writer: { disk, random: systemRandom, guard: () => Promise.resolve() } };
}

async function removed(writer: FileWriter, removal: Removal): Promise<Removed> {
  return removeRecords(writer, workspace, await recordFiles(writer.disk, workspace, place), removal);
}

const ofSession = (session: string): Removal => ({ goes: (keys) => keys.session === session });

test("the lines go, and every other one stays byte for byte", async () => {
  const mine = `  {"id": "odd",   "note": "a person's"}\n# no json\n\n`;
  const { disk, writer } = await shelved({
    [MONTH]: `${line("a")}\n${mine}${line("b", { session: "s" })}\n${line("c")}\n`,
  });
  expect(await removed(writer, ofSession("s"))).toEqual({ ids: ["b"], lines: 1 });
  expect(disk.files()[MONTH]).toBe(`${line("a")}\n${mine}${line("c")}\n`);
});

test("a plan says what would go and takes nothing", async () => {
  const text = `${line("a")}\n${line("b", { session: "s" })}\n`;
  const { disk, writer } = await shelved({ [MONTH]: text });
  const files = ["memory/records/2026-03.jsonl"];
  expect(await plannedRemoval(writer, workspace, files, ofSession("s"))).toEqual({ ids: ["b"], lines: 1 });
  expect(disk.files()[MONTH]).toBe(text);
});

test("a file of which nothing is left goes", async () => {
  const { disk, writer } = await shelved({ [MONTH]: `${line("b", { session: "s" })}\n` });
  await removed(writer, ofSession("s"));
  expect(disk.files()[MONTH]).toBeUndefined();
});

test("a record made of two goes back to what it was before it met the one that goes", async () => {
  const before = line("a", { sources: ["m-1"] });
  const { disk, writer } = await shelved({
    [MONTH]: `${before}\n${line("a", { text: "What both say.", sources: ["m-1", "m-2"] })}\n`,
  });
  const removal: Removal = { goes: ({ sources }) => sources.includes("m-2") };
  expect(await removed(writer, removal)).toEqual({ ids: [], lines: 1 });
  expect(disk.files()[MONTH]).toBe(`${before}\n`);
});

test("what was overruled by a record that goes holds again, in another file too", async () => {
  const { disk, writer } = await shelved({
    [EARLIER]: `${line("old", { supersededBy: "new", supersededAt: NOW })}\n`,
    [MONTH]: `${line("new", { supersedes: "old", session: "s" })}\n${line("c")}\n`,
  });
  await removed(writer, ofSession("s"));
  expect(disk.files()[EARLIER]).toBe(`${line("old")}\n`);
  expect(disk.files()[MONTH]).toBe(`${line("c")}\n`);
});

test("a record that was taken back does not come back", async () => {
  const { disk, writer } = await shelved({
    [MONTH]: [line("a"), line("a", { session: "s" }), line("a", { session: "s", text: "" }), ""].join("\n"),
  });
  await removed(writer, ofSession("s"));
  expect(disk.files()[MONTH]).toBe(`${line("a")}\n${line("a", { session: "s", text: "" })}\n`);
  await removed(writer, { goes: ({ id }) => id === "a" });
  expect(disk.files()[MONTH]).toBeUndefined();
});

test("a torn line stays unless it is named, also where it ends within a character", async () => {
  const torn = Buffer.from(`{"schema":1,"id":"t","session":"s","text":"去`).subarray(0, -1);
  const { disk, writer } = await shelved({});
  const whole = Buffer.concat([Buffer.from(`${line("a", { session: "s" })}\n${line("c")}\n`), torn]);
  const out = await disk.create(MONTH);
  await out?.write(whole);
  await out?.close();
  await removed(writer, ofSession("s"));
  expect(await disk.read(MONTH)).toEqual(
    new Uint8Array(Buffer.concat([Buffer.from(`${line("c")}\n`), torn])),
  );
  await removed(writer, {
    goes: () => false,
    goesTorn: (said) => said.includes('"s"'),
  });
  expect(disk.files()[MONTH]).toBe(`${line("c")}\n`);
});

test("what somebody adds while it is being removed stays", async () => {
  const { disk, writer } = await shelved({ [MONTH]: `${line("b", { session: "s" })}\n` });
  let added = false;
  const guard = (): Promise<void> => {
    if (!added) disk.writeInPlace(MONTH, `${disk.files()[MONTH] ?? ""}${line("late")}\n`);
    added = true;
    return Promise.resolve();
  };
  const other = `${line("c")}\n`;
  disk.writeInPlace(MONTH, `${disk.files()[MONTH] ?? ""}${other}`);
  await removed({ ...writer, guard }, ofSession("s"));
  expect(disk.files()[MONTH]).toBe(`${other}${line("late")}\n`);
});

test("a shelf that is open knows what went, and adds beside what stayed", async () => {
  const { disk, writer } = await shelved({
    [MONTH]: `${line("a")}\n${line("b", { session: "s" })}\n`,
  });
  const shelf = new RecordStore(writer, workspace, place);
  await shelf.load();
  const b = shelf.known.get("b");
  await removed(writer, ofSession("s"));
  await shelf.load();
  expect(shelf.known.get("b")).toBeUndefined();
  expect(await shelf.add(b === undefined ? [] : [b], "2026-03" as never)).toBe(1);
  expect(disk.files()[MONTH]?.split("\n")).toHaveLength(3);
});
