import { expect, test } from "vitest";
import { OWNER } from "../../src/model/address.js";
import { MemdError } from "../../src/model/errors.js";
import { planOf } from "../../src/service/plan.js";
import { statusOf } from "../../src/service/status.js";
import { extractive, said } from "../support/archive-desk.js";
import { openStage } from "../support/stage.js";

const NOW = "2026-02-20T12:00:00Z";
const OLD = "2026-01-10T10:00:00Z";

test("a pass that is asked for writes blocks and summaries, and reports them", async () => {
  const stage = await openStage({ "history.json": [said("a", OLD, "old"), said("b", NOW, "new")] });
  await stage.supervisor.start({ watch: false, work: true });
  const report = await stage.supervisor.archiveNow();
  expect(report).toMatchObject({ reason: "asked", messages: 2, made: 1, failed: [] });
  const marks = (JSON.parse(stage.read("history.json")) as { archived: unknown }[]).map(
    ({ archived }) => archived,
  );
  expect(marks).toEqual([true, true]);
  expect((await statusOf(stage.supervisor, "")).archive).toMatchObject({
    unwritten: 0,
    verbatimDays: 2,
    summaries: 1,
    owed: 0,
  });
});

test("without 101 messages or six hours nothing is archived, but everything is journalled and can be found", async () => {
  const stage = await openStage({ "history.json": [said("a", NOW, "the heron nests by the lock")] });
  await stage.supervisor.start({ watch: false, work: true });
  await stage.supervisor.idle();
  expect(Object.keys(stage.disk.files()).filter((file) => file.startsWith("/w/memory/"))).toEqual([]);
  expect(
    (await stage.supervisor.search.find("heron", OWNER)).hits.map(({ passage }) => passage.messageIds),
  ).toEqual([["a"]]);
  expect(stage.read("teller/prompt.md")).toContain("the heron nests by the lock");
});

test("101 messages start a pass by themselves", async () => {
  const many = Array.from({ length: 101 }, (_unused, index) => said(`m${index}`, NOW, `message ${index}`));
  const stage = await openStage({ "history.json": many });
  await stage.supervisor.start({ watch: false, work: true });
  await stage.supervisor.idle();
  expect(stage.events.find(({ event }) => event === "archive_started")).toMatchObject({ reason: "messages" });
});

test("what a plan promises is what the pass then does", async () => {
  const stage = await openStage({
    "history.json": [
      said("a", OLD, "old"),
      said("b", NOW, "new"),
      said("c", "2025-01-01T00:00:00Z", "ancient"),
    ],
  });
  await stage.supervisor.start({ watch: false, work: false });
  await stage.supervisor.settled();
  const plan = await planOf(stage.supervisor.archive);
  expect(plan.summaries.map(({ tier, date }) => [tier, date])).toEqual([
    ["month", "2025-01"],
    ["day", "2026-01-10"],
  ]);
  const report = await stage.supervisor.archiveNow();
  expect([report.messages, report.made]).toEqual([plan.messages, plan.summaries.length]);
  expect(await planOf(stage.supervisor.archive)).toMatchObject({ messages: 0, summaries: [], tokens: 0 });
});

test("a full disk is said, nothing is acknowledged, and work goes on when there is room", async () => {
  const stage = await openStage({ "history.json": [] });
  await stage.supervisor.start({ watch: false, work: true });
  await stage.supervisor.idle();
  let writes = 0;
  stage.disk.before((operation) => {
    if (operation !== "write" && operation !== "create" && operation !== "replaceDerived") return;
    writes++;
    throw Object.assign(new Error("no space"), { code: "ENOSPC" });
  });
  stage.write("history.json", [said("a", NOW, "said while the disk was full")]);
  await expect(stage.supervisor.idle()).rejects.toMatchObject({ code: "disk_full" });
  expect((await statusOf(stage.supervisor, "")).trouble).toMatchObject({ code: "disk_full" });
  expect(stage.events.filter(({ event }) => event === "trouble")).toHaveLength(1);
  expect(writes).toBeLessThan(20);
  stage.disk.before(() => undefined);
  while (stage.supervisor.trouble !== undefined) await new Promise((resolve) => setTimeout(resolve, 50));
  await stage.supervisor.archiveNow();
  expect(stage.events.map(({ event }) => event)).toContain("trouble_over");
  expect((JSON.parse(stage.read("history.json")) as unknown[])[0]).toMatchObject({ id: "a", archived: true });
});

test("a tick that has nothing to write does not say that the disk has room again", async () => {
  const stage = await openStage({ "history.json": [said("a", NOW, "x")] });
  await stage.supervisor.start({ watch: false, work: true });
  await stage.supervisor.idle();
  const whole = stage.read("history.json");
  let isFull = true;
  stage.disk.before((operation) => {
    if (isFull && (operation === "write" || operation === "create" || operation === "replaceDerived"))
      throw Object.assign(new Error("no space"), { code: "ENOSPC" });
  });
  stage.write("history.json", [said("b", NOW, "said while the disk was full")]);
  await expect(stage.supervisor.idle()).rejects.toMatchObject({ code: "disk_full" });
  // The host takes it back: nothing is left to do.
  stage.write("history.json", JSON.parse(whole));
  await expect(stage.supervisor.idle()).rejects.toMatchObject({ code: "disk_full" });
  const told = (): string[] =>
    stage.events.map(({ event }) => event).filter((event) => event.startsWith("trouble"));
  expect(told()).toEqual(["trouble"]);
  isFull = false;
  await stage.supervisor.idle();
  expect(told()).toEqual(["trouble", "trouble_over"]);
});

