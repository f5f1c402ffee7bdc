import { describe, expect, test } from "vitest";
import { rewriteMemory } from "../../src/protocol/memory-file.js";
import { openDesk, said, type Desk } from "../support/archive-desk.js";
import { errno } from "../support/writer.js";

const NOW = "2026-02-20T12:00:00Z";
const HOUR_MS = 3_600_000;
const RECENT = "2026-02-19T10:00:00Z";
const BASE = "# Facts\n\n- lives in Aarhus\n- likes tea\n";

/** A desk whose memory.md memd has just rewritten; the name of the replaced file. */
async function rewritten(
  change = (text: string): string => `${text}- has a cat\n`,
): Promise<{ desk: Desk; old: string }> {
  const desk = await openDesk({ now: NOW, files: { "memory.md": BASE, "history.json": [] } });
  await desk.clock.advance(2000);
  const { writer, workspace, clock } = desk.archive.context;
  await rewriteMemory(writer, workspace, clock, change);
  await desk.archive.look();
  const [old = ""] = desk.files(".memd/displaced/").filter((file) => !file.endsWith(".base"));
  return { desk, old };
}

/** Looks, as the daemon does every second. */
async function looks(desk: Desk, seconds: number): Promise<void> {
  for (let n = 0; n < seconds; n++) {
    await desk.archive.look();
    await desk.clock.advance(1000);
  }
}

const copies = (desk: Desk): string[] => desk.files("conflicts/").map((file) => desk.read(file));
const events = (desk: Desk): string[] => desk.events.map(({ event }) => event);

describe("an editor that saves into the memory.md that memd has replaced", () => {
  test("finds its lines beside those of memd", async () => {
    const { desk, old } = await rewritten();
    desk.write(old, BASE.replace("tea", "green tea"));
    await looks(desk, 3);
    expect(desk.read("memory.md")).toBe(BASE.replace("tea", "green tea") + "- has a cat\n");
    expect(copies(desk)).toEqual([]);
    expect(events(desk)).toContain("late_save_merged");
  });

  test("finds them after a restart too, once", async () => {
    const { desk, old } = await rewritten();
    desk.write(old, `${BASE}- plays go\n`);
    await desk.restart();
    await looks(desk, 3);
    const merged = `${BASE}- plays go\n- has a cat\n`;
    expect(desk.read("memory.md")).toBe(merged);
    // A person takes it out again: it stays out.
    desk.write("memory.md", merged.replace("- plays go\n", ""));
    await desk.restart();
    await looks(desk, 70);
    expect(desk.read("memory.md")).toBe(`${BASE}- has a cat\n`);
    expect(desk.files(".memd/displaced/")).toEqual([]);
  });

  test("while memd is stopped for an hour, finds them when it starts, and the copy goes", async () => {
    const { desk, old } = await rewritten();
    desk.write(old, `${BASE}- plays go\n`);
    await desk.clock.advance(HOUR_MS);
    await desk.restart();
    expect(desk.read("memory.md")).toBe(`${BASE}- plays go\n- has a cat\n`);
    expect(copies(desk)).toEqual([]);
    await looks(desk, 2);
    expect(desk.files(".memd/displaced/").filter((file) => file.startsWith(old))).toEqual([]);
  });

  test("and goes on saving there, is heard every time", async () => {
    const { desk, old } = await rewritten();
    desk.write(old, `${BASE}- plays go\n`);
    await looks(desk, 3);
    desk.write(old, `${BASE}- plays chess\n`);
    await looks(desk, 3);
    expect(desk.read("memory.md")).toBe(`${BASE}- plays chess\n- has a cat\n`);
    expect(copies(desk)).toEqual([]);
  });

  test("is waited for while it saves: half of a save removes nothing", async () => {
    const { desk, old } = await rewritten();
    const after = desk.read("memory.md");
    const edited = `${BASE}- plays go\n`;
    for (let cut = 0; cut < edited.length; cut += 7) {
      desk.write(old, edited.slice(0, cut));
      await desk.clock.advance(400);
      await desk.archive.look();
      expect(desk.read("memory.md")).toBe(after);
    }
    desk.write(old, edited);
    await looks(desk, 3);
    expect(desk.read("memory.md")).toBe(`${edited}- has a cat\n`);
  });

  test("wins where memd changed the same line, and what gave way is kept", async () => {
    const { desk, old } = await rewritten((text) => text.replace("tea", "coffee"));
    desk.write(old, BASE.replace("tea", "green tea"));
    await looks(desk, 3);
    expect(desk.read("memory.md")).toBe(BASE.replace("tea", "green tea"));
    expect(copies(desk)).toEqual([BASE.replace("tea", "coffee")]);
    expect(events(desk)).toContain("edit_conflict");
  });

  test("is merged when memory.md has come to rest, when that takes longer than a minute too", async () => {
    const { desk, old } = await rewritten();
    desk.write(old, `${BASE}- plays go\n`);
    for (let n = 0; n < 200; n++) {
      desk.write("memory.md", `${BASE}- has a cat\n- typing ${n}\n`);
      await desk.clock.advance(500);
      await desk.archive.look();
    }
    expect(desk.read("memory.md")).not.toContain("plays go");
    await looks(desk, 3);
    expect(desk.read("memory.md")).toBe(`${BASE}- plays go\n- has a cat\n- typing 199\n`);
    await looks(desk, 3);
    expect(desk.files(".memd/displaced/").filter((file) => file.startsWith(old))).toEqual([]);
  });

  test.each([
    ["its base is gone", (desk: Desk, old: string) => desk.disk.unlink(`/w/${old}.base`)],
    ["memory.md is gone for good", (desk: Desk) => desk.disk.unlink("/w/memory.md")],
  ])("has its save in conflicts/ when %s", async (_why, take) => {
    const { desk, old } = await rewritten();
    await take(desk, old);
    desk.write(old, `${BASE}- plays go\n`);
    await looks(desk, 70);
    expect(copies(desk)).toEqual([`${BASE}- plays go\n`]);
    expect(events(desk)).toContain("edit_conflict");
    expect(desk.files(".memd/displaced/")).toEqual([]);
  });

  test("loses nothing while memory.md is no text, and is merged when it is one again", async () => {
    const { desk, old } = await rewritten();
    const after = desk.read("memory.md");
    desk.write("memory.md", "a\0b");
    desk.write(old, `${BASE}- plays go\n`);
    await looks(desk, 5);
    expect(desk.read("memory.md")).toBe("a\0b");
    desk.write("memory.md", after);
    await looks(desk, 4);
    expect(desk.read("memory.md")).toBe(`${BASE}- plays go\n- has a cat\n`);
  });
});

