/** A workspace leaves and comes back: whole, as chat lines, as a vault; through the built program. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { answerTo } from "../../src/library/running.js";
import type { Day } from "../../src/model/time.js";
import { said } from "../support/archive-desk.js";
import { cliPlace, type Place } from "../support/cli.js";
import { conversation, printLines } from "../support/cli-conversation.js";
import { blocksOf, expectNothingTwice } from "../support/cli-memory.js";
import { talkOf } from "../support/topic-talk.js";

const NOW = { now: "2026-03-05T12:00:00Z" };
const SETTINGS = "[topics]\nenabled = true\nwindow_tokens = 2000\n";
const MEMORY =
  "# Memory\n\n## About me\n\n- I live in Lisbon. <!-- id=k3v9x0aq -->\n\nNo line ends this file";
const SECRET = "zebrafish";
const PROFILE = `---
entity_type: user
entity_id: lin
name: Lin Yue
tags: []
---
- Lin keeps bees. <!-- m=1 -->
`;

const TALK = [
  ...talkOf("ferry", 30, "2026-02-25T10:00:00Z"),
  ...talkOf("tea", 30, "2026-02-27T10:00:00Z"),
  ...talkOf("渡船", 30, "2026-03-01T10:00:00Z"),
  said("secret-1", "2026-03-02T10:00:00Z", `The ${SECRET} tank leaks`, { session: "aquarium" }),
  said("lin-1", "2026-03-03T10:00:00Z", "Where do the [[bees]] winter? ```[[ -f x ]]``` <!-- hm -->", {
    user: "lin",
    speaker: "Lin Yue",
  }),
  said("lin-2", "2026-03-03T10:01:00Z", "```\nan open fence with [[code]]", { user: "lin" }),
];

/** With scopes, days, records, documents, topics, profiles, something forgotten and an edit by hand. */
async function lived(): Promise<Place> {
  const place = cliPlace({
    files: { "memd.toml": SETTINGS, "memory.md": MEMORY, "SOUL.md": "You are Mo.\n", "history.json": TALK },
  });
  place.write("memory/profiles/users/lin.md", PROFILE);
  fs.writeFileSync(
    path.join(place.outside, "past.jsonl"),
    printLines(conversation(120, "2026-02-20" as Day)),
  );
  fs.writeFileSync(path.join(place.outside, "bees.md"), "# Bees\n\nThe hives stand behind the mill.\n");
  const done = async (...args: string[]): Promise<void> => {
    const { code, stderr } = await place.memd(args, NOW);
    expect(stderr).toBe("");
    expect(code).toBe(0);
  };
  await done("import", path.join(place.outside, "past.jsonl"));
  await done("add-document", path.join(place.outside, "bees.md"), "--id", "bees");
  await done("end", "--observe", "The staging database listens on port 5433.", "Clara arrives on Friday.");
  await done("start", "--until-idle");
  await done("archive", "--now");
  await done("forget", "--session", "aquarium", "--yes");
  const [edited] = blocksOf(place).filter(({ message }) => message.text.includes("Lisbon"));
  const day = edited?.path ?? "";
  place.write(day, place.read(day).replace("Lisbon", "Lisboa"));
  return place;
}

/** What must be the same: messages, records, topics and texts. */
function kept(place: Place): Record<string, unknown> {
  const messages = blocksOf(place)
    .map(({ scope, day, message }) => ({ scope, day, message }))
    .sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));
  const files = Object.entries(place.snapshot()).filter(([file]) =>
    /^(?:memory\.md|SOUL\.md|history\.json|memory\/(?:.+\/)?(?:records|documents|profiles|topics|summary)\/.+|memory\/forgotten\.jsonl)$/.test(
      file,
    ),
  );
  return { messages, files: Object.fromEntries(files) };
}

const WORDS =
  "ferry harbour Naxos ticket cabin crossing captain deck timetable island oolong teapot leaves brewing Wuyi roast cup kettle steeping aroma 渡船 码头 船票 航线 海岛 船长 时刻表 甲板 客舱 出海 部署 超时 陈涛 妹妹 雨伞 面馆 北京路 flat Lisboa deploy limit Clara train evening bridge code staging port hives mill bees Friday".split(
    " ",
  );

/** Later than all of it was written, however long that took (what is recorded later is not known yet), and within the hour that ages count in. */
const LATER = { now: "2026-03-05T18:35:00Z" };

