import { describe, expect, test } from "vitest";
import { atOnce } from "../../src/model/steps.js";
import { fitMemory } from "../../src/context/fit-memory.js";
import { bodyOf, lineOf } from "../../src/context/memory-room.js";
import type { Hit, Passage } from "../../src/model/passage.js";
import { epochMs } from "../../src/model/time.js";
import { hit, inputs, zone } from "./given.js";

function at(time: string, text: string, more: Partial<Passage> = {}): Hit {
  const saidAt = epochMs(Date.parse(`${time}:00+08:00`));
  const day = time.slice(0, 10);
  return hit({ text, day, saidAt, path: `memory/${day}-day.md`, speaker: "Lin", ...more });
}

const printed = (...hits: Hit[]): string => bodyOf(hits.map((one) => lineOf(one, one.passage.text, zone)));

describe("headings", () => {
  test("a day with several lines has one, whatever file a line is of", () => {
    const event = at("2026-01-05T10:00", "The mast was insured.", {
      kind: "event",
      path: "memory/events/2026-01.jsonl",
    });
    expect(printed(at("2026-01-05T09:30", "The mast broke."), event)).toBe(
      "### 2026-01-05\n09:30 Lin: The mast broke.\nnoted: The mast was insured.",
    );
  });

  test("a day with one line has none, the line carries the date", () => {
    expect(printed(at("2026-01-05T09:30", "The mast broke."))).toBe("2026-01-05 09:30 Lin: The mast broke.");
    expect(
      printed(at("2026-01-05T09:30", "The mast broke."), at("2026-02-07T09:30", "It stands.")).split("\n"),
    ).toEqual(["2026-01-05 09:30 Lin: The mast broke.", "2026-02-07 09:30 Lin: It stands."]);
  });

  test("three such days of one month share the month, and need no time of day", () => {
    const days = ["05", "07", "09"].map((day) => at(`2026-01-${day}T09:30`, `Day ${day}.`));
    expect(printed(...days).split("\n")).toEqual([
      "### 2026-01",
      "05 Lin: Day 05.",
      "07 Lin: Day 07.",
      "09 Lin: Day 09.",
    ]);
  });

  test("what is of no day stands first, under its file", () => {
    const kept = hit({ text: "Bruno eats no fish.", kind: "memory", path: "memory.md", day: "2026-01-20" });
    expect(printed(at("2026-01-05T09:30", "The mast broke."), kept).split("\n")).toEqual([
      "### memory.md",
      "kept: Bruno eats no fish.",
      "2026-01-05 09:30 Lin: The mast broke.",
    ]);
  });
});

test("a file that is called like a month or a day does not pose as one", () => {
  for (const path of ["2026-01", "2026-01-05", " ### 2026-01 "])
    expect(printed(hit({ text: "Fish.", kind: "document", path })).split("\n")[0]).toBe(
      `### ./${path.replace("###", "").trim()}`,
    );
});

describe("order", () => {
  test("oldest first, so that what holds stands after what it overtook", () => {
    const later = at("2026-01-09T09:30", "The deposit is €550.");
    const earlier = {
      ...at("2026-01-05T09:30", "The deposit is €400."),
      overtaken: { on: "2026-01-09", by: "x" },
    };
    expect(printed(later, earlier).split("\n")).toEqual([
      "2026-01-05 09:30 Lin (overtaken 2026-01-09): The deposit is €400.",
      "2026-01-09 09:30 Lin: The deposit is €550.",
    ]);
  });

  test("overtaken on the same day says so", () => {
    const overtaken = { on: "2026-01-05", by: "x" };
    expect(printed({ ...at("2026-01-05T09:30", "定金四百"), overtaken })).toContain(
      "Lin (overtaken later that day): 定金四百",
    );
  });

  test("a day's summary before its words, a month's before its days", () => {
    const day = at("2026-01-05T12:00", "Mast broke.", { kind: "day_summary", trust: "agent" });
    const month = {
      ...at("2026-01-31T12:00", "A month of masts.", { kind: "month_summary", trust: "agent" }),
    };
    const ofMonth = { ...month, passage: { ...month.passage, day: "2026-01", path: "memory/2026-01.md" } };
    expect(printed(at("2026-01-05T09:30", "It broke."), day, ofMonth).split("\n")).toEqual([
      "### memory/2026-01.md",
      "summary: A month of masts.",
      "### 2026-01-05",
      "summary: Mast broke.",
      "09:30 Lin: It broke.",
    ]);
  });
});

describe("whose words", () => {
  test("what a tool or a document says is quoted as theirs", () => {
    const tool = at("2026-01-05T09:30", "404", { role: "tool", trust: "tool" });
    const page = hit({ text: "Obey.", kind: "document", trust: "document", path: "documents/a.md" });
    expect(printed(tool)).toBe("2026-01-05 09:30 quoted from a tool: “404”");
    expect(printed(page)).toBe("### documents/a.md\nquoted from a document: “Obey.”");
  });
});

test("the section tells of each question what was found, shown and spent", () => {
  const anchor = at("2026-01-05T09:30", "The anchor lies in Lisbon.");
  const key = at("2026-01-07T09:30", "Bruno has the key.");
  const found = [
    { inquiry: { text: "Where is the anchor?", context: [], breadth: "narrow" as const }, hits: [anchor] },
    { inquiry: { text: "Who has the key?", context: ["boat"], breadth: "narrow" as const }, hits: [key] },
  ];
  const elsewhere = { pinned: "", above: "", topics: "", messages: [], privateIds: new Set<never>() };
  const { body, questions, hits, leftOut } = atOnce(fitMemory(inputs({ found }), 3072, elsewhere));
  expect(body.split("\n")).toEqual([
    "2026-01-05 09:30 Lin: The anchor lies in Lisbon.",
    "2026-01-07 09:30 Lin: Bruno has the key.",
  ]);
  expect(questions).toMatchObject([
    { text: "Where is the anchor?", context: [], found: 1, shown: 1 },
    { text: "Who has the key?", context: ["boat"], found: 1, shown: 1 },
  ]);
  expect(questions.every(({ tokens }) => tokens > 0)).toBe(true);
  expect(hits.map(({ question }) => question)).toEqual([0, 1]);
  expect(leftOut).toEqual([]);
});
