import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseFrontMatter, printFrontMatter } from "../../src/protocol/front-matter.js";
import { hostileText } from "../support/arbitrary.js";

const data = (text: string): Record<string, unknown> => parseFrontMatter(text).data;

test("data and body come back as they were", () => {
  const value = fc.oneof(
    hostileText.map((text) => text.toWellFormed()),
    fc.constantFrom(
      "2026-01-05",
      "2026-01",
      "1e3",
      "0x1f",
      "null",
      "~",
      "true",
      "no",
      "---",
      "a\u2028---",
      "- a",
      "{",
      "&a",
      "*a",
      "!t",
    ),
    fc.integer(),
    fc.boolean(),
  );
  fc.assert(
    fc.property(value, value, hostileText, (one, two, body) => {
      const text = printFrontMatter({ one, list: [{ two }], hash: "0e12345678901234" }, body);
      expect(parseFrontMatter(text)).toEqual({
        data: { one, list: [{ two }], hash: "0e12345678901234" },
        body,
        bodyLine: text.slice(0, text.length - body.length).split("\n").length,
      });
    }),
    { numRuns: 200 },
  );
});

test("no character inside a value closes the head, not even one that other programs take for a new line", () => {
  for (const mark of ["\n", "\r", "\u0085", "\u2028", "\u2029"]) {
    const name = `a${mark}---${mark}b`;
    expect(parseFrontMatter(printFrontMatter({ name }, "body"))).toMatchObject({
      data: { name },
      body: "body",
    });
  }
});

test("a text without a head is all body", () => {
  for (const text of ["", "# Title\n", "----\na: 1\n---\n", "text\n---\na: 1\n---\n", " ---\na: 1\n---\n"]) {
    expect(parseFrontMatter(text)).toEqual({ data: {}, body: text, bodyLine: 1 });
  }
});

describe("a head that would run, share or hide something", () => {
  test("code is not read, let alone run", () => {
    for (const language of ["js", "javascript", "json", "coffee", "toml"]) {
      const text = `---${language}\n{ "a": globalThis.ran = true }\n---\nbody`;
      expect(parseFrontMatter(text)).toEqual({ data: {}, body: text, bodyLine: 1 });
    }
    expect(globalThis).not.toHaveProperty("ran");
  });

  test.each([
    ["an anchor", "a: &x 1"],
    ["an alias", "a: &x [1]\nb: *x"],
    ["a bomb of aliases", "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]"],
    ["a tag of its own", "a: !secret 1"],
    ["a function", "a: !!js/function 'function () { globalThis.ran = true }'"],
    ["a binary", "a: !!binary aGk="],
    ["the same key twice", "a: 1\na: 2"],
    ["bad indentation", "a: 1\n  b: 2"],
    ["an open bracket", "a: ["],
    ["a list", "- a\n- b"],
    ["plain words", "just words"],
    ["a second document", "a: 1\n---x: 2"],
    ["sixty thousand brackets", `a: ${"[".repeat(60_000)}`],
    ["sixty thousand blank lines", `a: 1${"\n".repeat(60_000)}`],
  ])("%s is refused", (_what, head) => {
    const text = `---\n${head}\n---\nbody`;
    expect(() => parseFrontMatter(text)).toThrow(SyntaxError);
    // gray-matter answers {} to the second parse of what it could not read once.
    expect(() => parseFrontMatter(text)).toThrow(SyntaxError);
    expect(globalThis).not.toHaveProperty("ran");
  });

  test("a head that is not closed within 64 KB is refused", () => {
    expect(() => parseFrontMatter("---\na: 1\n")).toThrow(SyntaxError);
    expect(() => parseFrontMatter(`---\na: ${"x".repeat(70_000)}\n---\n`)).toThrow("64 KB");
    expect(data(`---\na: ${"x".repeat(60_000)}\n---\n`)["a"]).toHaveLength(60_000);
  });

  test("a name such as __proto__ is data like any other", () => {
    const found = data("---\n__proto__: {polluted: true}\nconstructor: 1\n---\n");
    expect(Object.keys(found)).toEqual(["__proto__", "constructor"]);
    expect({}).not.toHaveProperty("polluted");
  });

  test("two readers never share an object", () => {
    const text = "---\nlist: [1]\n---\n";
    (data(text)["list"] as number[]).push(2);
    expect(data(text)).toEqual({ list: [1] });
  });
});

describe("as people and editors write it", () => {
  test("dates stay text", () => {
    expect(data("---\ndate: 2026-01-05\nat: 2026-01-05T10:00:00Z\n---\n")).toEqual({
      date: "2026-01-05",
      at: "2026-01-05T10:00:00Z",
    });
  });

  test("line ends of Windows and a byte order mark do no harm, and the body keeps its bytes", () => {
    expect(parseFrontMatter("\ufeff---\r\na: 1\r\nb: two\r\n---\r\nline\r\n")).toEqual({
      data: { a: 1, b: "two" },
      body: "line\r\n",
      bodyLine: 5,
    });
  });

  test("an empty head is no data, and comments are none", () => {
    expect(data("---\n---\nbody")).toEqual({});
    expect(data("---\n# a comment\n---\nbody")).toEqual({});
    expect(parseFrontMatter("---\na: 1\n---").body).toBe("");
  });
});

describe("a head that would keep the parser busy", () => {
  test.each([
    ["marks that nest", `a: ${"- ".repeat(20_000)}`],
    ["marks that nest, by tabs", `a: ${"-\t".repeat(20_000)}`],
    ["questions", "? ".repeat(20_000)],
    ["names", "a: 1\n".repeat(10_000)],
    ["words", "a\n".repeat(30_000)],
    ["quotes", `a: [${'"'.repeat(60_000)}`],
    ["commas", `a: {${"b,".repeat(20_000)}}`],
  ])("is refused at once: %s", (_what, head) => {
    const started = performance.now();
    expect(() => parseFrontMatter(`---\n${head}\n---\n`)).toThrow(SyntaxError);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
