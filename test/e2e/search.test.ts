/** `memd search` and its index, as a user meets them. */
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { atTerminal, cliPlace, type Place } from "../support/cli.js";

const NOW = "2026-03-20T12:00:00Z";

const HISTORY = [
  {
    id: "a",
    role: "user",
    speaker: "Ana",
    text: "Where do we keep the spare key?",
    createdAt: "2026-03-02T10:00:00Z",
  },
  { id: "b", role: "agent", text: "Under the blue flower pot.", createdAt: "2026-03-02T10:01:00Z" },
  { id: "c", role: "user", speaker: "Ana", text: "我最喜欢的茶是龙井。", createdAt: "2026-03-18T10:00:00Z" },
];

async function archived(): Promise<Place> {
  const place = cliPlace({ zone: "UTC", files: { "history.json": HISTORY, "inbox.json": [] } });
  expect((await place.memd(["archive", "--now"], { now: NOW })).code).toBe(0);
  return place;
}

const indexFiles = (place: Place): string[] =>
  place.files(".memd/index").filter((file) => file.endsWith(".sqlite"));

test("a search is answered from an index that stays, and the same without it", async () => {
  const place = await archived();
  const asked = ["search", "--json", "spare key"];
  const first = await place.memd(asked, { now: NOW });
  expect(indexFiles(place).length).toBeGreaterThan(0);
  expect((await place.memd(asked, { now: NOW })).stdout).toBe(first.stdout);
  fs.rmSync(path.join(place.root, ".memd"), { recursive: true });
  expect((await place.memd(asked, { now: NOW })).stdout).toBe(first.stdout);
  place.write("memd.toml", '[index]\nengine = "memory"\n');
  expect((await place.memd(asked, { now: NOW })).stdout).toBe(first.stdout);
});

test("an answer is found by its question, Chinese by a short one, and each hit says why it came", async () => {
  const place = await archived();
  const found = await place.memd(["search", "--explain", "where is the spare key"], { now: NOW });
  expect(found.stdout).toMatch(/Under the blue flower pot\.\n {4}.*neighbours \+\d/);
  expect((await place.memd(["search", "喜欢什么茶"], { now: NOW })).stdout).toContain("龙井");
});

test("for a program each hit is what an event is, with its marks, what it answers, and its parts where these are asked for", async () => {
  const place = await archived();
  const asked = async (...args: string[]): Promise<unknown> =>
    JSON.parse((await place.memd([...args, "--json"], { now: NOW })).stdout);
  const hit = {
    id: "memory/archive/2026-03/2026-03-02-flower-spare-blue-key.md#b",
    kind: "message",
    text: "Under the blue flower pot.",
    score: expect.any(Number) as number,
    date: "2026-03-02",
    at: "2026-03-02T10:01:00.000Z",
    source: "memory/archive/2026-03/2026-03-02-flower-spare-blue-key.md:13",
    messageIds: ["b"],
    scope: "main",
    user: "local",
    session: "main",
    role: "agent",
    trust: "agent",
    answers: {
      speaker: "Ana",
      at: "2026-03-02T10:00:00.000Z",
      text: "Where do we keep the spare key?",
      source: "memory/archive/2026-03/2026-03-02-flower-spare-blue-key.md:10",
    },
    marks: [[10, 14]],
  };
  expect(await asked("search", "blue", "--kind", "message", "-n", "1")).toEqual({
    hits: [hit],
    warnings: [],
  });
  expect(await asked("search", "blue", "--kind", "message", "-n", "1", "--explain")).toEqual({
    hits: [{ ...hit, parts: expect.objectContaining({ words: expect.any(Number) as number }) as object }],
    warnings: [],
  });
});

