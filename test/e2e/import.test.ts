/** A long conversation comes in through `memd import` and through history.json, and nothing of it is lost or doubled. */
import fs from "node:fs";
import { expect, test } from "vitest";
import type { Day } from "../../src/model/time.js";
import { cliPlace, eventually, type Place } from "../support/cli.js";
import { conversation, printLines, type Line } from "../support/cli-conversation.js";
import {
  blocksOf,
  expectNothingTwice,
  expectOldDaysCovered,
  unfinishedFiles,
} from "../support/cli-memory.js";

const TODAY = "2026-06-15" as Day;
const NOW = "2026-06-15T23:00:00Z";
const IMPORTED = conversation(360, TODAY);
/** Two more of the kind, shorter, for the one that is killed on the way. */
const KILLED = conversation(80, TODAY, { months: 3, longest: 20_000 });
const TALKED = conversation(40, TODAY, { months: 3, longest: 20_000 }).map((line, index): Line => {
  const { conversation: _place, ...rest } = line;
  return { ...rest, id: `h${index}` };
});
/** More than go over the socket at once. */
const MANY = Array.from({ length: 4001 }, (_, at) => ({
  conversation: "log",
  role: "user",
  text: `Boat ${at} has left.`,
  createdAt: new Date(Date.UTC(2026, 4, 1, 0, at)).toISOString(),
}));

test("every imported message stands in one verbatim file, unchanged, and every old day is summarised, however often it is repeated", async () => {
  const place = cliPlace({ files: { "talk.jsonl": printLines(IMPORTED) } });
  const first = await place.memd(["import", "talk.jsonl", "--json"], { now: NOW });
  expect(first).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(first.stdout)).toMatchObject({ messages: IMPORTED.length, fresh: IMPORTED.length });
  const again = await place.memd(["import", "talk.jsonl"], { now: NOW });
  expect(again.stdout).toContain(`Imported 0 new messages of ${IMPORTED.length}.`);

  expect(await place.memd(["archive", "--now"], { now: NOW })).toMatchObject({ code: 0, stderr: "" });
  expectAllThere(place, IMPORTED);
  const standing = place.snapshot("memory");

  const report = await place.memd(["archive", "--now", "--json"], { now: NOW });
  expect(JSON.parse(report.stdout)).toMatchObject({ messages: 0, made: 0, failed: [] });

  fs.rmSync(`${place.root}/.memd`, { recursive: true });
  const anew = await place.memd(["archive", "--now", "--json"], { now: NOW });
  expect(JSON.parse(anew.stdout)).toMatchObject({ messages: 0, made: 0, failed: [] });
  const after = await place.memd(["import", "talk.jsonl", "--json"], { now: NOW });
  expect(JSON.parse(after.stdout)).toMatchObject({ messages: IMPORTED.length, fresh: 0 });
  expect(place.snapshot("memory")).toEqual(standing);
  expect(place.exists("history.json")).toBe(false);
});

test("a pass that is killed at ten moments loses and doubles nothing, and leaves no process", async () => {
  const place = cliPlace({ files: { "talk.jsonl": printLines(KILLED), "history.json": TALKED } });
  expect((await place.memd(["import", "talk.jsonl"], { now: NOW })).code).toBe(0);
  const before = published(place);
  const planned = JSON.parse((await place.memd(["archive", "--json"], { now: NOW })).stdout) as {
    days: unknown[];
    summaries: unknown[];
  };
  const files = planned.days.length + planned.summaries.length;
  expect(files).toBeGreaterThan(30);
  for (let kill = 1; kill <= 10; kill++) {
    // First the days of history.json are written, then the summaries: each kill comes later in the pass.
    const share = Math.floor((files * kill) / 11);
    const memd = place.launch(["archive", "--now"], { now: NOW });
    await eventually(`${share} files written`, () => newer(published(place), before) >= share);
    memd.kill("SIGKILL");
    expect((await memd.ended).signal).toBe("SIGKILL");
    await eventually("workers end with their memd", () => place.workers().length === 0);
  }
  expect(await place.memd(["archive", "--now"], { now: NOW })).toMatchObject({ code: 0, stderr: "" });
  expectAllThere(place, [...KILLED, ...TALKED]);
  expect(unfinishedFiles(place)).toEqual([]);
  expect(place.json<{ archived: unknown }[]>("history.json").map(({ archived }) => archived)).toEqual(
    TALKED.map(() => true),
  );
  const last = await place.memd(["archive", "--now", "--json"], { now: NOW });
  expect(JSON.parse(last.stdout)).toMatchObject({ messages: 0, made: 0, failed: [] });
}, 120_000);

