import fc from "fast-check";
import { expect, test } from "vitest";
import type { Hit, Passage } from "../../src/model/passage.js";
import { foundOf } from "../../src/model/found.js";
import { hitLine } from "../../src/cli/hit-line.js";
import { markerOf } from "../../src/recall/question.js";
import { said } from "../recall/passage-samples.js";

const line = (hit: Hit, query: string, width = 160): string =>
  hitLine({ ...foundOf(hit), marks: markerOf(query)(hit.passage.text) }, width);
const hitOf = (text: string, more: Partial<Passage> = {}): Hit => ({
  passage: said(text, { path: "memory/a.md", lines: [7, 9], ...more }),
  score: 0.456,
  parts: {},
});

test("path, line, score, date and text", () => {
  expect(line(hitOf("We drank\ntea."), "coffee")).toBe("memory/a.md:7  0.46  2025-06-15  We drank tea.");
});

test("a document is named by the owner's own file", () => {
  const found = foundOf({ ...hitOf("We drank tea."), original: "notes/tea.md:3" });
  expect(hitLine(found)).toBe("notes/tea.md:3  0.46  2025-06-15  We drank tea.");
});

test("a long text is cut around what was asked for", () => {
  const shown = line(hitOf(`${"rain ".repeat(100)}violin ${"snow ".repeat(100)}`), "violin", 60);
  expect(shown).toMatch(/…[rain ]+violin[snow ]+…$/);
});

test("stored text cannot drive a terminal", () => {
  expect(line(hitOf("\u001b[31mred\u0007\u202e tea\r\n"), "x")).toMatch(/ {2}\[31mred tea$/);
});

test("whatever the text, it is one line within the width, without half characters", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.integer({ min: 10, max: 80 }),
      (text, width) => {
        const shown = line(hitOf(text), "a 猫", width).split("2025-06-15  ")[1] ?? "";
        expect(shown.length).toBeLessThanOrEqual(width);
        expect(shown).not.toMatch(/[\n\r\u001b]/);
        if (text.isWellFormed()) expect(shown.isWellFormed()).toBe(true);
      },
    ),
  );
});