test("at a terminal a person reads by day who said what, and in a pipe, or with --porcelain, a program a line each", async () => {
  const place = await archived();
  const asked = async (env: Record<string, string>, ...args: string[]): Promise<string> =>
    (await place.memd(["search", "blue", "--kind", "message", "-n", "1", ...args], { now: NOW, env })).stdout;
  const source = "memory/archive/2026-03/2026-03-02-flower-spare-blue-key.md:13";
  expect(await asked(atTerminal(60))).toBe(
    [
      "2026-03-02, Monday",
      "  10:01 agent",
      "    Under the blue flower pot.",
      `    ${source}`,
      "    ↳ answers Ana, 10:00: Where do we keep the spare key?",
      "",
    ].join("\n"),
  );
  const colours = { ...atTerminal(200), NO_COLOR: "", FORCE_COLOR: "1" };
  expect(await asked(colours)).toContain(
    `    Under the \u001b[1mblue\u001b[22m flower pot.  \u001b[2m${source}\u001b[22m\n`,
  );
  const line = await asked({});
  expect(line).toMatch(/^memory\/\S+\.md:13 {2}0\.\d\d {2}2026-03-02 {2}Under the blue flower pot\.\n$/);
  expect(await asked(colours, "--porcelain")).toBe(line);
  expect(await asked(atTerminal(200), "--explain")).toMatch(/\n {4}words [^\n]* → 0\.\d\d\n$/);
});

test("as of a day, what was said later is unknown", async () => {
  const place = await archived();
  const asOf = (date: string) => place.memd(["search", "--as-of", date, "龙井"], { now: NOW });
  expect((await asOf("2026-03-10")).stdout).toMatch(/^Nothing found\. Try /);
  expect((await asOf("2026-03-18")).stdout).toContain("龙井");
  expect(await asOf("someday")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--as-of someday") as string,
  });
});

test("a damaged index is made anew by itself, and by `memd reindex`", async () => {
  const place = await archived();
  const asked = ["search", "--json", "spare key"];
  const whole = (await place.memd(asked, { now: NOW })).stdout;
  for (const file of indexFiles(place))
    fs.writeFileSync(path.join(place.root, file), "no index at all".repeat(999));
  expect((await place.memd(asked, { now: NOW })).stdout).toBe(whole);
  for (const file of indexFiles(place)) fs.truncateSync(path.join(place.root, file), 5000);
  const made = await place.memd(["reindex"], { now: NOW });
  expect(made).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Indexed \d+ passages of \d+ files? \(sqlite\)\.\n$/) as string,
  });
  expect((await place.memd(asked, { now: NOW })).stdout).toBe(whole);
});

test.each([
  ["control characters", "\u0007\u001b[31m key", ""],
  ["a question of 100 KB", "spare key ".repeat(10_000), "first 4,000 characters"],
  ["a list of numbers", "key 1,2,3 0,000,000,00", ""],
  ["nothing but signs", "?!* \"' OR AND NOT ( NEAR", ""],
  ["what looks like a query of the index", '"spare" OR key* ^x -y col:z', ""],
])("%s are answered, not choked on", async (_what, query, warning) => {
  const place = await archived();
  const { code, stderr } = await place.memd(["search", "--", query], { now: NOW });
  expect(code).toBe(0);
  expect(stderr).toContain(warning);
  expect(stderr === "").toBe(warning === "");
});

test("a filter that names nobody finds nothing", async () => {
  const place = await archived();
  for (const filter of ["--user", "--session", "--scope"])
    expect((await place.memd(["search", filter, "nobody", "key"], { now: NOW })).stdout).toMatch(
      /^Nothing found\. Try /,
    );
});

test("a line of a million characters is kept, indexed and found", async () => {
  const text = `${"word ".repeat(100_000)}zanzibar${"x".repeat(400_000)} ${"长".repeat(100_000)}紫砂壶`;
  const long = { id: "d", role: "user", text, createdAt: "2026-03-02T11:00:00Z" };
  const place = cliPlace({ zone: "UTC", files: { "history.json": [...HISTORY, long], "inbox.json": [] } });
  expect((await place.memd(["archive", "--now"], { now: NOW })).code).toBe(0);
  const found = await place.memd(["search", "--json", "紫砂壶"], { now: NOW });
  expect([found.code, found.stderr]).toEqual([0, ""]);
  const { hits } = JSON.parse(found.stdout) as { hits: { messageIds: string[] }[] };
  expect(hits[0]?.messageIds).toEqual(["d"]);
});