async function answers(place: Place): Promise<unknown[]> {
  const daemon = place.launch(["start"], LATER);
  await daemon.says("Ready.");
  const status = await place.memd(["status", "--json"], LATER);
  const { socket } = (JSON.parse(status.stdout) as { owner: { socket: string } }).owner;
  const found: unknown[] = [];
  for (const query of WORDS) {
    const { hits } = (await answerTo(socket, "searchMemories", { query, limit: 10 })) as {
      hits: { passage: { id: string; text: string } }[];
    };
    found.push([query, hits.map(({ passage }) => [passage.id, passage.text])]);
  }
  daemon.kill("SIGTERM");
  await daemon.ended;
  return found;
}

async function imported(from: string, place: Place): Promise<Record<string, unknown>> {
  const { stdout, stderr } = await place.memd(["import", from, "--json"], NOW);
  expect(stderr).toBe("");
  return JSON.parse(stdout) as Record<string, unknown>;
}

test("an export, as a folder or an archive, makes the same workspace of an empty one; again it brings nothing", async () => {
  const place = await lived();
  // Asked first: whoever answers may still do what was left to do.
  const found = await answers(place);
  const before = { kept: kept(place), answers: found };
  expect(JSON.stringify(before.kept)).toContain("port 5433");
  expect(before.answers.filter((each) => (each as [string, unknown[]])[1].length > 0).length).toBeGreaterThan(
    45,
  );
  const targets = [path.join(place.outside, "left"), path.join(place.outside, "left.tar.gz")];
  for (const target of targets) {
    const exported = await place.memd(["export", target], NOW);
    expect(exported.stdout).toContain(`to ${target}.`);
    expect(fs.statSync(target).mode & 0o077).toBe(0);
    const there = cliPlace({ workspace: false });
    await there.memd(["init"], NOW);
    expect(await imported(target, there)).toMatchObject({ restored: true, beside: [] });
    expect(kept(there)).toEqual(before.kept);
    expect(there.read("memory.md")).toBe(MEMORY);
    expect(there.read("memd.toml.imported")).toBe(SETTINGS);
    expect(there.read("memd.toml")).not.toBe(SETTINGS);
    expect(JSON.stringify(there.snapshot())).not.toContain(SECRET);
    expect(await answers(there)).toEqual(before.answers);
    const stood = kept(there);
    expect(await imported(target, there)).toMatchObject({ fresh: 0, records: 0, beside: [] });
    expect(kept(there)).toEqual(stood);
    expectNothingTwice(there);
  }
  expect(fs.readdirSync(place.outside).filter((name) => name.startsWith("."))).toEqual([]);
  const vault = path.join(place.outside, "vault");
  expect((await place.memd(["export", vault, "--vault"], NOW)).code).toBe(0);
  expectVault(vault);
}, 600_000);

test("what a list or a drop of the export holds and its memd never took in comes too, and is counted", async () => {
  const place = cliPlace({ files: { "history.json": TALK } });
  const target = path.join(place.outside, "left");
  expect((await place.memd(["export", target], NOW)).code).toBe(0);
  const late = said("late-1", "2026-03-04T10:00:00Z", "The last ferry was full.");
  fs.writeFileSync(path.join(target, "history.json"), JSON.stringify([...TALK, late]));
  fs.writeFileSync(path.join(target, "inbox.json"), JSON.stringify([late]));
  const there = cliPlace();
  expect(await imported(target, there)).toMatchObject({ restored: true, messages: TALK.length + 1 });
  const lines = (await there.memd(["export", "-", "--messages"], NOW)).stdout.trim().split("\n");
  expect(lines).toHaveLength(TALK.length + 1);
  expectNothingTwice(there);
}, 240_000);

