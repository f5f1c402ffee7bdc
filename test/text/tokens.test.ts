import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { estimateTokens, tokenPrefixLength } from "../../src/text/tokens.js";

const mixed = fc
  .array(
    fc.oneof(
      fc.constantFrom("你好", "word", "12345", "，", "\n\n", " ", "é", "e\u0301", "👍", "\ud83d", "_", "𠮷"),
      fc.string({ unit: "binary", maxLength: 8 }),
    ),
  )
  .map((parts) => parts.join(""));

describe("an estimate counts by kind of character", () => {
  test.each([
    ["", 0],
    ["你好", 1.6],
    ["𠮷", 0.8],
    ["，。", 1.8],
    ["a", 1],
    ["ninechars", 1],
    ["tencharact", 2],
    ["x".repeat(19), 3],
    ["café", 1],
    ["cafe\u0301", 1],
    ["1", 1],
    ["123", 1],
    ["1234", 2],
    ["\n", 0.5],
    ["\r\n\n", 0.5],
    ["a b", 2],
    ["a.b", 2.8],
    ["👍", 0.8],
    ["用 pnpm，不用 npm。", 0.8 + 1 + 0.9 + 1.6 + 1 + 0.9],
    ["v1.2", 1 + 1 + 0.8 + 1],
  ])("%j costs %d", (text, tokens) => expect(estimateTokens(text)).toBeCloseTo(tokens, 9));

  test("a wall of blanks is not free", () => expect(estimateTokens(" ".repeat(6400))).toBe(100));
});

test("a whole never costs more than its parts, nor less than either", () => {
  fc.assert(
    fc.property(mixed, mixed, (one, other) => {
      const whole = estimateTokens(one + other);
      expect(whole).toBeLessThanOrEqual(estimateTokens(one) + estimateTokens(other) + 1e-9);
      expect(whole).toBeGreaterThanOrEqual(estimateTokens(one));
    }),
  );
});

test("a prefix is the longest that fits, and never ends inside a pair", () => {
  fc.assert(
    fc.property(mixed, fc.integer({ min: 0, max: 30 }), (text, budgetTokens) => {
      const length = tokenPrefixLength(text, budgetTokens);
      expect(estimateTokens(text.slice(0, length))).toBeLessThanOrEqual(budgetTokens);
      const next = text.codePointAt(length);
      if (next === undefined) return;
      expect(estimateTokens(text.slice(0, length) + String.fromCodePoint(next))).toBeGreaterThan(
        budgetTokens,
      );
      expect(text.slice(0, length).isWellFormed() || !text.isWellFormed()).toBe(true);
    }),
  );
});

test("ten megabytes take well under seconds", () => {
  const text = "用 pnpm 部署，timed out after 30s.\n".repeat(400_000);
  const start = performance.now();
  estimateTokens(text);
  expect(performance.now() - start).toBeLessThan(2000);
});
