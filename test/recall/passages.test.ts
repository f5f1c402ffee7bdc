import { expect, test } from "vitest";
import type { FiledMessage, Message, MessageId } from "../../src/model/message.js";
import { epochMs, parseInstant, zoneOf, type Day, type EpochMs } from "../../src/model/time.js";
import { parseMemory } from "../../src/protocol/memory-md.js";
import { parseSummary, printSections, printSummary } from "../../src/protocol/summary.js";
import { newPreamble, parseVerbatim, printBlock, printVerbatim } from "../../src/protocol/verbatim.js";
import { passagesOfUnfiled, passagesOfVerbatim } from "../../src/recall/message-passages.js";
import { passagesOfMemory, passagesOfSummary } from "../../src/recall/passages.js";
import type { Passage } from "../../src/model/passage.js";
import { scope } from "./passage-samples.js";

const zone = zoneOf("Asia/Shanghai");
const instant = (text: string): EpochMs => parseInstant(text) ?? epochMs(0);

function filed(id: string, text: string, more: Partial<Message> = {}, belongsTo = "local"): FiledMessage {
  const createdAt = more.createdAt ?? "2025-03-04T20:30:00Z";
  return {
    message: { id: id as MessageId, role: "user", text, createdAt, ...more },
    filedAt: instant(createdAt),
    belongsTo,
  };
}

function fileOf(messages: readonly FiledMessage[], of = "main"): { text: string; passages: Passage[] } {
  const day = "2025-03-05" as Day;
  const blocks = messages.map((message) => ({ raw: printBlock(message, zone) }));
  const text = printVerbatim({ day, scope: scope(of), preamble: newPreamble(day), blocks });
  const parsed = parseVerbatim(text);
  if (parsed === undefined) throw new Error("no verbatim file");
  return { text, passages: [...passagesOfVerbatim("memory/2025-03-05-tea.md", parsed, zone)] };
}

test("every message is a passage, with the lines of its block and the local day", () => {
  const { text, passages } = fileOf([
    filed("a", "first\nline two"),
    filed("b", "answer", { role: "agent", session: "s2" }),
  ]);
  expect(passages).toMatchObject([
    {
      id: "memory/2025-03-05-tea.md#a",
      text: "first\nline two",
      day: "2025-03-05",
      user: "local",
      session: "main",
      trust: "human",
      level: "scope",
    },
    { id: "memory/2025-03-05-tea.md#b", text: "answer", session: "s2", trust: "agent", messageIds: ["b"] },
  ]);
  for (const { lines, text: said } of passages) {
    const shown = text
      .split("\n")
      .slice(lines[0] - 1, lines[1])
      .join("\n");
    expect(shown.startsWith("### ")).toBe(true);
    expect(shown.endsWith(said)).toBe(true);
  }
});

test("private and empty messages make none, and leave a gap between their neighbours", () => {
  const { passages } = fileOf([
    filed("a", "one"),
    filed("b", "pin 1234", { private: true }),
    filed("c", "  "),
    filed("d", "four"),
  ]);
  expect(passages.map(({ text }) => text)).toEqual(["one", "four"]);
  expect((passages[1]?.sequence ?? 0) - (passages[0]?.sequence ?? 0)).toBe(3);
});

test("sequences count per session", () => {
  const { passages } = fileOf([filed("a", "1"), filed("b", "x", { session: "s2" }), filed("c", "2")]);
  const [a, b, c] = passages.map(({ sequence }) => sequence ?? NaN);
  expect([(c ?? 0) - (a ?? 0), b]).toEqual([1, a]);
});

test("a tool's message is found by its name, input and result, shortened, and trusted as a tool", () => {
  const tool = { name: "weather", callId: "1", input: { city: "青岛" }, result: "sunny ".repeat(500) };
  const [passage] = fileOf([filed("a", "looked it up", { role: "tool", tool })]).passages;
  expect(passage?.trust).toBe("tool");
  expect(passage?.text).toContain('weather\n{"city":"青岛"}\nsunny');
  expect(passage?.text.length).toBeLessThan(1100);
});