describe("into a workspace that has something", () => {
  const RECORD = JSON.stringify({
    schema: 1,
    id: "r-1",
    kind: "event",
    level: "scope",
    scope: "main",
    text: "The harbour closes at nine.",
    at: "2026-02-01T10:00:00.000Z",
    recordedAt: "2026-02-01T10:00:00.000Z",
    isAbsolute: true,
    sources: ["a-1"],
    trust: "human",
  });
  const THEIRS = [
    said("a-1", "2026-02-01T10:00:00Z", "The kettle is blue."),
    said("a-2", "2026-02-01T10:01:00Z", "The kettle whistles.", { role: "agent" }),
    said("b-1", "2026-02-02T10:00:00Z", "Both know this."),
    said("c-1", "2026-02-03T10:00:00Z", `The ${SECRET} is well.`),
  ];

  test("messages come once, what differs is kept beside, and what was forgotten stays gone", async () => {
    const theirs = cliPlace({
      files: {
        "history.json": THEIRS,
        "memory.md": "- theirs\n",
        "memory/records/2026-02.jsonl": `${RECORD}\n${RECORD.replace("r-1", "r-2").replace("a-1", "c-1")}\n`,
      },
    });
    const target = path.join(theirs.outside, "left.tar.gz");
    expect((await theirs.memd(["export", target], NOW)).code).toBe(0);
    const ours = cliPlace({
      files: {
        "history.json": [THEIRS[2], THEIRS[3], said("o-1", "2026-02-02T11:00:00Z", "Only here.")],
        "memory.md": "- ours\n",
      },
    });
    expect((await ours.memd(["forget", "--id", "c-1", "--yes"], NOW)).code).toBe(0);
    const outcome = await imported(target, ours);
    expect(outcome).toMatchObject({
      restored: false,
      messages: 4,
      fresh: 2,
      records: 1,
      beside: ["memory.md"],
    });
    const ids = blocksOf(ours).map(({ message }) => message.id);
    expect(ids.sort()).toEqual(["a-1", "a-2"]);
    expect((await ours.memd(["export", "-", "--messages"], NOW)).stdout.trim().split("\n")).toHaveLength(4);
    expect(ours.read("memory.md")).toBe("- ours\n");
    expect(JSON.stringify(ours.snapshot())).not.toContain(SECRET);
    expect(ours.read("memory/records/2026-02.jsonl")).toBe(`${RECORD}\n`);
    expect(await imported(target, ours)).toMatchObject({ fresh: 0, records: 0, beside: [], files: 0 });
  }, 240_000);

  test("nothing is put where a memd runs", async () => {
    const place = cliPlace({ files: { "history.json": THEIRS } });
    const target = path.join(place.outside, "left");
    await place.memd(["export", target], NOW);
    const there = cliPlace();
    const daemon = there.launch(["start"], NOW);
    await daemon.says("Ready.");
    const refused = await there.memd(["import", target], NOW);
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain("memd stop");
    expect(there.exists("memory/archive")).toBe(false);
  }, 240_000);
});

test("an export is of one moment while a memd runs and somebody talks", async () => {
  const place = cliPlace({ files: { "history.json": TALK } });
  const daemon = place.launch(["start"], NOW);
  await daemon.says("Ready.");
  const talking = (async () => {
    for (let n = 0; n < 20; n++) await place.memd(["say", `Message ${n} of many`], NOW);
  })();
  const target = path.join(place.outside, "left");
  expect((await place.memd(["export", target], NOW)).code).toBe(0);
  await talking;
  const there = cliPlace();
  const { messages } = (await imported(target, there)) as { messages: number };
  const lines = (await there.memd(["export", "-", "--messages"], NOW)).stdout.trim().split("\n");
  const texts = lines.map((line) => (JSON.parse(line) as { content: string }).content);
  expect(texts).toHaveLength(messages);
  // Each process counts from the same moment, so which of them is the oldest is chance; that none is left out is not.
  const many = texts.filter((text) => text.startsWith("Message "));
  const first = Array.from({ length: many.length }, (_, n) => `Message ${n} of many`);
  expect(many.sort()).toEqual(first.sort());
}, 240_000);

test("where something stands, or would be of the workspace itself, nothing is exported", async () => {
  const place = cliPlace({ files: { "history.json": TALK } });
  fs.mkdirSync(path.join(place.outside, "full"));
  fs.writeFileSync(path.join(place.outside, "full", "x"), "mine");
  fs.writeFileSync(path.join(place.outside, "taken.tar.gz"), "mine");
  for (const target of ["../full", "../taken.tar.gz", "memory/left", ".", "../nowhere/left"])
    expect((await place.memd(["export", target], NOW)).code).toBe(2);
  expect(fs.readdirSync(path.join(place.outside, "full"))).toEqual(["x"]);
  expect(fs.readFileSync(path.join(place.outside, "taken.tar.gz"), "utf8")).toBe("mine");
  expect((await place.memd(["export", "../left", "--since", "2026-03-01"], NOW)).code).toBe(2);
  fs.mkdirSync(path.join(place.outside, "empty"));
  expect((await place.memd(["export", "../empty"], NOW)).code).toBe(0);
  expect(fs.existsSync(path.join(place.outside, "empty", "history.json"))).toBe(true);
}, 240_000);

