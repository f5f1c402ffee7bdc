import fc from "fast-check";
import { expect, test } from "vitest";
import { tierOf } from "../../src/archive/retries.js";
import { addDays, daysBetween, monthOf, type Day } from "../../src/model/time.js";
import { openDesk, said } from "../support/archive-desk.js";

const day = (text: string): Day => text as Day;

test("on 31 January December goes by day and November by month; on 1 February December goes by month", () => {
  expect(tierOf(day("2026-01-26"), day("2026-01-31"), 5)).toEqual({ to: "verbatim" });
  expect(tierOf(day("2026-01-25"), day("2026-01-31"), 5)).toEqual({ to: "day", date: "2026-01-25" });
  expect(tierOf(day("2025-12-01"), day("2026-01-31"), 5)).toEqual({ to: "day", date: "2025-12-01" });
  expect(tierOf(day("2025-11-30"), day("2026-01-31"), 5)).toEqual({ to: "month", date: "2025-11" });
  expect(tierOf(day("2025-12-31"), day("2026-02-01"), 5)).toEqual({ to: "month", date: "2025-12" });
  expect(tierOf(day("2026-01-01"), day("2026-02-01"), 5)).toEqual({ to: "day", date: "2026-01-01" });
});

test("a day never goes back to a finer tier as time passes", () => {
  const rank = { verbatim: 0, day: 1, month: 2 };
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 800 }), fc.integer({ min: 0, max: 800 }), (first, more) => {
      const said = day("2024-02-27");
      const earlier = tierOf(said, addDays(said, first), 5);
      const later = tierOf(said, addDays(said, first + more), 5);
      expect(rank[later.to]).toBeGreaterThanOrEqual(rank[earlier.to]);
      if (later.to === "month") expect(later.date).toBe(monthOf(said));
      expect(later.to === "verbatim").toBe(daysBetween(said, addDays(said, first + more)) <= 5);
    }),
  );
});

test("a message lands in the file of its local day, whatever the zone", async () => {
  const late = said("a", "2026-01-31T16:30:00Z", "half past midnight in Shanghai");
  for (const [timezone, expected] of [
    ["Asia/Shanghai", "memory/2026-02-01-"],
    ["America/New_York", "memory/2026-01-31-"],
  ] as const) {
    const desk = await openDesk({ now: "2026-02-01T06:00:00Z", timezone, files: { "history.json": [late] } });
    await desk.pass();
    expect(desk.blocks().map(({ path }) => path.slice(0, expected.length))).toEqual([expected]);
  }
});

test("days that have grown old move to the archive and get their summary; days of a month before last are merged into it", async () => {
  const desk = await openDesk({
    now: "2026-01-10T12:00:00Z",
    files: {
      "history.json": [
        said("a", "2026-01-09T10:00:00Z", "the ferry was late"),
        said("b", "2026-01-10T10:00:00Z", "the ferry was on time"),
      ],
    },
  });
  await desk.pass();
  expect(desk.files("memory/").filter((path) => path.endsWith(".md"))).toHaveLength(2);

  desk.clock.set(Date.parse("2026-01-15T12:00:00Z") as never);
  await desk.pass();
  expect(desk.files("memory/archive/2026-01/")).toHaveLength(1);
  expect(desk.files("memory/summary/")).toEqual(["memory/summary/2026-01-09.md"]);

  desk.clock.set(Date.parse("2026-03-01T12:00:00Z") as never);
  await desk.pass();
  expect(desk.files("memory/summary/")).toEqual([
    "memory/summary/2026-01-09.md",
    "memory/summary/2026-01.md",
  ]);
  const month = desk.read("memory/summary/2026-01.md");
  expect(month).toContain("the ferry was late");
  expect(month).toContain("the ferry was on time");
  expect(desk.blocks().map(({ block }) => block.filed.message.id)).toEqual(["a", "b"]);
});