test("an editor that renames its memory.md into place right before it is kept is merged", async () => {
  const desk = await openDesk({ now: NOW, files: { "memory.md": BASE, "history.json": [] } });
  await desk.clock.advance(2000);
  let saved = false;
  desk.disk.before(async (operation, path) => {
    if (saved || operation !== "link" || !path.includes("/displaced/memory.md")) return;
    saved = true;
    desk.disk.writeInPlace("/w/.swap", BASE.replace("tea", "green tea"));
    await desk.disk.rename("/w/.swap", "/w/memory.md");
  });
  const { writer, workspace, clock } = desk.archive.context;
  const rewriting = rewriteMemory(writer, workspace, clock, (text) => `${text}- has a cat\n`);
  await looks(desk, 3);
  await rewriting;
  expect(saved).toBe(true);
  expect(desk.read("memory.md")).toBe(BASE.replace("tea", "green tea") + "- has a cat\n");
});

test.each([
  ["saves in place", false],
  ["renames a new file into place", true],
])("a host that %s after the last comparison finds its message in history.json", async (_how, byRename) => {
  const desk = await openDesk({ now: NOW, files: { "history.json": [said("a", RECENT, "hello")] } });
  let saved = false;
  desk.disk.before(async (operation, path) => {
    if (saved || operation !== "link" || !path.includes("/displaced/history.json")) return;
    saved = true;
    const both = JSON.stringify([said("a", RECENT, "hello"), said("b", RECENT, "bye")]);
    desk.disk.writeInPlace(byRename ? "/w/.host" : "/w/history.json", both);
    if (byRename) await desk.disk.rename("/w/.host", "/w/history.json");
  });
  await desk.pass();
  expect(saved).toBe(true);
  await desk.pass();
  expect(desk.history().map((entry) => [entry["id"], entry["archived"]])).toEqual([
    ["a", true],
    ["b", true],
  ]);
  expect(desk.blocks()).toHaveLength(2);
});

