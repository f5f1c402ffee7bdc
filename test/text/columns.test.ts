import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { columnsOf, cutToColumns, linesOf } from "../../src/text/columns.js";

const lines = (text: string, width: number): string[] =>
  [...linesOf(text, width)].map(([from, to]) => text.slice(from, to));

test("Han, kana, hangul and emoji take two columns, accents none", () => {
  expect(["kayak", "渡轮", "カヌー", "한강", "🛶", "e\u0301", "。"].map(columnsOf)).toEqual([
    5, 4, 6, 4, 2, 1, 2,
  ]);
});

describe("lines", () => {
  test("end between words", () => {
    expect(lines("the ferry leaves at nine", 12)).toEqual(["the ferry", "leaves at", "nine"]);
    expect(lines("the ferry", 9)).toEqual(["the ferry"]);
    expect(lines("", 9)).toEqual([]);
  });

  test("end between Han characters, and what closes stays with what it closes", () => {
    expect(lines("部署超时，镜像太大", 8)).toEqual(["部署超", "时，镜像", "太大"]);
    expect(lines("说（部署）了", 4)).toEqual(["说", "（部", "署）", "了"]);
    expect(lines("用 docker 部署", 10)).toEqual(["用 docker", "部署"]);
  });

  test("cut a word that alone is wider than a line, and no other", () => {
    expect(lines("at http://example.org/a now", 8)).toEqual(["at", "http://e", "xample.o", "rg/a now"]);
    expect(lines("渡轮", 1)).toEqual(["渡", "轮"]);
  });

  const word = fc.oneof(
    fc.stringMatching(/^[a-z]{1,12}$/),
    fc.constantFrom("渡轮", "部署超时，", "（上次）", "🛶", "naïve", "e\u0301te\u0301", "用docker部署"),
  );

  test("are no wider than the terminal, lose nothing, and cut no word that fits", () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), fc.integer({ min: 12, max: 60 }), (words, width) => {
        const text = words.join(" ");
        const shown = lines(text, width);
        for (const line of shown) expect(columnsOf(line)).toBeLessThanOrEqual(width);
        expect(shown.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
        const whole = new Set(shown.flatMap((line) => line.split(" ")));
        for (const one of words) if (/^[a-z]+$/.test(one)) expect(whole).toContain(one);
      }),
    );
  });
});

test("what is cut to a width says so, and ends with a word", () => {
  expect(cutToColumns("the ferry leaves at nine", 12)).toBe("the ferry…");
  expect(cutToColumns("the ferry", 9)).toBe("the ferry");
  expect(cutToColumns("渡轮九点开", 7)).toBe("渡轮九…");
});
