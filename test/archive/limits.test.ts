import fc from "fast-check";
import { expect, test } from "vitest";
import { passReason } from "../../src/archive/owed.js";
import { trimOf, type Trimmable } from "../../src/archive/trim.js";
import { DEFAULT_SETTINGS } from "../../src/model/settings.js";
import { epochMs, HOUR_MS, later } from "../../src/model/time.js";
import { extractive, failing, instant, openDesk, said } from "../support/archive-desk.js";

const limits = DEFAULT_SETTINGS.history;
const MB = 1024 * 1024;

const entry = (settled: boolean, more: Partial<Trimmable> = {}): Trimmable => ({
  settled,
  at: epochMs(0),
  isToday: false,
  bytes: 100,
  callIds: [],
  ...more,
});
const many = (count: number, settled: boolean, more: Partial<Trimmable> = {}): Trimmable[] =>
  Array.from({ length: count }, () => entry(settled, more));
const upTo = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_unused, index) => from + index);

test("over 200 messages the oldest settled ones leave", () => {
  expect([...trimOf(many(205, true), limits).remove]).toEqual([0, 1, 2, 3, 4]);
  expect(trimOf(many(200, true), limits).remove.size).toBe(0);
});

test("the oldest are those said first, wherever they stand", () => {
  const newestFirst = upTo(0, 203).map((index) => entry(true, { at: epochMs(1000 - index) }));
  expect([...trimOf(newestFirst, limits).remove]).toEqual([202, 201, 200]);
});

test("what is not settled never leaves, and newer messages do not make up for it", () => {
  const trim = trimOf([...many(10, false), ...many(200, true)], limits);
  expect(trim).toMatchObject({ overSoft: true, overflow: false });
  expect(trim.remove.size).toBe(0);
});

test("past the hard limit settled messages leave until it is met, but the newest 50 do not", () => {
  const trim = trimOf([...many(260, false), ...many(60, true)], limits);
  expect([...trim.remove]).toEqual(upTo(260, 270));
  expect(trim.overflow).toBe(true);
  expect(trimOf([...many(240, false), ...many(80, true)], limits)).toMatchObject({ overflow: false });
  expect(trimOf(many(301, false), limits)).toMatchObject({ overflow: true });
});

test("all of today's stay, up to 100", () => {
  const today = { isToday: true };
  const trim = trimOf([...many(240, false), ...many(70, true, today)], limits);
  expect(trim).toMatchObject({ remove: new Set(), overflow: true });
  const busy = trimOf([...many(240, false), ...many(130, true, today)], limits);
  expect([...busy.remove]).toEqual(upTo(240, 270));
  expect(busy.overflow).toBe(true);
  const quiet = trimOf(many(240, true, today), limits);
  expect([...quiet.remove]).toEqual(upTo(0, 40));
});

test("ten megabytes count more than the newest 50, down to five", () => {
  const heavy = many(11, true, { bytes: MB });
  expect(trimOf(heavy, limits)).toMatchObject({ overflow: false, remove: new Set([0]) });
  expect([...trimOf(many(11, true, { bytes: 3 * MB }), limits).remove]).toEqual(upTo(0, 6));
  expect(trimOf(many(11, true, { bytes: 3 * MB }), limits).overflow).toBe(true);
  expect(trimOf([entry(false, { bytes: 11 * MB })], limits)).toMatchObject({ overflow: true });
});

test("tool calls and their results leave together or stay together, and nothing that must stay leaves", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          settled: fc.boolean(),
          at: fc.integer({ min: 0, max: 50 }),
          isToday: fc.boolean(),
          callIds: fc.subarray(["a", "b", "c", "d"], { maxLength: 2 }),
        }),
        {
          minLength: 190,
          maxLength: 330,
        },
      ),
      (drawn) => {
        const entries = drawn.map(({ at, ...more }) => entry(more.settled, { ...more, at: epochMs(at) }));
        const { remove } = trimOf(entries, limits);
        const newest = [...entries.keys()].sort(
          (one, other) => (entries[other]?.at ?? 0) - (entries[one]?.at ?? 0) || other - one,
        );
        for (const index of newest.slice(0, 50)) expect(remove.has(index)).toBe(false);
        const today = newest.filter((index) => entries[index]?.isToday);
        for (const index of today.slice(0, 100)) expect(remove.has(index)).toBe(false);
        for (const index of remove) {
          expect(entries[index]?.settled).toBe(true);
          for (const callId of entries[index]?.callIds ?? [])
            for (const [other, { callIds }] of entries.entries())
              if (callIds.includes(callId)) expect(remove.has(other)).toBe(true);
        }
      },
    ),
  );
});