test("messages are chat lines, oldest first, and come in again as they were", async () => {
  const call = { name: "read", callId: "call_1", input: { file: "a" } };
  const place = cliPlace({
    files: {
      "history.json": [
        said("q", "2026-03-04T10:00:00Z", "Which port?", { user: "lin", speaker: "Lin Yue" }),
        said("c", "2026-03-04T10:00:01Z", "", { role: "agent", tool: call }),
        said("r", "2026-03-04T10:00:02Z", "5433", { role: "tool", tool: { name: "read", callId: "call_1" } }),
        said("g", "2026-02-04T10:00:00Z", "In the group", { scope: "group:g", user: "wei" }),
      ],
    },
  });
  const target = path.join(place.outside, "left.jsonl");
  expect((await place.memd(["export", target, "--messages"], NOW)).code).toBe(0);
  const lines = fs.readFileSync(target, "utf8").trim().split("\n");
  const [first, asked, called, answered] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(first).toMatchObject({ role: "user", content: "In the group", scope: "group:g" });
  expect(asked).toMatchObject({ id: "q", content: "Which port?", name: "Lin Yue", session: "main" });
  expect(called).toMatchObject({
    role: "assistant",
    tool_calls: [{ id: "call_1", type: "function", function: { name: "read", arguments: '{"file":"a"}' } }],
  });
  expect(answered).toMatchObject({ role: "tool", tool_call_id: "call_1", content: "5433" });
  const since = await place.memd(
    ["export", "-", "--messages", "--since", "2026-03-01", "--scope", "main"],
    NOW,
  );
  expect(since.stdout.trim().split("\n")).toEqual(lines.slice(1));
  const there = cliPlace();
  await there.memd(["import", target, "--tools"], NOW);
  expect(blocksOf(there).map(({ message: { id, role, text } }) => ({ id, role, text }))).toEqual(
    expect.arrayContaining([
      { id: "q", role: "user", text: "Which port?" },
      { id: "r", role: "tool", text: "5433" },
    ]),
  );
}, 240_000);

/** Its links lead to its notes, and no comment of memd's is in it. */
function expectVault(vault: string): void {
  const names = fs
    .readdirSync(vault, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"));
  const notes = new Set(names.map((name) => name.replace(/\.md$/, "")));
  const links = names.flatMap((name) => {
    const text = fs.readFileSync(path.join(vault, name), "utf8");
    expect(text).toMatch(/^---\ntags:|^---\ndate:/);
    expect(text).not.toMatch(/<!-- (?:id|m|user|everyone)/);
    return [...withoutCode(text).matchAll(/(?<!\\)\[\[([^\]|#]*)[^\]]*\]\]/g)].map(([, to = ""]) => to);
  });
  expect(links.length).toBeGreaterThan(20);
  expect(links.filter((link) => !notes.has(link))).toEqual([]);
  expect([...notes]).toEqual(expect.arrayContaining(["Home", "Memory", "People/Lin Yue", "Days/2026-03-03"]));
  expect([...notes].filter((note) => note.startsWith("Topics/")).length).toBeGreaterThan(0);
  const day = fs.readFileSync(path.join(vault, "Days/2026-03-03.md"), "utf8");
  expect(day).toContain("**10:00** [[People/Lin Yue|Lin Yue]]");
  expect(day).toContain(String.raw`\[\[bees]]`);
  expect(fs.readFileSync(path.join(vault, "People/Lin Yue.md"), "utf8")).toContain("[[Days/2026-03-03");
}

function withoutCode(text: string): string {
  return text.replace(/^> ```\n(?:>.*\n)*/gm, "").replace(/(`+)[^`]*\1/g, "");
}

test("who forgets is told of exports that may still hold it", async () => {
  const place = cliPlace({ files: { "history.json": TALK } });
  const target = path.join(place.outside, "left.tar.gz");
  await place.memd(["export", target], NOW);
  const { stdout } = await place.memd(["forget", "--id", "lin-1", "--yes"], NOW);
  expect(stdout).toContain(`It may still stand in the export of`);
  expect(stdout).toContain(target);
  const listed = await place.memd(["forget", "--id", "lin-2", "--yes", "--json"], NOW);
  expect(JSON.parse(listed.stdout)).toMatchObject({
    exports: [{ path: target, stands: true }],
  });
  expect(place.exists("queue/exports.json")).toBe(true);
  const again = path.join(place.outside, "again");
  await place.memd(["export", again], NOW);
  expect(fs.existsSync(path.join(again, "queue", "exports.json"))).toBe(false);
}, 240_000);
