import { expect, test } from "vitest";
import { openDesk, said } from "../support/archive-desk.js";

const NOW = "2026-02-20T12:00:00Z";
const RECENT = "2026-02-19T10:00:00Z";

test("an unknown field, an odd entry and the outer shape survive every rewrite", async () => {
  const outer = {
    title: "ours",
    messages: [said("a", RECENT, "hi", { mood: { good: true } }), "not a message", { note: "no text" }],
    tail: 1,
  };
  const desk = await openDesk({ now: NOW, files: { "history.json": outer } });
  await desk.pass();
  const after = JSON.parse(desk.read("history.json")) as typeof outer;
  expect(after).toEqual({
    ...outer,
    messages: [{ ...(outer.messages[0] as object), archived: true }, ...outer.messages.slice(1)],
  });
});

test("a host that adds a message between our look and our rename loses nothing", async () => {
  const desk = await openDesk({ now: NOW, files: { "history.json": [said("a", RECENT, "hello")] } });
  let added = false;
  desk.disk.before((operation, path) => {
    if (added || operation !== "makeDir" || !path.endsWith("/displaced")) return;
    added = true;
    desk.disk.writeInPlace(
      "/w/history.json",
      JSON.stringify([said("a", RECENT, "hello"), said("b", RECENT, "bye")]),
    );
  });
  await desk.pass();
  expect(added).toBe(true);
  expect(desk.history().map((entry) => entry["id"])).toEqual(["a", "b"]);
  await desk.pass();
  expect(desk.history().map((entry) => entry["archived"])).toEqual([true, true]);
});

test("what an editor saves into a replaced file is merged, after a restart too", async () => {
  const desk = await openDesk({ now: NOW, files: { "history.json": [said("a", RECENT, "hello")] } });
  await desk.pass();
  const [displaced] = desk.files(".memd/displaced/");
  desk.write(displaced ?? "", [
    said("a", RECENT, "hello, edited"),
    said("late", RECENT, "saved into the old inode"),
  ]);
  await desk.restart();
  expect(desk.history().map((entry) => [entry["id"], entry["text"]])).toEqual([
    ["a", "hello, edited"],
    ["late", "saved into the old inode"],
  ]);
  await desk.pass();
  expect(desk.blocks().map(({ block }) => block.filed.message.text)).toEqual([
    "hello, edited",
    "saved into the old inode",
  ]);
});

test("a drop goes to journal, history and inbox under its name, and is gone", async () => {
  const desk = await openDesk({ now: NOW, files: { "history.json": [], "inbox.json": [] } });
  await desk.disk.makeDir("/w/inbox.d");
  desk.write("inbox.d/2026-hello.json", { role: "user", text: "hi", createdAt: NOW });
  await desk.archive.look();
  expect(desk.files("inbox.d/")).toEqual([]);
  for (const file of ["history.json", "inbox.json"]) {
    expect((JSON.parse(desk.read(file)) as { id: string }[]).map(({ id }) => id)).toEqual(["2026-hello"]);
  }
  expect(
    desk
      .files("journal/")
      .map((path) => desk.read(path))
      .join(""),
  ).toContain("2026-hello");
  await desk.pass();
  expect(desk.blocks()).toHaveLength(1);
});

test("a drop cut off between any two steps arrives exactly once", async () => {
  for (let step = 0; step < 60; step++) {
    const desk = await openDesk({ now: NOW, files: { "history.json": [], "inbox.json": [] } });
    await desk.disk.makeDir("/w/inbox.d");
    desk.write("inbox.d/one.json", { role: "user", text: "hi", createdAt: NOW });
    let count = 0;
    desk.disk.before((operation) => {
      if (operation === "read" || operation === "stat" || operation === "list" || operation === "readFrom")
        return;
      if (count++ === step) throw Object.assign(new Error("pulled"), { code: "EIO" });
    });
    await desk.archive.look().catch(() => undefined);
    desk.disk.before(() => undefined);
    await desk.restart();
    await desk.pass();
    expect(desk.blocks(), `step ${step}`).toHaveLength(1);
    expect(desk.history(), `step ${step}`).toHaveLength(1);
    expect(JSON.parse(desk.read("inbox.json")), `step ${step}`).toHaveLength(1);
    if (count <= step) return;
  }
  expect.unreachable("the intake of one drop has fewer steps than that");
});

