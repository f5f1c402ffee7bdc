import { expect, test } from "vitest";
import { isHiddenBy, monthPathOf } from "../../src/recall/standing.js";
import type { Passage } from "../../src/model/passage.js";
import type { Day } from "../../src/model/time.js";
import { said, scope } from "./passage-samples.js";

const covering = (...pairs: string[]): Passage["covers"] & object =>
  pairs.map((pair) => ({ day: pair.split(" ")[0] as Day, hash: pair.split(" ")[1] ?? "" }));
const day = (covers: string, more: Partial<Passage> = {}): Passage =>
  said("day", {
    kind: "day_summary",
    path: "memory/summary/2025-03-04.md",
    covers: covering(covers),
    ...more,
  });
const month = (covers: string[], more: Partial<Passage> = {}): Passage =>
  said("month", {
    kind: "month_summary",
    path: "memory/summary/2025-03.md",
    covers: covering(...covers),
    ...more,
  });

test("a month hides a day whose present hash it lists", () => {
  expect(isHiddenBy(day("2025-03-04 aa"), [month(["2025-03-03 zz", "2025-03-04 aa"])])).toBe(true);
});

test("a day that changed since shows again", () => {
  expect(isHiddenBy(day("2025-03-04 bb"), [month(["2025-03-04 aa"])])).toBe(false);
});

test("a day shows while the month has nothing on it, for that user or at all", () => {
  expect(isHiddenBy(day("2025-03-04 aa"), [])).toBe(false);
  expect(isHiddenBy(day("2025-03-04 aa"), [month(["2025-03-05 aa"])])).toBe(false);
  expect(isHiddenBy(day("2025-03-04 aa"), [month(["2025-03-04 aa"], { user: "ana" })])).toBe(false);
  expect(isHiddenBy(day("2025-03-04 aa"), [month(["2025-03-04 aa"], { scope: scope("work") })])).toBe(false);
});

test("messages are never hidden", () => {
  expect(isHiddenBy(said("tea"), [month(["2025-03-04 aa"])])).toBe(false);
});

test("the month stands beside the day", () => {
  expect(monthPathOf(day("2025-03-04 aa"))).toBe("memory/summary/2025-03.md");
  expect(monthPathOf(day("x", { path: "memory/scopes/a/summary/2025-12-31.md" }))).toBe(
    "memory/scopes/a/summary/2025-12.md",
  );
});
