import fc from "fast-check";
import { expect, test } from "vitest";
import { passReason } from "../../src/archive/due.js";
import { trimOf, type Trimmable } from "../../src/archive/trim.js";
import { DEFAULT_SETTINGS } from "../../src/model/settings.js";
import { HOUR_MS, later } from "../../src/model/time.js";
import { instant, openDesk, said } from "../support/archive-desk.js";

const limits = DEFAULT_SETTINGS.history;
const entry = (archived: boolean, more: Partial<Trimmable> = {}): Trimmable => ({
  archived,
  bytes: 100,
  callIds: [],
  ...more,
});
const many = (count: number, archived: boolean): Trimmable[] =>
  Array.from({ length: count }, () => entry(archived));

test("over 200 messages the oldest archived ones leave", () => {
  expect([...trimOf(many(205, true), limits).remove]).toEqual([0, 1, 2, 3, 4]);
  expect(trimOf(many(200, true), limits).remove.size).toBe(0);
});

test("what is not archived never leaves, and newer messages do not make up for it", () => {
  const trim = trimOf([...many(10, false), ...many(200, true)], limits);
  expect(trim).toMatchObject({ overSoft: true, overflow: false });
  expect(trim.remove.size).toBe(0);
});

test("past the hard limit archived messages leave until it is met, the newest last", () => {
  const trim = trimOf([...many(290, false), ...many(30, true)], limits);
  expect([...trim.remove]).toEqual(
    Array.from({ length: 20 }, (_unused, index) => (index < 10 ? 290 + index : 290 + index)),
  );
  expect(trim.overflow).toBe(false);
  expect(trimOf(many(301, false), limits)).toMatchObject({ overflow: true });
});

test("ten megabytes count like 300 messages", () => {
  const heavy = Array.from({ length: 11 }, () => entry(true, { bytes: 1024 * 1024 }));
  expect(trimOf(heavy, limits)).toMatchObject({ overflow: false, remove: new Set([0]) });
  expect(trimOf([entry(false, { bytes: 11 * 1024 * 1024 })], limits)).toMatchObject({ overflow: true });
});

test("tool calls and their results leave together or stay together", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          archived: fc.boolean(),
          callIds: fc.subarray(["a", "b", "c", "d"], { maxLength: 2 }),
        }),
        {
          minLength: 190,
          maxLength: 330,
        },
      ),
      (drawn) => {
        const entries = drawn.map(({ archived, callIds }) => entry(archived, { callIds }));
        const { remove } = trimOf(entries, limits);
        for (const index of remove) {
          expect(entries[index]?.archived).toBe(true);
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
