import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stretchesOf } from "../../src/text/stretches.js";

const sentence = (n: number, words = 12): string =>
  `Sentence ${n} ${"of words ".repeat((words - 2) / 2)}ends.`;

describe("the stretches of a document", () => {
  test("hold every character but white space, once and in order, with the lines on which it stands", () => {
    const piece = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 80 }),
      fc.constantFrom("\n", "\n\n", "。", ". ", "# Heading\n", "```\ncode here\n```\n", "\r\n"),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join("");
        const stretches = stretchesOf(text);
        const bare = (given: string): string => given.replace(/\s+/g, "");
        expect(bare(stretches.map((one) => one.text).join(""))).toBe(bare(text));
        const lines = text.split("\n");
        let last = 0;
        for (const {
          text: said,
          lines: [from, to],
        } of stretches) {
          expect(from).toBeGreaterThanOrEqual(last);
          expect(bare(lines.slice(from, to + 1).join(""))).toContain(bare(said));
          last = to;
        }
      }),
    );
  });

  test("are of about sixty words and end where a sentence does", () => {
    const text = Array.from({ length: 40 }, (_, index) => sentence(index)).join(" ");
    const stretches = stretchesOf(text);
    expect(stretches.length).toBe(8);
    for (const { text: said } of stretches) expect(said).toMatch(/^Sentence \d+ .*ends\.$/);
  });

  test("a short text is one, and a short rest belongs to the one before it", () => {
    expect(stretchesOf("Short.\n\nShorter.")).toEqual([{ text: "Short.\nShorter.", lines: [0, 2] }]);
    const long = Array.from({ length: 5 }, (_, index) => sentence(index)).join(" ");
    expect(stretchesOf(`${long}\n\nThe end.`)).toMatchObject([{ lines: [0, 2] }]);
  });

  test("a heading begins a new one, with what stands under it", () => {
    const part = Array.from({ length: 3 }, (_, index) => sentence(index)).join(" ");
    const texts = stretchesOf(`${part}\n\n## Refunds\n\n${part}`).map(({ text }) => text);
    expect(texts).toHaveLength(2);
    expect(texts[1]).toMatch(/^## Refunds\nSentence 0/);
  });

  test("a line without end is cut between words, Chinese between characters, none through a pair", () => {
    for (const text of ["word ".repeat(2000), "茶".repeat(2000), "𠮷".repeat(3000), "x".repeat(5000)]) {
      const stretches = stretchesOf(text);
      expect(stretches.length).toBeGreaterThan(3);
      for (const { text: said } of stretches) {
        expect(said.isWellFormed()).toBe(true);
        expect(said.length).toBeLessThanOrEqual(2000);
      }
    }
  });
});
