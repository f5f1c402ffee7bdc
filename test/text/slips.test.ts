import fc from "fast-check";
import { expect, test } from "vitest";
import { slipsBetween, slipsOf } from "../../src/text/slips.js";

test.each([
  ["a letter is missing", "posgres", "postgres"],
  ["one is too many", "lasaggna", "lasagna"],
  ["another was hit", "vuolin", "violin"],
  ["two were changed", "vioiln", "violin"],
  ["it is the first one", "iolin", "violin"],
  ["it is the last one", "violins", "violin"],
])("what was meant is among what one slip makes, where %s", (_what, typed, meant) => {
  expect(slipsOf(typed)).toContain(meant);
  expect(slipsBetween(typed, meant, 2)).toBe(1);
});

test("a word is no slip of itself", () => {
  expect(slipsOf("tea")).not.toContain("tea");
});

/** Told anew at every place, without a table. */
function bySteps(one: string, other: string): number {
  if (one === "" || other === "") return one.length + other.length;
  const [a, b] = [one.slice(1), other.slice(1)];
  const ways = [bySteps(a, other) + 1, bySteps(one, b) + 1, bySteps(a, b) + (one[0] === other[0] ? 0 : 1)];
  if (one.length > 1 && one[0] === other[1] && one[1] === other[0])
    ways.push(bySteps(one.slice(2), other.slice(2)) + 1);
  return Math.min(...ways);
}

const word = fc.stringMatching(/^[abc]{0,6}$/);

test("slips are counted as they are by trying every way", () => {
  fc.assert(
    fc.property(word, word, (one, other) => {
      expect(slipsBetween(one, other, 2)).toBe(Math.min(bySteps(one, other), 3));
      expect(slipsOf(one).has(other)).toBe(bySteps(one, other) === 1);
    }),
    { numRuns: 400 },
  );
});
