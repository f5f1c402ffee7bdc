import fc from "fast-check";
import { expect, test } from "vitest";
import { indexedTextOf, positionsIn, repeatedTerms } from "../../../src/recall/index/document.js";
import { termsOf } from "../../../src/text/terms.js";

test("every term is found at its places, and no other one is", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("tea", "tea=1", "c++", "年糕", "3.5", "team", "=", "a=b"), { maxLength: 80 }),
      (words) => {
        const text = words.join(" ");
        const { vector, length } = indexedTextOf(text);
        const terms = termsOf(text);
        expect(length).toBe(terms.length);
        for (const term of new Set([...terms, "nothing", "t"]))
          expect(positionsIn(vector, term)).toEqual(
            terms.flatMap((each, place) => (each === term ? [place] : [])),
          );
        expect(repeatedTerms(vector).sort()).toEqual([...terms].sort());
      },
    ),
  );
});

test("windows end at sentences, cover the text, and are neither long nor many", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 12 }), (sentences) => {
      const text = sentences
        .map((words, at) => `${Array.from({ length: words }, () => `violin`).join(" ")} ${at}x.`)
        .join(" ");
      const { windows, length } = indexedTextOf(text);
      expect(windows.at(-1)).toBe(length);
      const sizes = windows.map((end, index) => end - (windows[index - 1] ?? 0));
      expect(Math.min(...sizes)).toBeGreaterThan(0);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(140);
    }),
  );
});

test("a short text is one window, and so is an empty one", () => {
  expect(indexedTextOf("The violin is old.").windows).toHaveLength(1);
  expect(indexedTextOf("").windows).toEqual([0]);
});
