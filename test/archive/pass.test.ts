import { expect, test } from "vitest";
import { extractive, failing, instant, openDesk, said, type Model } from "../support/archive-desk.js";
import { MINUTE_MS } from "../../src/model/time.js";

const OLD = "2026-01-10T10:00:00Z";
const NOW = "2026-02-20T12:00:00Z";

test("every message gets exactly one block, and history.json says so", async () => {
  const desk = await openDesk({
    now: NOW,
    files: {
      "history.json": [
        said("a", OLD, "old"),
        said("b", "2026-02-19T10:00:00Z", "new"),
        said("c", "2025-06-01T10:00:00Z", "ancient"),
      ],
    },
  });
  await desk.pass();
  await desk.pass();
  expect(
    desk
      .blocks()
      .map(({ block }) => block.filed.message.id)
      .sort(),
  ).toEqual(["a", "b", "c"]);
  expect(desk.history().map((entry) => entry["archived"])).toEqual([true, true, true]);
  expect(desk.files("memory/summary/")).toEqual([
    "memory/summary/2025-06.md",
    "memory/summary/2026-01-10.md",
  ]);
});

test("a day that several people share is named by no word of theirs, from the moment that it is shared", async () => {
  const day = "2026-02-19T1";
  const mine = [said("a", `${day}0:00:00Z`, "oolong tea in Porto", { user: "lin" })];
  const desk = await openDesk({ now: NOW, files: { "history.json": mine } });
  await desk.pass();
  expect(desk.files("memory/2026-")).toEqual([expect.stringMatching(/oolong/)]);
  const shared = [...mine, said("b", `${day}1:00:00Z`, "divorce papers", { user: "wei" })];
  desk.write("history.json", shared);
  await desk.pass();
  expect(desk.files("memory/2026-")).toEqual(["memory/2026-02-19-mem-a.md"]);
  expect(desk.blocks().map(({ block }) => block.filed.message.id)).toEqual(["a", "b"]);
  desk.clock.set(instant("2026-03-10T12:00:00Z"));
  await desk.pass();
  expect(desk.files("memory/archive/")).toEqual(["memory/archive/2026-02/2026-02-19-mem-a.md"]);
});

test("a group's day is named by its words: all of it is everybody's", async () => {
  const group = { scope: "group:harbor" };
  const desk = await openDesk({
    now: NOW,
    files: {
      "history.json": [
        said("a", "2026-02-19T10:00:00Z", "oolong tea in Porto", { user: "lin", ...group }),
        said("b", "2026-02-19T11:00:00Z", "oolong tea in Lisbon", { user: "wei", ...group }),
      ],
    },
  });
  await desk.pass();
  expect(desk.files("memory/").filter((path) => path.includes("2026-02-19"))).toEqual([
    expect.stringMatching(/oolong/),
  ]);
});

test("messages are pending on the disk before their block is written", async () => {
  const desk = await openDesk({ now: NOW, files: { "history.json": [said("a", OLD, "old")] } });
  const marks: unknown[] = [];
  desk.disk.before((operation, path) => {
    if (operation === "link" && path.includes("/memory/archive/"))
      marks.push(desk.history()[0]?.["archived"]);
  });
  await desk.pass();
  expect(marks).toEqual(["pending"]);
});

test("a failed summary sends its messages back with the retry's next step, and the copy is not doubled", async () => {
  const desk = await openDesk({ now: NOW, files: { "history.json": [said("a", OLD, "old")] } });
  const waitsMin: number[] = [];
  for (let attempt = 1; attempt <= 7; attempt++) {
    await desk.pass(failing);
    const [entry] = desk.history();
    expect(entry).toMatchObject({ archived: false, archiveAttempts: attempt });
    const waitMs = instant(String(entry?.["archiveNextAt"])) - desk.clock.now();
    waitsMin.push(waitMs / MINUTE_MS);
    expect(desk.archive.due(false)).toHaveLength(0);
    desk.clock.set((desk.clock.now() + waitMs) as never);
  }
  expect(waitsMin).toEqual([10, 30, 120, 360, 720, 1440, 1440]);
  expect(desk.events.filter(({ event }) => event === "archive_backlog").length).toBe(3);
  expect(desk.blocks()).toHaveLength(1);
  await desk.pass(extractive);
  expect(desk.history()[0]).toEqual(said("a", OLD, "old", { archived: true }));
  expect(desk.files("queue/summaries/")).toEqual([]);
});