test("an answer whose summary the disk refused is published later without asking the model again", async () => {
  const stage = await openStage({ "history.json": [said("a", OLD, "old")] });
  await stage.supervisor.start({ watch: false, work: true });
  let full = true;
  stage.disk.before((operation, path) => {
    if (full && operation === "create" && path.includes("/summary/"))
      throw Object.assign(new Error("no space"), { code: "ENOSPC" });
  });
  await expect(stage.supervisor.archiveNow()).rejects.toMatchObject({ code: "disk_full" });
  full = false;
  const report = await stage.supervisor.archiveNow();
  expect(report.made).toBe(1);
  expect(stage.jobs).toHaveLength(1);
});

test("who lost the workspace stops without writing", async () => {
  let mine = true;
  const stage = await openStage(
    { "history.json": [said("a", NOW, "x")] },
    { guard: () => (mine ? Promise.resolve() : Promise.reject(new MemdError("ownership_lost", "gone"))) },
  );
  await stage.supervisor.start({ watch: false, work: true });
  await stage.supervisor.idle();
  mine = false;
  const before = stage.disk.files();
  stage.write("history.json", [said("a", NOW, "x"), said("b", NOW, "y")]);
  stage.supervisor.wake();
  expect(await stage.supervisor.ended).toMatchObject({ code: "ownership_lost" });
  const after = { ...stage.disk.files(), "/w/history.json": before["/w/history.json"] };
  expect(after).toEqual(before);
});

test("a job that is cut off by stopping takes no step of the retry", async () => {
  const stage = await openStage(
    { "history.json": [said("a", OLD, "old")] },
    { answer: () => new Promise(() => undefined) },
  );
  await stage.supervisor.start({ watch: false, work: true });
  const asked = stage.supervisor.archiveNow().catch((error: unknown) => error);
  while (stage.jobs.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  await stage.supervisor.stop();
  expect(await asked).toMatchObject({ code: "not_running" });
  expect(Object.keys(stage.disk.files()).filter((file) => file.includes("queue/summaries"))).toEqual([]);
});

test("intake and prompt go on while a summary is being made", async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const stage = await openStage(
    { "history.json": [said("a", OLD, "old")], "inbox.json": [] },
    { answer: async (job) => held.then(() => extractive(job)) },
  );
  await stage.supervisor.start({ watch: false, work: true });
  const asked = stage.supervisor.archiveNow();
  while (stage.jobs.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  stage.write("inbox.json", [said("q", NOW, "are you there?")]);
  await stage.supervisor.settled();
  expect(stage.read("teller/prompt.md")).toContain("are you there?");
  release();
  expect(await asked).toMatchObject({ made: 1 });
});

test("a prompt is made while the disk takes what it answers, says so only then, and is not written twice", async () => {
  const stage = await openStage({ "history.json": [said("a", NOW, "the heron nests by the lock")] });
  await stage.supervisor.start({ watch: false, work: true });
  await stage.supervisor.idle();
  const question = "where does the heron nest?";
  const covered = (): string[] =>
    (JSON.parse(stage.read("teller/prompt.json")) as { inboxIds: string[] }).inboxIds;
  let stood = false;
  let coveredThen: string[] | undefined;
  let prompts = 0;
  stage.disk.before(async (operation, path) => {
    if (operation === "replaceDerived" && path === "/w/teller/prompt.json") prompts += 1;
    if (operation !== "datasync" || !path.includes("/journal/")) return;
    for (let waited = 0; waited < 100 && !stood; waited++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      stood = stage.read("teller/prompt.md").includes(question);
    }
    coveredThen = covered();
  });
  stage.write("inbox.json", [said("b", NOW, question)]);
  await stage.supervisor.idle();
  expect({ stood, coveredThen }).toEqual({ stood: true, coveredThen: [] });
  expect(covered()).toEqual(["b"]);
  expect(prompts).toBe(1);
});

test("a prompt does not say that it covers a message which was taken back before memd had it", async () => {
  const stage = await openStage({ "history.json": [said("a", NOW, "the heron nests by the lock")] });
  await stage.supervisor.start({ watch: false, work: true });
  await stage.supervisor.idle();
  const named: string[] = [];
  let reads = 0;
  stage.disk.before((operation, path) => {
    if (operation === "read" && path === "/w/inbox.json" && ++reads === 2)
      stage.disk.writeInPlace("/w/inbox.json", "[]");
    if (operation === "syncFile" && path === "/w/teller/prompt.json")
      named.push(stage.read("teller/prompt.json"));
  });
  stage.write("inbox.json", [said("gone", NOW, "never mind")]);
  await stage.supervisor.idle();
  expect(reads).toBeGreaterThan(1);
  expect(named.filter((data) => data.includes('"gone"'))).toEqual([]);
  expect(stage.read("teller/prompt.md")).not.toContain("never mind");
});