test("a pass starts at 101 messages, after six hours, or at a limit; never with nothing to do", () => {
  const now = instant("2026-02-20T12:00:00Z");
  const state = { due: 1, oldestAt: now, overSoft: false, overflow: false, lastPassAt: undefined, now };
  const settings = DEFAULT_SETTINGS.archive;
  expect(passReason(state, settings)).toBeUndefined();
  expect(passReason({ ...state, due: 100 }, settings)).toBeUndefined();
  expect(passReason({ ...state, due: 101 }, settings)).toBe("messages");
  expect(passReason({ ...state, now: later(now, 6 * HOUR_MS) }, settings)).toBe("interval");
  expect(
    passReason({ ...state, lastPassAt: later(now, HOUR_MS), now: later(now, 6 * HOUR_MS) }, settings),
  ).toBeUndefined();
  expect(passReason({ ...state, overSoft: true }, settings)).toBe("limit");
  expect(passReason({ ...state, overflow: true }, settings)).toBe("overflow");
  expect(passReason({ ...state, due: 0, overflow: true }, settings)).toBeUndefined();
});

test("history.json is kept to its newest 200, and what left is in the archive", async () => {
  const history = Array.from({ length: 250 }, (_unused, index) =>
    said(
      `m${index}`,
      new Date(Date.parse("2026-02-10T00:00:00Z") + index * 3_600_000).toISOString(),
      `text ${index}`,
    ),
  );
  const desk = await openDesk({ now: "2026-02-20T12:00:00Z", files: { "history.json": history } });
  await desk.pass();
  expect(desk.history().map((entry) => entry["id"])).toEqual(history.slice(50).map((entry) => entry["id"]));
  expect(desk.blocks()).toHaveLength(250);
});

const days = (count: number, from: string): Record<string, unknown>[] =>
  Array.from({ length: count }, (_unused, index) =>
    said(
      `${from}-${index}`,
      new Date(Date.parse(`${from}T00:00:00Z`) + index * 60_000).toISOString(),
      `text ${index}`,
    ),
  );

test("a first start on 320 old and 12 new messages keeps the new ones, with no summary made", async () => {
  const history = [...days(320, "2025-11-03"), ...days(12, "2026-02-20")];
  const desk = await openDesk({ now: "2026-02-20T12:00:00Z", files: { "history.json": history } });
  for (let pass = 0; pass < 3; pass++) {
    await desk.pass(failing);
    expect(desk.history().map(({ id }) => id)).toEqual(history.slice(-200).map(({ id }) => id));
  }
  expect(desk.history().map(({ archived }) => archived)).toEqual([
    ...Array.from({ length: 188 }, () => false),
    ...Array.from({ length: 12 }, () => true),
  ]);
  // What has left is owed its summary as before.
  expect(desk.blocks()).toHaveLength(332);
  expect(desk.archive.owed().flatMap(({ days: owing }) => owing.map(({ messages }) => messages))).toEqual([
    320,
  ]);
  await desk.pass(extractive, true);
  expect(desk.archive.owed()).toEqual([]);
  expect(desk.history().every(({ archived }) => archived === true)).toBe(true);
});

test("an answer that has grown since it was archived does not leave before it is archived again", async () => {
  const history = days(201, "2026-02-10");
  const desk = await openDesk({
    now: "2026-02-20T12:00:00Z",
    files: { "history.json": history.slice(0, 200) },
  });
  await desk.pass();
  const [oldest, ...others] = desk.history();
  desk.write("history.json", [{ ...oldest, text: "text 0, and more" }, ...others, history[200]]);
  await desk.archive.look();
  await desk.archive.mirror();
  expect(desk.history()).toHaveLength(201);
  await desk.pass();
  expect(desk.history().map(({ id }) => id)).toEqual(history.slice(1).map(({ id }) => id));
  expect(desk.blocks().map(({ block }) => block.filed.message.text)).toContain("text 0, and more");
});

test("a message whose block a person deleted may leave too", async () => {
  const history = days(201, "2026-02-10");
  const desk = await openDesk({
    now: "2026-02-20T12:00:00Z",
    files: { "history.json": history.slice(0, 200) },
  });
  await desk.pass();
  const [{ path, block } = desk.blocks()[0] ?? expect.fail()] = desk.blocks();
  desk.write(path, desk.read(path).replace(block.raw, ""));
  await desk.restart();
  desk.write("history.json", [...desk.history(), history[200]]);
  await desk.pass();
  expect(desk.history().map(({ id }) => id)).toEqual(history.slice(1).map(({ id }) => id));
  expect(desk.blocks()).toHaveLength(200);
});

test("an overflow is said once, however often it is looked at", async () => {
  const desk = await openDesk({
    now: "2026-02-20T12:00:00Z",
    settings: { history: { soft_limit_messages: 1, hard_limit_messages: 2, hard_limit_mb: 1 } },
    files: { "history.json": [1, 2, 3].map((n) => said(`m${n}`, "2026-02-20T11:00:00Z", `text ${n}`)) },
  });
  await desk.archive.mirror();
  await desk.archive.mirror();
  expect(desk.events.filter(({ event }) => event === "history_overflow")).toHaveLength(1);
});
