import { expect, test } from "vitest";
import { prune, prunePlan } from "../../src/archive/prune.js";
import type { MessageKey } from "../../src/model/address.js";
import { instant, openDesk, said, type Desk } from "../support/archive-desk.js";

const NOW = "2026-02-20T12:00:00Z";
const OLD = "2026-01-10T10:00:00Z";

async function pruned(desk: Desk): Promise<string[]> {
  const shown = new Set<MessageKey>(desk.archive.history.messages.map(({ key }) => key));
  const items = await prunePlan(desk.archive.context, shown);
  await prune(desk.archive.context, items);
  return items.map(({ path, why }) => `${why} ${path}`);
}

const journal = (desk: Desk): string =>
  desk
    .files("journal/")
    .map((path) => desk.read(path))
    .join("");

test("a journal of past days goes once its messages have their blocks; today's stays", async () => {
  const desk = await openDesk({ now: NOW, files: { "history.json": [said("a", OLD, "kept elsewhere")] } });
  await desk.pass();
  expect(await pruned(desk)).toEqual([]);
  desk.clock.set(instant("2026-02-22T12:00:00Z"));
  desk.write("history.json", []);
  await desk.restart();
  expect(await pruned(desk)).toEqual(["journal journal/2026-02-20.jsonl"]);
  expect(desk.files("journal/")).toEqual([]);
  await desk.restart();
  desk.write("history.json", [said("a", OLD, "kept elsewhere")]);
  await desk.pass();
  expect(desk.blocks()).toHaveLength(1);
});

test("what has no block yet stays in the journal", async () => {
  const desk = await openDesk({ now: NOW, files: { "history.json": [said("a", OLD, "not yet written")] } });
  desk.clock.set(instant("2026-02-22T12:00:00Z"));
  expect(await pruned(desk)).toEqual([]);
  expect(journal(desk)).toContain("not yet written");
});

test("a deleted block stays deleted after pruning, while history.json still shows its message", async () => {
  const desk = await openDesk({
    now: NOW,
    files: { "history.json": [said("a", OLD, "stays"), said("b", OLD, "deleted by hand")] },
  });
  await desk.pass();
  const path = desk.blocks()[0]?.path ?? "";
  desk.write(path, desk.read(path).slice(0, desk.read(path).indexOf("### 10:00:00 user <!-- id=b")));
  desk.clock.set(instant("2026-02-22T12:00:00Z"));
  await desk.restart();
  await pruned(desk);
  expect(journal(desk)).not.toContain("deleted by hand");
  await desk.restart();
  await desk.pass();
  expect(desk.blocks().map(({ block }) => block.filed.message.id)).toEqual(["a"]);
});

test("retention removes what the owner named, from the journal too, and nothing brings it back", async () => {
  const desk = await openDesk({
    now: NOW,
    settings: { retention: { archive_days: 30 } },
    files: {
      "history.json": [said("a", OLD, "old enough"), said("b", "2026-02-12T10:00:00Z", "young enough")],
    },
  });
  await desk.pass();
  desk.clock.set(instant("2026-02-22T12:00:00Z"));
  await desk.restart();
  expect(await pruned(desk)).toContainEqual(
    expect.stringMatching(/^archive_days memory\/archive\/2026-01\//),
  );
  expect(journal(desk)).not.toContain("old enough");
  await desk.restart();
  await desk.pass();
  expect(desk.blocks().map(({ block }) => block.filed.message.id)).toEqual(["b"]);
  expect(desk.files("memory/summary/")).toContain("memory/summary/2026-01-10.md");
});

test("after a clock that was set back no older version outlives the newest one", async () => {
  const desk = await openDesk({ now: NOW, files: { "history.json": [said("a", OLD, "first")] } });
  desk.clock.set(instant("2026-02-18T12:00:00Z"));
  desk.write("history.json", [said("a", OLD, "second")]);
  await desk.pass();
  desk.write("history.json", []);
  desk.clock.set(instant(NOW));
  await desk.restart();
  await pruned(desk);
  await desk.restart();
  await desk.pass();
  expect(desk.blocks().map(({ block }) => block.filed.message.text)).toEqual(["second"]);
});

test("a month's summary is as old as the month's last day", async () => {
  const desk = await openDesk({
    now: NOW,
    files: { "history.json": [said("a", "2025-12-10T10:00:00Z", "old")] },
    settings: { retention: { summary_days: 60 } },
  });
  await desk.pass();
  // 31 December and 60 days are 1 March.
  desk.clock.set(instant("2026-03-01T12:00:00Z"));
  expect(await pruned(desk)).not.toContain("summary_days memory/summary/2025-12.md");
  desk.clock.set(instant("2026-03-02T12:00:00Z"));
  expect(await pruned(desk)).toContain("summary_days memory/summary/2025-12.md");
});

test("without a retention nothing but the journal goes", async () => {
  const desk = await openDesk({
    now: NOW,
    files: { "history.json": [said("a", "2020-01-01T10:00:00Z", "six years old")] },
  });
  await desk.pass();
  desk.clock.set(instant("2036-02-22T12:00:00Z"));
  await desk.restart();
  await pruned(desk);
  expect(desk.blocks()).toHaveLength(1);
  expect(desk.files("memory/summary/")).toHaveLength(1);
});

test("after a deleted block and pruning, another message under the same id is still taken in", async () => {
  const desk = await openDesk({
    now: NOW,
    files: { "history.json": [said("1", OLD, "removed by hand", { session: "A" })] },
  });
  await desk.pass();
  const path = desk.blocks()[0]?.path ?? "";
  desk.write(path, desk.read(path).slice(0, desk.read(path).indexOf("### ")));
  desk.write("history.json", []);
  desk.clock.set(instant("2026-02-22T12:00:00Z"));
  await desk.restart();
  await pruned(desk);
  desk.write("history.json", [said("1", "2026-02-22T11:00:00Z", "another one", { session: "B" })]);
  await desk.restart();
  await desk.pass();
  expect(desk.blocks().map(({ block }) => block.filed.message.text)).toEqual(["another one"]);
});

test("an edited block stays edited after pruning, when the host brings its history back", async () => {
  const desk = await openDesk({ now: NOW, files: { "history.json": [said("a", OLD, "original")] } });
  await desk.pass();
  const path = desk.blocks()[0]?.path ?? "";
  desk.write(path, desk.read(path).replace("original", "by hand"));
  desk.write("history.json", [said("b", OLD, "another of that day")]);
  await desk.pass();
  desk.write("history.json", []);
  desk.clock.set(instant("2026-02-22T12:00:00Z"));
  await desk.restart();
  await pruned(desk);
  desk.write("history.json", [said("a", OLD, "original")]);
  await desk.restart();
  await desk.pass();
  expect(desk.blocks().map(({ block }) => block.filed.message.text)).toEqual([
    "by hand",
    "another of that day",
  ]);
});