test("the retry survives a restart, a host that drops the archive fields, and a lost .memd folder", async () => {
  const desk = await openDesk({ now: NOW, files: { "history.json": [said("a", OLD, "old")] } });
  await desk.pass(failing);
  await desk.pass(failing, true);
  desk.write("history.json", [said("a", OLD, "old")]);
  await desk.restart();
  expect(desk.history()[0]).toMatchObject({ archived: false, archiveAttempts: 2 });
  expect(desk.archive.due(false)).toHaveLength(0);
  expect(desk.archive.due(true)).toHaveLength(1);
});

test("an empty answer is a failure, not a summary", async () => {
  const desk = await openDesk({ now: NOW, files: { "history.json": [said("a", OLD, "old")] } });
  const empty: Model = async (job) => ({
    to: "done",
    usage: [],
    result: {
      kind: "summary",
      id: job.id,
      by: "test",
      sections: job.sections.map(() => ({ user: "local", text: " \n" })),
    },
  });
  await desk.pass(empty);
  expect(desk.files("memory/summary/")).toEqual([]);
  expect(desk.history()[0]).toMatchObject({ archived: false, archiveAttempts: 1 });
});

test("a message that a crash left pending becomes what its outputs say", async () => {
  const desk = await openDesk({
    now: NOW,
    files: { "history.json": [said("a", OLD, "done"), said("b", "2026-02-19T10:00:00Z", "recent")] },
  });
  await desk.pass();
  const pending = desk.history().map((entry) => ({ ...entry, archived: "pending" }));
  desk.write("history.json", [...pending, said("c", NOW, "never written", { archived: "pending" })]);
  await desk.restart();
  expect(desk.history().map((entry) => entry["archived"])).toEqual([true, true, false]);
});

test("what was published is never asked for again", async () => {
  const desk = await openDesk({
    now: NOW,
    files: { "history.json": [said("a", OLD, "old"), said("b", "2025-06-01T10:00:00Z", "ancient")] },
  });
  let calls = 0;
  const counting: Model = (job) => {
    calls++;
    return extractive(job);
  };
  await desk.pass(counting);
  await desk.restart();
  await desk.pass(counting, true);
  expect(calls).toBe(2);
});

test("a late message for a summarised day joins it, and the old summary is an input", async () => {
  const desk = await openDesk({ now: NOW, files: { "history.json": [said("a", OLD, "first")] } });
  await desk.pass();
  desk.write("history.json", [...desk.history(), said("b", "2026-01-10T11:00:00Z", "second")]);
  let previous: string | undefined;
  await desk.pass((job) => {
    previous = job.sections[0]?.previous;
    return extractive(job);
  });
  expect(previous).toContain("first");
  expect(desk.read("memory/summary/2026-01-10.md")).toContain("second");
  expect(desk.files("memory/archive/")).toHaveLength(1);
  expect(desk.blocks().map(({ block }) => block.filed.message.id)).toEqual(["a", "b"]);
});

test("a summary that a person edited is carried on word for word", async () => {
  const desk = await openDesk({ now: NOW, files: { "history.json": [said("a", OLD, "first")] } });
  await desk.pass();
  const path = "memory/summary/2026-01-10.md";
  desk.write(path, desk.read(path).replace("first", "first (he meant Tuesday!)"));
  desk.write("history.json", [...desk.history(), said("b", "2026-01-10T11:00:00Z", "second")]);
  await desk.pass();
  expect(desk.read(path)).toContain("first (he meant Tuesday!)");
  expect(desk.read(path)).toContain("second");
  desk.write("history.json", [...desk.history(), said("c", "2026-01-10T12:00:00Z", "third")]);
  await desk.pass();
  expect(desk.read(path)).toContain("first (he meant Tuesday!)");
  expect(desk.read(path)).toContain("third");
});

