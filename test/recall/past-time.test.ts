/** What is asked of a time that is over is answered with what is of that time. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Address, viewerAt } from "../../src/model/address.js";
import type { Passage } from "../../src/model/passage.js";
import { type Day, epochMs, zoneOf } from "../../src/model/time.js";
import type { Engine } from "../../src/recall/index/engine.js";
import { memoryEngine } from "../../src/recall/index/memory.js";
import { recall, type RecallOptions } from "../../src/recall/recall.js";
import { loadDateHints } from "../../src/text/dates/hints.js";
import { putTexts } from "./passage-samples.js";

const LIN: Address = { user: "lin", scope: "main" as never, session: "main" };
const NOW = "2026-03-18T12:00:00Z";

let engine: Engine;
beforeEach(() => {
  engine = memoryEngine();
});
afterEach(() => engine.close());

const put = (day: string, texts: readonly string[], more: Partial<Passage> = {}): Promise<void> =>
  putTexts(engine, `${more.user ?? "lin"}-${more.kind ?? "message"}-${day}.md`, texts, {
    user: "lin",
    day,
    saidAt: epochMs(Date.parse(`${day}T10:00:00Z`)),
    ...more,
  });

async function found(query: string, options: RecallOptions = {}): Promise<string[]> {
  const hints = await loadDateHints();
  const parts = {
    engine,
    zone: zoneOf("UTC"),
    now: () => epochMs(Date.parse(NOW)),
    settings: { min_score: 0.2, limit: 10 },
    dateHints: (text: string, today: Day) => Promise.resolve(hints(text, today)),
  };
  const { hits } = await recall(parts, query, viewerAt(LIN), options);
  return hits.map(({ passage }) => passage.text);
}

test("what somebody said last month comes before what they said better at another time", async () => {
  await put("2026-01-05", ["The deploy failed: the disk of the deploy machine was full."], {
    speaker: "Marco",
  });
  await put("2026-02-11", ["It failed since a certificate of the deploy had run out."], { speaker: "Marco" });
  await put("2026-02-12", ["Bread and tea."], { speaker: "Ana" });
  await put("2026-03-17", ["Last month why did the deploy fail? The deploy always fails."], {
    speaker: "Ana",
  });
  const [first, ...rest] = await found("why did the deploy fail last month?");
  expect(first).toMatch(/certificate/);
  // What is of another time is still found.
  expect(rest.join(" ")).toMatch(/disk/);
  expect((await found("what did Marco say last month?"))[0]).toMatch(/certificate/);
});

test("however many fit the words better in a large memory", async () => {
  const others = Array.from({ length: 1500 }, (_, n) => `The deploy failed, why? Ticket ${n}.`);
  await put("2026-01-05", others);
  const told =
    "Somebody from the certificate office called about the thing we had put off, so the deploy failed.";
  await put("2026-02-11", [told]);
  expect((await found("why did the deploy fail last month?"))[0]).toBe(told);
});

test("the same in Chinese, and a word for the time is not looked for in what was said", async () => {
  await put("2026-01-05", ["部署失败，因为磁盘满了。"]);
  await put("2026-02-11", ["部署又失败了，证书过期。"]);
  await put("2026-03-17", ["上个月部署失败了，上个月真忙。"]);
  const order = await found("上个月部署为什么失败？");
  expect(order[0]).toBe("部署又失败了，证书过期。");
});

test("asked for a time alone, what was distilled of it comes first, then what was said, and nothing else", async () => {
  await put("2026-03-16", ["A walk by the sea."]);
  await put("2026-03-17", ["Bread and tea.", "The ferry was late."]);
  await put("2026-03-17", ["A day of bread and ferries."], { kind: "day_summary" });
  await put("2026-03-18", ["Nothing yet."]);
  const yesterday = ["A day of bread and ferries.", "The ferry was late.", "Bread and tea."];
  expect((await found("what happened yesterday?")).sort()).toEqual([...yesterday].sort());
  expect((await found("what happened yesterday?"))[0]).toBe(yesterday[0]);
  expect((await found("昨天"))[0]).toBe(yesterday[0]);
  expect(await found("yesterday", { kinds: ["day_summary"] })).toEqual(["A day of bread and ferries."]);
});

test("what only others may read of that time is not there", async () => {
  await put("2026-03-17", ["The ferry was late."]);
  await put("2026-03-17", ["The boat of somebody else."], { user: "mo" });
  await put("2026-03-17", ["Said in another conversation."], {
    level: "session",
    session: "s-2",
    kind: "fact",
  });
  expect(await found("what happened yesterday?")).toEqual(["The ferry was late."]);
});

test("who sets a time is given what is of theirs", async () => {
  await put("2026-01-05", ["The deploy failed: the disk was full."]);
  await put("2026-02-11", ["The deploy failed since a certificate had run out."]);
  expect(await found("why did the deploy fail last month?", { to: { day: "2026-01-31" as Day } })).toEqual([
    "The deploy failed: the disk was full.",
  ]);
});

test("what is of that time and has nothing of the question does not come first", async () => {
  await put("2026-01-05", ["The deploy failed: the disk was full."]);
  await put("2026-02-12", ["Why not bread and tea?"]);
  expect((await found("why did the deploy fail last month?"))[0]).toMatch(/disk/);
});