describe("an editor that saves into the history.json that memd has replaced", () => {
  /** Replaced when it was marked; then the host has streamed more of "a". */
  async function grown(): Promise<{ desk: Desk; old: string }> {
    const desk = await openDesk({
      now: NOW,
      files: { "history.json": [said("a", RECENT, "Hel"), said("b", RECENT, "bye")] },
    });
    await desk.pass();
    const [old = ""] = desk.files(".memd/displaced/").filter((file) => !file.endsWith(".base"));
    desk.write("history.json", desk.read("history.json").replace("Hel", "Hello"));
    await desk.pass();
    await desk.clock.advance(100);
    return { desk, old };
  }
  const texts = (desk: Desk): unknown[] => desk.history().map(({ text }) => text);

  test("changes what it changed, and not what it had only read before it grew", async () => {
    const { desk, old } = await grown();
    desk.write(old, [said("a", RECENT, "Hel"), said("b", RECENT, "good bye"), said("c", RECENT, "late")]);
    await desk.pass();
    expect(texts(desk)).toEqual(["Hello", "good bye", "late"]);
    await desk.restart();
    await desk.pass();
    expect(texts(desk)).toEqual(["Hello", "good bye", "late"]);
    expect(desk.blocks().map(({ block }) => block.filed.message.text)).toEqual(["Hello", "good bye", "late"]);
    expect(copies(desk)).toEqual([]);
  });

  test("while memd is stopped for an hour, is heard when it starts, and the copy goes", async () => {
    const { desk, old } = await grown();
    desk.write(old, [said("a", RECENT, "Hel"), said("b", RECENT, "good bye"), said("c", RECENT, "late")]);
    await desk.clock.advance(HOUR_MS);
    await desk.restart();
    expect(texts(desk)).toEqual(["Hello", "good bye", "late"]);
    expect(desk.files(".memd/displaced/").filter((file) => file.startsWith(old))).toEqual([]);
    await desk.pass();
    expect(texts(desk)).toEqual(["Hello", "good bye", "late"]);
    expect(copies(desk)).toEqual([]);
  });

  test("in two halves, changes no more than it changed: of half a save nothing is known", async () => {
    const { desk, old } = await grown();
    const late = JSON.stringify([
      said("a", RECENT, "Hel"),
      said("b", RECENT, "bye"),
      said("c", RECENT, "late"),
    ]);
    desk.write(old, late.slice(0, 90));
    await desk.pass();
    await desk.clock.advance(100);
    desk.write(old, late);
    await desk.pass();
    expect(texts(desk)).toEqual(["Hello", "bye", "late"]);
    expect(copies(desk)).toEqual([late.slice(0, 90)]);
  });

  test("and changed what has grown since, has its save in conflicts/", async () => {
    const { desk, old } = await grown();
    const late = JSON.stringify([said("a", RECENT, "Help"), said("b", RECENT, "good bye")], null, 2);
    desk.write(old, late);
    await desk.pass();
    expect(texts(desk)).toEqual(["Hello", "good bye"]);
    expect(copies(desk)).toEqual([late]);
    expect(events(desk)).toContain("edit_conflict");
  });

  test("has its text in the list though memd was killed between the journal and the list", async () => {
    const { desk, old } = await grown();
    desk.write(old, [said("a", RECENT, "Hel"), said("b", RECENT, "good bye")]);
    desk.disk.before((operation, path) => {
      if (operation === "rename" && path.endsWith("history.json")) throw errno("EIO");
    });
    await expect(desk.archive.look()).rejects.toMatchObject({ code: "disk_fault" });
    expect(texts(desk)).toEqual(["Hello", "bye"]);
    desk.disk.before(() => undefined);
    await desk.restart();
    await desk.pass();
    expect(texts(desk)).toEqual(["Hello", "good bye"]);
    expect(desk.blocks().map(({ block }) => block.filed.message.text)).toEqual(["Hello", "good bye"]);
  });

  test("does not write over what a host has changed too, and memd has not looked at yet", async () => {
    const { desk, old } = await grown();
    const late = JSON.stringify([said("a", RECENT, "Hel"), said("b", RECENT, "good bye")], null, 2);
    desk.write(old, late);
    desk.write("history.json", desk.read("history.json").replace('"bye"', '"bye bye"'));
    await desk.pass();
    expect(texts(desk)).toEqual(["Hello", "bye bye"]);
    expect(copies(desk)).toEqual([late]);
  });
});

test.each([
  "memory.md.0123456789abcdef.abcdefgh.base",
  ".memory.md.0123456789abcdef.abcdefgh.base.ijklmnop.tmp",
])("what a killed process left without its file goes in the end: %s", async (left) => {
  const desk = await openDesk({ now: NOW, files: { "history.json": [] } });
  await desk.disk.makeDir("/w/.memd/displaced");
  desk.write(`.memd/displaced/${left}`, BASE);
  await looks(desk, 30);
  expect(desk.files(".memd/displaced/")).toHaveLength(1);
  await looks(desk, 40);
  expect(desk.files(".memd/displaced/")).toEqual([]);
});
