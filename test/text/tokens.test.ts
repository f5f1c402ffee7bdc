import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { costOfLines } from "../../src/context/fit.js";
import { estimateTokens, tokenPrefixLength } from "../../src/text/tokens.js";

const mixed = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...["你好", "word", "12345", "，", "\n\n", " ", "é", "e\u0301", "👍", "\ud83d", "_", "𠮷"],
      ),
      fc.constantFrom(
        ...["ABC", "camelCase", "straße", "không", "'", "’", '":', "слово", "ひら", "カナ", "한글"],
      ),
      fc.constantFrom(
        ...["λόγος", "שלום", "سلام", "नमस्ते", "ไทย", "☀️", "🫡", "🇫🇷", "👍🏽", "—", "w".repeat(9)],
      ),
      fc.string({ unit: "binary", maxLength: 8 }),
    ),
  )
  .map((parts) => parts.join(""));

describe("an estimate counts by kind of character", () => {
  test.each([
    ["", 0],
    ["你好", 2.08],
    ["𠮷", 1.3],
    ["，。", 1.3],
    ["，好", 1.5],
    ["a", 1],
    ["sevenly", 1],
    ["eightful", 1.14],
    ["x".repeat(17), 2.4],
    ["camelCase", 2],
    ["HTTP", 1.75],
    ["café", 1.65],
    ["cafe\u0301", 1.2],
    ["it's", 1.5],
    ["1", 1],
    ["123", 1],
    ["1234", 2],
    ["\n", 1],
    ["\r\n\n", 1],
    ["a.\n", 2.05],
    ["a b", 2],
    ["a  b", 3],
    ["a 1", 3],
    ["a.b", 2.45],
    ["👍", 2],
    ["a 👍", 3],
    ["Привет", 1.65],
    ["안녕", 1.37],
    ["ひらがな", 2.37],
    ["カタカナ", 2.04],
    ["用 pnpm，不用 npm。", 1.3 + 1 + 0.7 + 0.8 + 0.78 + 1 + 0.7],
    ["v1.2", 1 + 1 + 0.95 + 1],
    ['{"a": 1}', 0.95 + 0.25 + 0.5 + 0.95 + 0.25 + 1 + 1 + 0.95],
  ])("%j costs %d", (text, tokens) => expect(estimateTokens(text)).toBeCloseTo(tokens, 9));

  test("a partition of blanks is not free", () => expect(estimateTokens(" ".repeat(6400))).toBe(100));
  test("nor is one of newlines", () => expect(estimateTokens("\n".repeat(6400))).toBe(100));
});

test("a whole never costs more than its parts, nor less than what it begins with", () => {
  fc.assert(
    fc.property(mixed, mixed, (one, other) => {
      const whole = estimateTokens(one + other);
      expect(whole).toBeLessThanOrEqual(estimateTokens(one) + estimateTokens(other) + 1e-9);
      expect(whole).toBeGreaterThanOrEqual(estimateTokens(one));
    }),
    { numRuns: 2000 },
  );
});

test("lines that fit one by one, each with its newline, fit together", () => {
  fc.assert(
    fc.property(fc.array(mixed, { maxLength: 6 }), (lines) => {
      expect(estimateTokens(lines.join("\n"))).toBeLessThanOrEqual(costOfLines(lines) + 1e-9);
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