test("a summary that changed while it was being made is not overwritten", async () => {
  const desk = await openDesk({ now: NOW, files: { "history.json": [said("a", OLD, "first")] } });
  await desk.pass();
  desk.write("history.json", [...desk.history(), said("b", "2026-01-10T11:00:00Z", "second")]);
  const path = "memory/summary/2026-01-10.md";
  await desk.pass((job) => {
    desk.write(path, `${desk.read(path)}\nmy own note\n`);
    return extractive(job);
  });
  expect(desk.read(path)).toContain("my own note");
  await desk.pass();
  expect(desk.read(path)).toContain("my own note");
  expect(desk.read(path)).toContain("second");
});

test("outside groups each user's section is made from that user's conversation only", async () => {
  const desk = await openDesk({
    now: NOW,
    files: {
      "history.json": [
        said("a", OLD, "alice's secret", { user: "alice", session: "s1" }),
        { id: "b", role: "agent", text: "answer to alice", createdAt: OLD, session: "s1" },
        said("c", OLD, "bob's secret", { user: "bob", session: "s2" }),
        said("d", OLD, "group talk", { user: "bob", scope: "group:x" }),
        said("e", OLD, "more group talk", { user: "alice", scope: "group:x" }),
      ],
    },
  });
  const seen: Record<string, string[]> = {};
  await desk.pass((job) => {
    for (const section of job.sections)
      seen[`${job.scope}/${section.user ?? "all"}`] = section.utterances.map(({ text }) => text);
    return extractive(job);
  });
  expect(seen).toEqual({
    "main/alice": ["alice's secret", "answer to alice"],
    "main/bob": ["bob's secret"],
    "group:x/all": ["group talk", "more group talk"],
  });
});

test("a private message is kept word for word and never given to a model", async () => {
  const desk = await openDesk({
    now: NOW,
    files: {
      "history.json": [
        said("a", OLD, "public"),
        said("b", OLD, "private", { private: true }),
        said("c", "2026-01-11T10:00:00Z", "private day", { private: true }),
      ],
    },
  });
  const seen: string[] = [];
  await desk.pass((job) => {
    seen.push(...job.sections.flatMap(({ utterances }) => utterances.map(({ text }) => text)));
    return extractive(job);
  });
  expect(seen).toEqual(["public"]);
  expect(desk.blocks()).toHaveLength(3);
  expect(desk.history().map((entry) => entry["archived"])).toEqual([true, true, true]);
});

test("a message that the host removes before it was archived is archived from the journal", async () => {
  const desk = await openDesk({ now: NOW, files: { "history.json": [said("a", OLD, "gone soon")] } });
  desk.write("history.json", []);
  await desk.restart();
  await desk.pass();
  expect(desk.blocks().map(({ block }) => block.filed.message.text)).toEqual(["gone soon"]);
});

test("a block that a person deleted stays deleted, after a restart too", async () => {
  const desk = await openDesk({
    now: NOW,
    files: { "history.json": [said("a", OLD, "keep"), said("b", OLD, "delete me")] },
  });
  await desk.pass();
  const [found] = desk.blocks();
  const text = desk.read(found?.path ?? "");
  desk.write(found?.path ?? "", text.slice(0, text.indexOf("### 10:00:00 user <!-- id=b")));
  await desk.restart();
  desk.write("history.json", [...desk.history(), said("c", OLD, "later")]);
  await desk.pass();
  expect(desk.blocks().map(({ block }) => block.filed.message.id)).toEqual(["a", "c"]);
});

test("a new version replaces its block, unless a person edited that", async () => {
  const desk = await openDesk({
    now: NOW,
    files: { "history.json": [said("a", OLD, "Hel"), said("b", OLD, "Wor")] },
  });
  await desk.pass();
  const [found] = desk.blocks();
  desk.write(found?.path ?? "", desk.read(found?.path ?? "").replace("Wor", "Wor, by hand"));
  desk.write("history.json", [said("a", OLD, "Hello"), said("b", OLD, "World")]);
  await desk.pass();
  expect(desk.blocks().map(({ block }) => block.filed.message.text)).toEqual(["Hello", "Wor, by hand"]);
  expect(desk.events.map(({ event }) => event)).toContain("edit_conflict");
  expect(desk.files("conflicts/")).toHaveLength(1);
  const journal = desk
    .files("journal/")
    .map((path) => desk.read(path))
    .join("");
  expect(journal).toContain("World");
});
