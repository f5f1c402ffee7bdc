import fc from "fast-check";
import { expect, test } from "vitest";
import { fairShare } from "../../src/model/collections.js";

const together = (sizes: readonly number[], share: number): number =>
  sizes.reduce((sum, size) => sum + Math.min(size, share), 0);

test("what is there for all is enough, and nobody could have one more", () => {
  const sizesOf = fc.array(fc.nat(1000), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(sizesOf, fc.nat(20_000), (sizes, total) => {
      const share = fairShare(sizes, total);
      expect(together(sizes, share)).toBeLessThanOrEqual(total);
      if (share < Infinity) expect(together(sizes, share + 1)).toBeGreaterThan(total);
    }),
  );
});

test("small ones are given whole, large ones alike", () => {
  expect(fairShare([10, 1000, 2000], 210)).toBe(100);
  expect(fairShare([10, 20], 30)).toBe(Infinity);
  expect(fairShare([], 5)).toBe(Infinity);
});
