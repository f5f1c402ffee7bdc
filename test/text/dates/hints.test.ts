import { beforeAll, describe, expect, test } from "vitest";
import type { Day } from "../../../src/model/time.js";
import {
  fitOf,
  loadDateHints,
  mayHoldDate,
  type DateHint,
  type DateHints,
} from "../../../src/text/dates/hints.js";

/** A Wednesday. */
const TODAY = "2026-03-18" as Day;
const span = (from: string, to = from): DateHint => ({ from: from as Day, to: to as Day });
const past = (from: string, to = from): DateHint => ({ from: from as Day, to: to as Day, isPast: true });

let hints: DateHints;
beforeAll(async () => {
  hints = await loadDateHints();
});

test.each<[string, DateHint[]]>([
  ["What did Mel paint in July 2023?", [span("2023-07-01", "2023-07-31")]],
  ["what happened on 5 May", [{ month: 5, day: 5 }]],
  ["the talk of May 7th, 2023", [span("2023-05-07")]],
  ["the meeting on 2023-05-07", [span("2023-05-07")]],
  ["What did we plan in March?", [{ month: 3 }]],
  [
    "between March 3 and March 9",
    [
      { month: 3, day: 3 },
      { month: 3, day: 9 },
    ],
  ],
  ["what did I say last Friday", [past("2026-03-13")]],
  ["what did I say yesterday", [past("2026-03-17")]],
  ["anything from last week?", [past("2026-03-09", "2026-03-15")]],
  ["where did we go last month", [past("2026-02-01", "2026-02-28")]],
  ["the trip two weeks ago", [past("2026-03-02", "2026-03-08")]],
  ["where did she live in 2022", [span("2022-01-01", "2022-12-31")]],
  ["上周三说了什么", [past("2026-03-11")]],
  ["昨天吃了什么", [past("2026-03-17")]],
  ["5月4号我们吃了什么", [{ month: 5, day: 4 }]],
  ["2023年5月的旅行", [span("2023-05-01", "2023-05-31")]],
  ["三月份去了哪里", [{ month: 3 }]],
  ["去年去了哪里", [past("2025-01-01", "2025-12-31")]],
  ["2023年去了哪里", [span("2023-01-01", "2023-12-31")]],
])("%s", (text, expected) => {
  expect(hints(text, TODAY).hints).toEqual(expected);
});

test("a relative date counts where something is asked, not where something is told", () => {
  expect(hints("I was late yesterday. Where is my umbrella?", TODAY).hints).toEqual([]);
  expect(hints("昨天的课真的好无聊，我睡着了。", TODAY).hints).toEqual([]);
  expect(hints("I lost my umbrella. Was it yesterday?", TODAY).hints).toEqual([past("2026-03-17")]);
});

test.each([
  "May I go?",
  "you may like it",
  "they march on",
  "the 3rd one",
  "version 2.1",
  "他喜欢什么茶",
  "room 2023",
])("%s names no date", (text) => {
  expect(hints(text, TODAY).hints).toEqual([]);
});

test.each(["the issue last week, as told on 6 November?", "what ended last Friday on 23 January, 2022?"])(
  "beside a date that is named nothing is seen from today: %s",
  (text) => {
    const { hints: found, rest } = hints(text, TODAY);
    expect(found.filter((hint) => "isPast" in hint)).toEqual([]);
    expect(rest).toBe(text);
  },
);

test.each([
  ["what did Marco say last month?", "what did Marco say  ?"],
  ["上个月部署为什么失败", " 部署为什么失败"],
  ["anything from last week?", "anything from  ?"],
  ["the plan for next week", "the plan for next week"],
  ["what did Mel paint in July 2023?", "what did Mel paint in July 2023?"],
  ["I was late yesterday. Where is my umbrella?", "I was late yesterday. Where is my umbrella?"],
  ["what happened yesterday and last Friday", "what happened   and  "],
])("what is left of %s without the words for what is past", (text, rest) => {
  expect(hints(text, TODAY).rest).toBe(rest);
});

test("a question without anything like a date is not parsed for one", () => {
  expect(mayHoldDate("what tea does Ana like")).toBe(false);
  expect(mayHoldDate("when does the last of 3 ferries leave, and is this the next one")).toBe(false);
  expect(mayHoldDate("what did Ana drink last night")).toBe(true);
  expect(mayHoldDate("上周三")).toBe(true);
});

test.each(["the worker restarts in 5s", "healthz answered 503 for 600 s", "added 1 package in 1s"])(
  "so many seconds are no day: %s",
  (text) => {
    expect(hints(text, TODAY).hints).toEqual([]);
  },
);

describe("a day fits", () => {
  const fit = (hint: DateHint, day: string): number => fitOf(hint, day as Day);
  test("a day that is named, and a day off, whole", () => {
    expect([fit(span("2026-03-10"), "2026-03-10"), fit(span("2026-03-10"), "2026-03-11")]).toEqual([1, 1]);
  });
  test("inside a month that is told as past whole, inside one that is named in part", () => {
    expect([
      fit(past("2026-02-01", "2026-02-28"), "2026-02-11"),
      fit(span("2026-02-01", "2026-02-28"), "2026-02-11"),
    ]).toEqual([1, 0.6]);
    expect(fit(past("2026-02-01", "2026-02-28"), "2026-03-01")).toBe(0);
  });
  test("within a week of it in part", () => {
    expect(fit(span("2026-03-10"), "2026-03-16")).toBe(0.6);
    expect(fit(span("2026-03-10"), "2026-03-18")).toBe(0);
  });
  test("a week as a whole, a month in part", () => {
    expect(fit(span("2026-03-09", "2026-03-15"), "2026-03-12")).toBe(1);
    expect(fit(span("2026-03-01", "2026-03-31"), "2026-03-12")).toBe(0.6);
    expect(fit(span("2026-03-01", "2026-03-31"), "2026-04-01")).toBe(0);
  });
  test("a date without a year in any year", () => {
    expect(fit({ month: 5, day: 4 }, "2023-05-04")).toBe(1);
    expect(fit({ month: 5 }, "2021-05-30")).toBe(0.6);
    expect(fit({ month: 2, day: 29 }, "2025-02-28")).toBe(0);
  });
});

test("a question of blanks and digits alone keeps nobody waiting", async () => {
  const hints = await loadDateHints();
  for (const run of ["\n", " ", "0-", "5月"]) hints(`助0:${run.repeat(4000)}`, "2026-03-01" as Day);
  expect(hints(`was it on 5 May?${"\n".repeat(4000)}`, "2026-03-01" as Day).hints).toEqual([
    { month: 5, day: 5 },
  ]);
});