test("what has come is found by the question right behind it, also where it came in pieces", async () => {
  const berth = { conversation: "port", role: "user", text: "Our berth is number 4711." };
  const files = {
    "one.jsonl": printLines([{ ...berth, createdAt: "2026-05-30T10:00:00Z" }]),
    "many.jsonl": printLines([...MANY, { ...berth, text: "The crane is number 815.", createdAt: NOW }]),
  };
  const place = cliPlace({ files });
  const daemon = place.launch(["start"], { now: NOW });
  await daemon.says("Ready.");
  for (const [file, asked] of [
    ["one.jsonl", "berth"],
    ["many.jsonl", "crane"],
  ] as const) {
    expect(await place.memd(["import", file], { now: NOW })).toMatchObject({ code: 0, stderr: "" });
    expect((await place.memd(["search", asked], { now: NOW })).stdout).toContain(asked);
  }
  daemon.kill("SIGTERM");
  await daemon.ended;
}, 120_000);

test("lines of two conversations with the same id, and one line twice, are told apart", async () => {
  const said = { id: "1", role: "user", text: "see you at the ferry", createdAt: "2026-06-14T10:00:00Z" };
  const other = { ...said, conversation: "trip" };
  const later = { ...said, createdAt: "2026-06-14T11:00:00Z" };
  const noId = { role: "user", text: "好的", createdAt: "2026-06-14T12:00:00Z" };
  const place = cliPlace();
  const lines = printLines([said, other, later, said, noId, noId]);
  const done = await place.memd(["import", "-", "--json"], { now: NOW, input: `\uFEFF${lines}\n` });
  expect(JSON.parse(done.stdout)).toMatchObject({ messages: 6, fresh: 5 });
  expect(blocksOf(place).map(({ scope, message }) => [scope, message.text])).toEqual([
    ["main", said.text],
    ["main", said.text],
    ["main", "好的"],
    ["main", "好的"],
    ["trip", said.text],
  ]);
});

test("a day it is to come from is one of the workspace's zone; of a project nothing else comes", async () => {
  const place = cliPlace({
    files: { "memd.toml": 'timezone = "Asia/Shanghai"\n', "notes/boat.md": "# Boat\n" },
  });
  const line = (uuid: string, timestamp: string, cwd: string): string =>
    `${JSON.stringify({ type: "user", sessionId: cwd, uuid, timestamp, cwd, message: { role: "user", content: `said ${uuid}` } })}\n`;
  place.write(
    "a.jsonl",
    line("u1", "2026-06-13T15:30:00Z", "/w/boat") + line("u2", "2026-06-13T16:30:00Z", "/w/boat"),
  );
  place.write("b.jsonl", line("u3", "2026-06-14T10:00:00Z", "/w/train"));
  const paths = ["a.jsonl", "b.jsonl", "notes"].map((file) => `${place.root}/${file}`);
  const done = await place.memd(
    ["import", ...paths, "--since", "2026-06-14", "--project", "/w/boat", "--json"],
    { now: NOW },
  );
  expect(JSON.parse(done.stdout)).toMatchObject({
    fresh: 1,
    documents: 0,
    skipped: { "notes, which are of no project": 1 },
  });
  expect(blocksOf(place).map(({ message }) => message.text)).toEqual(["said u2"]);
});

function expectAllThere(place: Place, lines: readonly Line[]): void {
  const shape = (scope: string, text: string, createdAt: string, index: unknown): string =>
    JSON.stringify([scope, createdAt, index, text.length > 2000 ? `${text.length}` : text]);
  const wanted = lines.map(({ conversation: scope = "main", text, createdAt, mood }) =>
    shape(scope, text, createdAt, mood),
  );
  const blocks = blocksOf(place);
  const standing = blocks.map(({ scope, message }) =>
    shape(scope, message.text, message.createdAt, message.extra?.["mood"]),
  );
  expect(standing.sort()).toEqual(wanted.sort());
  const longest = (texts: string[]): string => texts.reduce((a, b) => (b.length > a.length ? b : a));
  expect(longest(blocks.map(({ message }) => message.text)) === longest(lines.map(({ text }) => text))).toBe(
    true,
  );
  for (const { day, path } of blocks) expect(path).toContain(day);
  expectNothingTwice(place);
  expectOldDaysCovered(place, TODAY);
}

/** The published files of the memory tree, each in its present version. */
function published(place: Place): Set<string> {
  const versions = place
    .files("memory")
    .filter((file) => file.endsWith(".md"))
    // One that a pass removes at this moment, a second file of its day, is none.
    .flatMap((file) => {
      const stat = fs.statSync(`${place.root}/${file}`, { throwIfNoEntry: false });
      return stat === undefined ? [] : [`${file} ${stat.mtimeMs}`];
    });
  return new Set(versions);
}

function newer(now: ReadonlySet<string>, before: ReadonlySet<string>): number {
  return [...now].filter((version) => !before.has(version)).length;
}