test("a file that stays unreadable is copied, its whole messages are journalled, and it is never overwritten", async () => {
  const desk = await openDesk({ now: NOW, files: { "history.json": [said("a", RECENT, "first")] } });
  await desk.pass();
  const broken =
    JSON.stringify([said("a", RECENT, "first"), said("b", RECENT, "whole")]).slice(0, -1) + ',{"id":"c","te';
  desk.write("history.json", broken);
  const looking = desk.archive.look();
  for (let n = 0; n < 8; n++) await desk.clock.advance(250);
  await looking;
  expect(desk.archive.history.unreadable).toBeDefined();
  expect(desk.events.map(({ event }) => event)).toContain("file_unreadable");
  expect(desk.files("conflicts/")).toHaveLength(1);
  await desk.archive.writeVerbatim();
  await desk.archive.mirror();
  expect(desk.read("history.json")).toBe(broken);
  expect(desk.blocks().map(({ block }) => block.filed.message.id)).toEqual(["a", "b"]);
  desk.write("history.json", [
    said("a", RECENT, "first"),
    said("b", RECENT, "whole"),
    said("c", RECENT, "repaired"),
  ]);
  await desk.pass();
  expect(desk.history().map((entry) => entry["archived"])).toEqual([true, true, true]);
  expect(desk.blocks()).toHaveLength(3);
});

test("a pass that fails at any of its operations loses nothing and doubles nothing", async () => {
  const history = [
    said("a", RECENT, "new"),
    said("b", "2026-01-10T10:00:00Z", "old"),
    said("c", "2025-06-01T10:00:00Z", "ancient"),
  ];
  let steps = 0;
  for (let step = 0; step < 400; step++) {
    const desk = await openDesk({ now: NOW, files: { "history.json": history } });
    let count = 0;
    desk.disk.before(() => {
      if (count++ === step)
        throw Object.assign(new Error("no room"), { code: step % 2 === 0 ? "ENOSPC" : "EIO" });
    });
    await desk.pass().catch(() => undefined);
    steps = Math.max(steps, count);
    desk.disk.before(() => undefined);
    await desk.restart();
    await desk.pass(undefined, true);
    expect(
      desk
        .blocks()
        .map(({ block }) => block.filed.message.id)
        .sort(),
      `step ${step}`,
    ).toEqual(["a", "b", "c"]);
    expect(
      desk.history().map((entry) => entry["archived"]),
      `step ${step}`,
    ).toEqual([true, true, true]);
    expect(desk.files("memory/summary/"), `step ${step}`).toEqual([
      "memory/summary/2025-06.md",
      "memory/summary/2026-01-10.md",
    ]);
    if (count <= step) break;
  }
  expect(steps).toBeGreaterThan(40);
});

test("a hand edit of a verbatim day while it is being written is kept", async () => {
  const desk = await openDesk({ now: NOW, files: { "history.json": [said("a", RECENT, "hello")] } });
  await desk.pass();
  const path = desk.blocks()[0]?.path ?? "";
  desk.write("history.json", [...desk.history(), said("b", RECENT, "second")]);
  let edited = false;
  desk.disk.before((operation, at) => {
    if (edited || operation !== "create" || !at.includes("/memory/.")) return;
    edited = true;
    desk.write(path, desk.read(path).replace("hello", "hello (as I remember it)"));
  });
  await desk.pass();
  expect(edited).toBe(true);
  expect(desk.read(path)).toContain("hello (as I remember it)");
  expect(desk.blocks().map(({ block }) => block.filed.message.id)).toEqual(["a", "b"]);
});

test("a drop waits while a list is broken, is found meanwhile, and arrives when the list is repaired", async () => {
  const desk = await openDesk({
    now: NOW,
    files: { "history.json": [said("a", RECENT, "first")], "inbox.json": [] },
  });
  await desk.disk.makeDir("/w/inbox.d");
  desk.write("history.json", '[{"id":"a"');
  desk.write("inbox.d/one.json", { role: "user", text: "hi", createdAt: NOW });
  const looking = desk.archive.look();
  for (let n = 0; n < 8; n++) await desk.clock.advance(250);
  await looking;
  expect(desk.files("inbox.d/")).toEqual(["inbox.d/one.json"]);
  expect(desk.archive.context.ledger.unsettled().map(({ held }) => held?.message.text)).toContain("hi");
  expect(JSON.parse(desk.read("inbox.json"))).toMatchObject([{ id: "one" }]);
  desk.write("history.json", [said("a", RECENT, "first")]);
  await desk.pass();
  expect(desk.files("inbox.d/")).toEqual([]);
  expect(desk.history().map((entry) => entry["id"])).toEqual(["a", "one"]);
  expect(JSON.parse(desk.read("inbox.json"))).toHaveLength(1);
});

