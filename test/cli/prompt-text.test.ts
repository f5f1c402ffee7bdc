import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { explained } from "../../src/cli/prompt.js";
import type { HitData, PromptData } from "../../src/context/inputs.js";
import type { MessageId } from "../../src/model/message.js";
import { MAIN_SCOPE } from "../../src/model/address.js";

const found = (path: string, question: number, more: Partial<HitData> = {}): HitData => ({
  path,
  lines: [12, 13],
  revision: "5f0c1a9e",
  score: 0.52,
  date: "2026-01-05",
  kind: "message",
  messageIds: [],
  trust: "human",
  question,
  ...more,
});

const DATA: PromptData = {
  version: 1,
  viewer: { user: "lin", scope: MAIN_SCOPE, session: "main" },
  generatedAt: "2026-01-28T06:03:22.530Z",
  inboxIds: ["q-1" as MessageId],
  sections: [{ name: "memory", tokens: 300, budgetTokens: 3072, cuts: ["6 hits left out"] }],
  questions: [
    { text: "Where is the anchor?", context: ["boat", "Lin"], found: 8, shown: 1, tokens: 21 },
    { text: "谁有钥匙？", context: [], found: 2, shown: 2, tokens: 40 },
  ],
  hits: [found("memory/anchor.md", 0, { tokens: 21 }), found("memory/key.md", 1, { tokens: 40 })],
  leftOut: [
    ...Array.from({ length: 6 }, (_, at) => ({
      ...found(`memory/weak-${at}.md`, 0),
      why: "clearly weaker than the best",
    })),
    { ...found("memory/known.md", 0), why: "stands in History or Input" },
  ],
  warnings: ["Found by words alone: the endpoint is down."],
};
const told = (data: Partial<PromptData> = {}): string =>
  stripVTControlCharacters(explained({ ...DATA, ...data }));

describe("memd prompt --explain", () => {
  test("says whose prompt it is and what the sections cost", () => {
    const text = told();
    expect(text).toContain("lin in main, session main");
    expect(text).toContain("about 300 tokens, 1 waiting.");
    expect(text).toMatch(/memory +300 +3072 .*6 hits left out/);
  });

  test("tells for each question what was found, shown and spent, each hit below its own", () => {
    const [, first = "", second = ""] = told().split(/(?=“)/);
    expect(first).toContain("“Where is the anchor?”: 8 found, 1 line shown for about 21 tokens.");
    expect(first).toContain("with, at less weight: boat · Lin");
    expect(first).toMatch(/0\.52 +2026-01-05 +21 t +memory\/anchor\.md:12/);
    expect(first).not.toContain("key.md");
    expect(second).toContain("“谁有钥匙？”: 2 found, 2 lines shown for about 40 tokens.");
    expect(second).toContain("memory/key.md:12");
    expect(second).not.toContain("at less weight");
    expect(second).not.toContain("left out");
  });

  test("tells why the rest is not shown, the first few by name", () => {
    const text = told();
    expect(text).toContain("left out: 6 clearly weaker than the best, 1 stands in History or Input");
    expect(text).toContain("memory/weak-4.md:12");
    expect(text).not.toContain("memory/weak-5.md");
    expect(text).toContain("and 2 more");
  });

  test("of a long question prints the beginning, on one line", () => {
    const text = `Where is\nthe anchor ${"x".repeat(400)}?`;
    const [line = ""] = told({ questions: [{ text, context: [], found: 0, shown: 0, tokens: 0 }] })
      .split("\n")
      .filter((one) => one.startsWith("“"));
    expect(line).toMatch(/^“Where is the anchor x+…”: 0 found, 0 lines shown/);
    expect(line.length).toBeLessThan(230);
  });

  test("says when nothing was asked, and passes warnings on", () => {
    expect(told({ questions: [], hits: [], leftOut: [] })).toContain(
      "What waits asks nothing: nothing was looked for.",
    );
    expect(told({ questions: [], hits: [], leftOut: [], inboxIds: [] })).not.toContain("asks nothing");
    expect(told()).toContain("the endpoint is down");
  });
});