test("what an agent says beside a call is its own, and what it calls and gets is the tool's", () => {
  const tool = { name: "weather", callId: "1", input: { city: "青岛" }, result: "sunny" };
  const said = filed("a", "I shall look it up.", { role: "agent", tool });
  expect(fileOf([filed("q", "Sun?"), said, filed("b", "It is.", { role: "agent" })]).passages).toMatchObject([
    { text: "Sun?", trust: "human" },
    { id: "memory/2025-03-05-tea.md#a", text: "I shall look it up.", trust: "agent", messageIds: ["a"] },
    { text: 'weather\n{"city":"青岛"}\nsunny', trust: "tool", messageIds: ["a"] },
    { text: "It is.", trust: "agent" },
  ]);
  expect(fileOf([filed("a", "", { role: "agent", tool })]).passages).toMatchObject([
    { id: "memory/2025-03-05-tea.md#a", trust: "tool" },
  ]);
});

test("a text that somebody hands over is a document's, not their own words", () => {
  const [passage] = fileOf([filed("a", "The tenant pays the rent.", { scene: "document" })]).passages;
  expect(passage).toMatchObject({ text: "The tenant pays the rent.", trust: "document" });
});

test("secrets are not indexed", () => {
  const [passage] = fileOf([filed("a", "the key is ghp_abcdefghijklmnopqrstuvwxyz0123456789")]).passages;
  expect(passage?.text).not.toContain("ghp_abc");
});

test("a secret that one message names is hidden where the next ones repeat it, and in no others", () => {
  const secret = "Tallow+Fern21";
  const talk = [
    filed("a", `the password for staging is ${secret}`),
    filed("b", `${secret}, got it`),
    ...Array.from({ length: 6 }, (_, n) => filed(`c${n}`, `and then ${n}`)),
    filed("d", `${secret} is a fern`),
  ];
  const shown = fileOf(talk).passages.map(({ text }) => text);
  expect(shown.slice(0, 2).join()).not.toContain(secret);
  expect(shown.at(-1)).toContain(secret);
});

test("a long message is many passages of one message, and none of its words is lost", () => {
  const words = Array.from({ length: 8000 }, (_, n) => `word${n}`);
  const { passages } = fileOf([filed("a", words.join(" "))]);
  expect(passages.length).toBeGreaterThan(3);
  expect(new Set(passages.map(({ id }) => id)).size).toBe(passages.length);
  expect(passages.flatMap(({ text }) => text.split(/\s+/)).filter((word) => word !== "")).toEqual(words);
  for (const { messageIds } of passages) expect(messageIds).toEqual(["a"]);
});

test("so is a long section of memory.md, each with the lines of the section", () => {
  const words = Array.from({ length: 8000 }, (_, index) => `word${index}`);
  const text = `# Notes\n\n## Long\n\n${words.join(" ")}\n`;
  const passages = passagesOfMemory("memory.md", parseMemory(text), instant("2025-03-04T20:30:00Z"), zone);
  const long = passages.filter((passage) => /word\d/.test(passage.text));
  expect(long.length).toBeGreaterThan(3);
  expect(new Set(long.map(({ id }) => id)).size).toBe(long.length);
  expect(new Set(long.map(({ lines }) => lines.join())).size).toBe(1);
  for (const passage of long) expect(passage.text.length).toBeLessThanOrEqual(16_000);
  const found = new Set(long.flatMap((passage) => passage.text.split(/\s+/)));
  expect(words.filter((word) => !found.has(word))).toEqual([]);
});

test("the file's scope counts, and a block copied by hand keeps ids apart", () => {
  const twice = fileOf(
    [filed("a", "tea", { scope: "work" }), filed("a", "tea", { scope: "work" })],
    "work",
  ).passages;
  expect(twice.map(({ scope }) => scope)).toEqual(["work", "work"]);
  expect(new Set(twice.map(({ id }) => id)).size).toBe(2);
});

