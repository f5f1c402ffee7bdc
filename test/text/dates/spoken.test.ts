import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Day, epochMs, zoneOf } from "../../../src/model/time.js";
import { fitOf, loadDateHints } from "../../../src/text/dates/hints.js";
import { loadSpokenDates, type Spoken } from "../../../src/text/dates/spoken.js";

const read = await loadSpokenDates();
const WEDNESDAY = epochMs(Date.parse("2026-01-28T09:30:00Z"));

function said(text: string, zone = "UTC", now = WEDNESDAY): Spoken | undefined {
  return read(text, now, zoneOf(zone));
}

function days(text: string): string | undefined {
  const found = said(text);
  return found === undefined || "at" in found ? undefined : `${found.from} ${found.to}`;
}

describe("a day", () => {
  test.each([
    ["today", "2026-01-28"],
    ["Yesterday", "2026-01-27"],
    ["the day before yesterday", "2026-01-26"],
    ["3 days ago", "2026-01-25"],
    ["three  days ago", "2026-01-25"],
    ["friday", "2026-01-23"],
    ["on Monday", "2026-01-26"],
    ["last friday", "2026-01-23"],
    ["5 May", "2025-05-05"],
    ["Jan 5th", "2026-01-05"],
    ["May 5, 2024", "2024-05-05"],
    ["昨天", "2026-01-27"],
    ["前天", "2026-01-26"],
    ["三天前", "2026-01-25"],
    ["上周五", "2026-01-23"],
    ["5月4号", "2025-05-04"],
  ])("%s", (text, day) => {
    expect(days(text)).toBe(`${day} ${day}`);
  });
});

describe("a week, a month, a year", () => {
  test.each([
    ["last week", "2026-01-19 2026-01-25"],
    ["this week", "2026-01-26 2026-02-01"],
    ["上周", "2026-01-19 2026-01-25"],
    ["two weeks ago", "2026-01-12 2026-01-18"],
    ["last month", "2025-12-01 2025-12-31"],
    ["3 months ago", "2025-10-01 2025-10-31"],
    ["上个月", "2025-12-01 2025-12-31"],
    ["last October", "2025-10-01 2025-10-31"],
    ["october", "2025-10-01 2025-10-31"],
    ["march", "2025-03-01 2025-03-31"],
    ["in Mar", "2025-03-01 2025-03-31"],
    ["january", "2026-01-01 2026-01-31"],
    ["last january", "2025-01-01 2025-01-31"],
    ["this march", "2026-03-01 2026-03-31"],
    ["February 2024", "2024-02-01 2024-02-29"],
    ["october last year", "2025-10-01 2025-10-31"],
    ["十月", "2025-10-01 2025-10-31"],
    ["去年十月", "2025-10-01 2025-10-31"],
    ["前年的11月", "2024-11-01 2024-11-30"],
    ["2025年3月", "2025-03-01 2025-03-31"],
    ["2025年", "2025-01-01 2025-12-31"],
    ["last year", "2025-01-01 2025-12-31"],
    ["去年", "2025-01-01 2025-12-31"],
  ])("%s", (text, expected) => {
    expect(days(text)).toBe(expected);
  });
});

test.each([
  ["2 hours ago", 2 * 60],
  ["an hour ago", 60],
  ["45 minutes ago", 45],
  ["两小时前", 2 * 60],
  ["十分钟以前", 10],
])("%s is a moment, to the minute", (text, minutes) => {
  expect(said(text)).toEqual({ at: WEDNESDAY - minutes * 60_000 });
});

test.each([
  "",
  "someday",
  "soon",
  "yesterday and more",
  "foo yesterday",
  "last blurb",
  "5/10",
  "05.10.2025",
  "13月",
  "february 30",
  "monday to friday",
  "q3",
  "-1 days ago",
  `${"3 days ago ".repeat(40)}`,
])("%j is no date", (text) => {
  expect(said(text)).toBeUndefined();
});

test("today is the day where the workspace is", () => {
  const late = epochMs(Date.parse("2026-01-28T20:00:00Z"));
  expect(said("today", "Asia/Shanghai", late)).toEqual({ from: "2026-01-29", to: "2026-01-29" });
  expect(said("today", "America/Los_Angeles", late)).toEqual({ from: "2026-01-28", to: "2026-01-28" });
});

test("whatever is typed, what comes back begins before it ends", () => {
  const word = fc.constantFrom(
    "last",
    "this",
    "3",
    "十",
    "days",
    "ago",
    "week",
    "may",
    "月",
    "上",
    "前",
    "5",
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 4 }), fc.constantFrom(" ", ""), (words, between) => {
      const found = said(words.join(between));
      if (found !== undefined && "from" in found) expect(found.from <= found.to).toBe(true);
    }),
  );
});

/** A month or a day of any year, where it is asked for, is the last one that there was, where it is typed alone. */
test.each([
  ["last Friday"],
  ["yesterday"],
  ["last week"],
  ["last month"],
  ["two weeks ago"],
  ["in 2022"],
  ["in March"],
  ["on 5 May"],
  ["July 2023"],
  ["May 7th, 2023"],
  ["上周三"],
  ["昨天"],
  ["去年"],
  ["上个月"],
  ["三月份"],
  ["5月4号"],
  ["2023年5月"],
  ["2023年"],
])("%s is a time for a question and by itself", async (typed) => {
  const hints = await loadDateHints();
  const [asked] = hints(`${typed}?`, "2026-01-28" as Day).hints;
  const alone = said(typed);
  if (asked === undefined || alone === undefined || !("from" in alone)) throw new Error("it is none");
  const days = "from" in asked ? [asked.from, asked.to] : undefined;
  if (days !== undefined) expect(days).toEqual([alone.from, alone.to]);
  else expect(fitOf(asked, alone.from)).toBeGreaterThan(0);
});
