import { beforeEach, expect, test } from "vitest";
import { type Address, LOCAL_ADDRESS, type ScopeId } from "../../src/model/address.js";
import type { RecordId } from "../../src/model/record.js";
import { settingsSchema } from "../../src/model/settings.js";
import { epochMs } from "../../src/model/time.js";
import { printRecord } from "../../src/protocol/records.js";
import { PromptSources } from "../../src/prompt/sources.js";
import { errno, memoryWorkspace, WORKSPACE } from "../support/writer.js";
import { handClock } from "../support/hand-clock.js";
import type { MemoryDisk } from "../support/memory-disk.js";

const NOW = epochMs(Date.parse("2026-02-20T12:00:00Z"));
const FILE = "memory/records/2026-02.jsonl";
const PROJECT: Address = { ...LOCAL_ADDRESS, scope: "project" as ScopeId };

const line = (id: number, text = `fact ${id}`): string =>
  printRecord({
    id: `r-${id}` as RecordId,
    kind: "fact",
    level: "scope",
    scope: LOCAL_ADDRESS.scope,
    user: LOCAL_ADDRESS.user,
    text,
    at: NOW,
    recordedAt: NOW,
    isAbsolute: true,
    sources: [],
    trust: "human",
  });
const lines = (count: number): string => Array.from({ length: count }, (_, id) => `${line(id)}\n`).join("");

let disk: MemoryDisk;
let sources: PromptSources;
beforeEach(async () => {
  ({ disk } = await memoryWorkspace({ [FILE]: lines(3) }));
  sources = new PromptSources({
    disk,
    clock: handClock(NOW),
    workspace: WORKSPACE,
    settings: settingsSchema.parse({ timezone: "UTC" }),
  });
});

const version = async (viewer = LOCAL_ADDRESS): Promise<string> => {
  sources.look();
  return JSON.stringify(await sources.versionFor(viewer));
};
const records = async (): Promise<number> => {
  sources.look();
  return (await sources.forConversation(LOCAL_ADDRESS)).records?.length ?? 0;
};

test("the version stays while nothing changes, and tells of a record more", async () => {
  const before = await version();
  expect(await version()).toBe(before);
  disk.writeInPlace(`/w/${FILE}`, lines(4));
  expect(await version()).not.toBe(before);
  expect(await records()).toBe(4);
});

test("the version tells of a file more and of a file less, in the scope that they are of", async () => {
  const [before, elsewhere] = [await version(), await version(PROJECT)];
  disk.writeInPlace("/w/memory/records/2026-03.jsonl", lines(1));
  const more = await version();
  expect(more).not.toBe(before);
  await disk.unlink(`/w/${FILE}`);
  expect(await version()).not.toBe(more);
  expect(await version(PROJECT)).toBe(elsewhere);
});

test("the version tells of other words in the other files", async () => {
  const seen = new Set([await version()]);
  for (const text of ["- tea\n", "- tee\n"]) {
    // An editor that saves under the same length in the same millisecond: another inode tells.
    await disk.unlink("/w/memory.md").catch(() => undefined);
    disk.writeInPlace("/w/memory.md", text);
    seen.add(await version());
  }
  expect(seen.size).toBe(3);
});

test("a file of records that cannot be read for a while counts as changed, and again once it can", async () => {
  const before = await version();
  disk.writeInPlace(`/w/${FILE}`, lines(4));
  disk.before((operation, path) => {
    if (operation === "read" && path === `/w/${FILE}`) throw errno("EIO");
  });
  const without = await version();
  expect(without).not.toBe(before);
  expect(await records()).toBe(0);
  disk.before(() => undefined);
  const again = await version();
  expect([before, without]).not.toContain(again);
  expect(await records()).toBe(4);
});

test("the version of ten thousand records is no longer than that of three", async () => {
  const few = await version();
  disk.writeInPlace(`/w/${FILE}`, lines(10_000));
  expect((await version()).length).toBeLessThan(few.length + 20);
});

test("of a file that nobody wrote by hand a part is read, in whole lines: of memory.md the end, of others the beginning", async () => {
  const long = `# First\n\n${"- a line of the log\n".repeat(20_000)}- the newest line\n`;
  for (const name of ["memory.md", "SOUL.md", "AWARENESS.md"]) disk.writeInPlace(`/w/${name}`, long);
  sources.look();
  const { memoryMd, soul, awareness, readInPart } = await sources.forConversation(LOCAL_ADDRESS);
  expect(readInPart).toEqual(["memory.md", "SOUL.md", "AWARENESS.md"]);
  expect(memoryMd).toMatch(/^- a line[^]*- the newest line\n$/);
  for (const text of [soul, awareness]) expect(text).toMatch(/^# First\n[^]*- a line of the log$/);
});

test("of what has room for more, more is read", async () => {
  const context = { tokens: { pinned: 20_000 } };
  const roomy = new PromptSources({
    disk,
    clock: handClock(NOW),
    workspace: WORKSPACE,
    settings: settingsSchema.parse({ timezone: "UTC", context }),
  });
  const long = `# First\n\n${"- a line of the log\n".repeat(20_000)}`;
  disk.writeInPlace("/w/memory.md", long);
  expect(await roomy.forConversation(LOCAL_ADDRESS)).toMatchObject({ memoryMd: long, readInPart: [] });
});
