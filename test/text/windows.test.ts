import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutWindows } from "../../src/text/windows.js";

const texts = fc
  .array(
    fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 40 }),
      fc.constantFrom("\n\n", "\n", ". ", "。", " ", "```\n", "\r\n\r\n", "👩‍👩‍👧", "𝒳𝒴"),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(""));

describe("the windows of a long text", () => {
  test("are the text, none empty, none too long, and none ends inside a character of two units", () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 200 }), (text, most) => {
        const windows = [...cutWindows(text, most)];
        expect(windows.join("")).toBe(text);
        for (const window of windows) {
          expect(window).not.toBe("");
          expect(window.length).toBeLessThanOrEqual(most);
          expect(window.isWellFormed()).toBe(text.isWellFormed());
        }
      }),
    );
  });

  test("a text that fits is one window, and an empty one none", () => {
    expect([...cutWindows("fits", 4)]).toEqual(["fits"]);
    expect([...cutWindows("", 4)]).toEqual([]);
  });

  test("end at a paragraph rather than a line, at a line rather than a sentence, at a sentence rather than a word", () => {
    const words = "word ".repeat(12);
    expect([...cutWindows(`${words}\n\nNext. More\nand more of it here and there`, 90)][0]).toBe(
      `${words}\n\n`,
    );
    expect([...cutWindows(`${words}one.\nNext. More of it here and there again`, 90)][0]).toBe(
      `${words}one.\n`,
    );
    expect([...cutWindows(`${words}one. More of it here and there and everywhere`, 80)][0]).toBe(
      `${words}one. `,
    );
    expect([...cutWindows("甲".repeat(50) + "。" + "乙".repeat(60), 80)][0]).toBe("甲".repeat(50) + "。");
  });

  test("a border in the first half is too early: the window would be nearly empty", () => {
    const [first = ""] = cutWindows(`One.\n\n${"x".repeat(200)}`, 100);
    expect(first).toHaveLength(100);
  });
});
