import fc from "fast-check";
import { expect, test } from "vitest";
import { carriedOn, droppedLines } from "../../src/llm/jobs/summary.js";
import { clean, defuse, printNotes, readNotes } from "../../src/llm/notes.js";
import { windowsOf } from "../../src/llm/windows.js";
import { estimateTokens } from "../../src/text/tokens.js";

const printed = (answer: string): string => {
  const reading = readNotes(answer);
  return "value" in reading ? printNotes(reading.value) : `problem: ${reading.problem}`;
};

/** Markdown that a small model, or a bad one, might write. */
const markdown = fc
  .array(
    fc.oneof(
      fc.string(),
      fc.constantFrom(
        "# A",
        "## B <!-- user=x -->",
        "### C",
        "- one",
        "  * two",
        "1. three",
        "---",
        "===",
        "```",
        "   ## D",
        "-->",
        "<!--",
        "",
        "- # E",
        "- <!<!---- x",
      ),
    ),
  )
  .map((lines) => lines.join("\n"));

test("more bullets than anybody asks for are refused", () => {
  const many = Array.from({ length: 301 }, (_, n) => `- thing ${n}`);
  expect(readNotes(many.join("\n"))).toMatchObject({ problem: expect.stringContaining("more than 300") });
  expect(readNotes(many.slice(1).join("\n"))).toMatchObject({ value: [{ bullets: expect.any(Array) }] });
});

test("the words around the list are dropped, the list is kept", () => {
  expect(printed("Here is the summary:\n\n## Work\n* one\n1. two\n   goes on\n\nLet me know!")).toBe(
    "### Work\n\n- one\n- two goes on",
  );
  expect(printed("```markdown\n- one\n```")).toBe("- one");
  expect(printed("**Plans**\n- a\n\n**Empty**\n")).toBe("### Plans\n\n- a");
});

test("an answer without a list is a problem that is put into words", () => {
  expect(printed("Nothing much happened.")).toMatch(/^problem: it holds no bullet points/);
  expect(printed(`- ${"x".repeat(2000)}`)).toMatch(/^problem: a bullet is longer/);
});

test("nothing that is printed or defused can break the file around it", () => {
  fc.assert(
    fc.property(markdown, (text) => {
      const reading = readNotes(text);
      for (const safe of [defuse(text), "value" in reading ? printNotes(reading.value) : ""]) {
        expect(safe).not.toMatch(/^ {0,3}#{1,2}(\s|$)|<!--|-->|^ {0,3}(?:=+|-{2,})\s*$/m);
        expect((safe.match(/^ {0,3}```/gm) ?? []).length % 2).toBe(0);
      }
    }),
  );
});

test("defusing twice changes nothing more", () => {
  fc.assert(
    fc.property(markdown, (text) => {
      expect(defuse(defuse(text))).toBe(defuse(text));
    }),
  );
});

test("a reworded line is carried on, a vanished one is missed", () => {
  const previous = "### People\n\n- 09:00 Bob moved to Lisbon in 2019.\n- 10:00 Ana plays the cello.";
  expect(droppedLines(previous, "- Bob has lived in Lisbon since 2019.")).toEqual([
    "10:00 Ana plays the cello.",
  ]);
  expect(carriedOn(previous, [{ bullets: ["Bob: Lisbon 2019. Ana: cello."] }])).toEqual([
    { bullets: ["Bob: Lisbon 2019. Ana: cello."] },
  ]);
});

test("windows hold everything in order and fit", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 400 }), { minLength: 1 }),
      fc.integer({ min: 60, max: 500 }),
      (pieces, budget) => {
        const windows = windowsOf(pieces, budget);
        const bare = (text: string): string => text.replace(/\s/g, "");
        expect(bare(windows.join(""))).toBe(bare(pieces.join("")));
        for (const window of windows) expect(estimateTokens(window)).toBeLessThanOrEqual(budget + 1);
      },
    ),
  );
});

test("a bullet that never ends is refused, and in time", () => {
  const started = performance.now();
  expect(readNotes(`- a\n${"b\n".repeat(200_000)}`)).toHaveProperty("problem");
  expect(performance.now() - started).toBeLessThan(5000);
});

test("marks of a fence leave none behind, however many stand in a row", () => {
  for (let marks = 3; marks < 12; marks++) expect(clean("`".repeat(marks))).toBe("`");
});