test("messages that are only in the journal point to their line there", () => {
  const journal = "journal/2025-03-05.jsonl";
  const byPath = passagesOfUnfiled(
    [
      { filed: filed("b", "two"), path: journal, line: 9 },
      { filed: filed("a", "one", { scope: "group:x" }, "ana"), path: journal, line: 3 },
    ],
    zone,
  );
  expect([...byPath].map(([path, passages]) => [path, [...passages]])).toMatchObject([
    [
      journal,
      [
        { id: `${journal}#a`, lines: [3, 3], scope: "group:x", user: "ana" },
        { id: `${journal}#b`, lines: [9, 9], scope: "main" },
      ],
    ],
  ]);
});

test("of much that waits the newest is looked through whole, of what is older the beginning, and no key is cut", () => {
  const key = "sk-ant-api03-Zx9Kq2LmPw7RtYv4BnCd8FgHj3";
  const long = (end: string): string => `${"oolong ".repeat(8_000)}${end}`;
  const old = `${"b ".repeat(2_040)}my key is ${key} and more`;
  const said = [old, "short and old", ...Array.from({ length: 30 }, (_one, index) => long(`end${index}.`))];
  const passages = [
    ...passagesOfUnfiled(
      said.map((text, index) => ({
        filed: { ...filed(`m${index}`, text), filedAt: epochMs(index) },
        path: "journal/x.jsonl",
        line: index + 1,
      })),
      zone,
    ),
  ].flatMap(([, ofPath]) => [...ofPath]);
  const found = passages.map(({ text }) => text).join("\n");
  const ends = said.flatMap((_text, index) => (found.includes(`end${index}.`) ? [index] : []));
  expect(found).toContain("short and old");
  expect(ends).toEqual(Array.from({ length: ends.length }, (_one, index) => 30 - ends.length + index));
  expect(ends.length).toBeGreaterThan(15);
  expect(ends.length).toBeLessThan(25);
  expect(found).not.toContain("Zx9Kq2LmPw7RtYv");
  expect(found).not.toContain(key.slice(0, 12));
});

test("the same id in two scopes of one journal makes two passages", () => {
  const at = { path: "journal/x.jsonl" };
  const [made] = passagesOfUnfiled(
    [
      { ...at, filed: filed("a", "one"), line: 1 },
      { ...at, filed: filed("a", "two", { scope: "work" }), line: 2 },
    ],
    zone,
  );
  const [path, passages = []] = made ?? [];
  expect(path).toBe(at.path);
  expect(new Set([...passages].map(({ id }) => id)).size).toBe(2);
});

test("memory.md is the owner's, by section, the heading searchable", () => {
  const text = "# Me\n\n## Tea\nOnly 乌龙.\n\n## Work\npnpm\n";
  expect(
    passagesOfMemory("memory.md", parseMemory(text), instant("2025-03-04T20:30:00Z"), zone),
  ).toMatchObject([
    {
      id: "memory.md#1",
      level: "owner",
      text: "Tea\nOnly 乌龙.",
      lines: [3, 5],
      day: "2025-03-05",
      kind: "memory",
    },
    { id: "memory.md#2", text: "Work\npnpm" },
  ]);
});

test("summaries are passages of the user of each section, and carry what they cover", () => {
  const body = printSections("2025-03-04", [
    { user: "ana", text: "Ana ran." },
    { user: "bo", text: "Bo slept." },
  ]);
  const covers = [{ day: "2025-03-04" as Day, hash: "aa", messages: 3 }];
  const printed = printSummary({
    tier: "day",
    scope: scope("main"),
    date: "2025-03-04" as Day,
    by: "builtin",
    covers,
    body,
    edited: false,
  });
  const file = parseSummary(printed);
  if (file === undefined) throw new Error("no summary");
  const passages = passagesOfSummary("memory/summary/2025-03-04.md", file);
  expect(passages).toMatchObject([
    {
      user: "ana",
      text: "Ana ran.",
      kind: "day_summary",
      day: "2025-03-04",
      covers: [{ day: "2025-03-04", hash: "aa" }],
    },
    { user: "bo", text: "Bo slept." },
  ]);
  expect(printed.split("\n").slice((passages[0]?.lines[0] ?? 1) - 1)[0]).toContain("user=ana");
});