test("a message made private later leaves index, summary and model, and keeps its block", async () => {
  const OLD = "2026-01-10T10:00:00Z";
  const desk = await openDesk({
    now: NOW,
    files: { "history.json": [said("a", OLD, "public"), said("b", OLD, "my pin is four two")] },
  });
  await desk.pass();
  expect(desk.read("memory/summary/2026-01-10.md")).toContain("four two");
  desk.write("history.json", [
    said("a", OLD, "public"),
    said("b", OLD, "my pin is four two", { private: true }),
  ]);
  await desk.pass();
  await desk.pass();
  expect(desk.read("memory/summary/2026-01-10.md")).not.toContain("four two");
  expect(desk.read("memory/summary/2026-01-10.md")).toContain("public");
  expect(desk.blocks().map(({ block }) => block.filed.message.private)).toEqual([undefined, true]);
});

test("what a person deletes from a day leaves its summary too", async () => {
  const OLD = "2026-01-10T10:00:00Z";
  const desk = await openDesk({
    now: NOW,
    files: { "history.json": [said("a", OLD, "keep"), said("b", OLD, "forget the rent")] },
  });
  await desk.pass();
  const path = desk.blocks()[0]?.path ?? "";
  desk.write(path, desk.read(path).slice(0, desk.read(path).indexOf("### 10:00:00 user <!-- id=b")));
  await desk.pass();
  expect(desk.read("memory/summary/2026-01-10.md")).not.toContain("rent");
});

test("a new version waits while the file of its block cannot be read, and is kept beside when the block was deleted", async () => {
  const desk = await openDesk({ now: NOW, files: { "history.json": [said("a", RECENT, "Hel")] } });
  await desk.pass();
  const path = desk.blocks()[0]?.path ?? "";
  const whole = desk.read(path);
  desk.write(path, whole.replace("kind: verbatim", "kind: [verbatim"));
  desk.write("history.json", [said("a", RECENT, "Hello, all of it")]);
  await desk.pass();
  desk.write(path, whole);
  await desk.pass();
  expect(desk.blocks().map(({ block }) => block.filed.message.text)).toEqual(["Hello, all of it"]);
  desk.write(path, desk.read(path).slice(0, desk.read(path).indexOf("### ")));
  desk.write("history.json", [said("a", RECENT, "Hello, even more")]);
  await desk.pass();
  expect(
    desk
      .files("conflicts/")
      .map((file) => desk.read(file))
      .join(""),
  ).toContain("even more");
});

test("a second file of a day is merged, and what it says otherwise is kept beside", async () => {
  const desk = await openDesk({ now: NOW, files: { "history.json": [said("a", RECENT, "as it was")] } });
  await desk.pass();
  const path = desk.blocks()[0]?.path ?? "";
  desk.write(path.replace(".md", "-b.md"), desk.read(path).replace("as it was", "as I remember it"));
  await desk.pass();
  expect(desk.blocks()).toHaveLength(1);
  expect(
    desk
      .files("conflicts/")
      .map((file) => desk.read(file))
      .join(""),
  ).toContain("as I remember it");
  expect(desk.events.map(({ event }) => event)).toContain("edit_conflict");
});

test("a message that a host writes as archived is not removed before memd has seen it", async () => {
  const none = { keep_newest_messages: 0, keep_today_messages: 0 };
  const settings = { history: { soft_limit_messages: 1, hard_limit_messages: 1, ...none } };
  const desk = await openDesk({
    now: NOW,
    settings,
    files: { "history.json": [said("a", RECENT, "first"), said("b", RECENT, "second")] },
  });
  let slipped = false;
  desk.disk.before((operation, path) => {
    if (slipped || operation !== "link" || !path.includes("/displaced/history.json")) return;
    slipped = true;
    const list = desk.history();
    desk.write("history.json", [said("z", RECENT, "slipped in", { archived: true }), ...list]);
  });
  await desk.pass();
  await desk.pass();
  expect(slipped).toBe(true);
  expect(
    desk
      .blocks()
      .map(({ block }) => block.filed.message.text)
      .sort(),
  ).toEqual(["first", "second", "slipped in"]);
});

test("a summary that is no text takes steps of the retry and is left alone", async () => {
  const OLD = "2026-01-10T10:00:00Z";
  const desk = await openDesk({ now: NOW, files: { "history.json": [said("a", OLD, "old")] } });
  await desk.disk.makeDir("/w/memory/summary");
  const out = await desk.disk.create("/w/memory/summary/2026-01-10.md");
  await out?.write(new Uint8Array([0xc4, 0xe3, 0xba, 0xc3]));
  await desk.pass();
  expect(desk.history()[0]).toMatchObject({ archived: false, archiveAttempts: 1 });
  expect(await desk.disk.read("/w/memory/summary/2026-01-10.md")).toEqual(
    new Uint8Array([0xc4, 0xe3, 0xba, 0xc3]),
  );
});
