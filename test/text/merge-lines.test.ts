import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeLines } from "../../src/text/merge-lines.js";

/** Few different lines, so that equal ones, blank ones among them, meet all the time. */
const someText = fc
  .array(fc.constantFrom("", "a", "b", "c", "- d", "a\r"), { maxLength: 12 })
  .map((lines) => lines.join("\n"));

/** A base whose lines all differ, and edits of it: each line kept, changed or removed, and lines added before it. */
type Edit = ("keep" | "change" | "remove" | "add")[];
const LINES = 8;
const base = Array.from({ length: LINES }, (_line, n) => `line ${n}`);
const someEdit = fc.array(fc.constantFrom<Edit[number]>("keep", "keep", "keep", "change", "remove", "add"), {
  minLength: LINES,
  maxLength: LINES,
});

function edited(edit: Edit, by: string): { text: string; said: string[] } {
  const said: string[] = [];
  const say = (line: string): string[] => {
    said.push(line);
    return [line];
  };
  const lines = base.flatMap((line, n) => {
    switch (edit[n]) {
      case "change":
        return say(`${by} changed ${n}`);
      case "remove":
        return [];
      case "add":
        return [...say(`${by} added ${n}`), line];
      default:
        return [line];
    }
  });
  return { text: lines.join("\n"), said };
}

/** A text without a character has no line. */
function linesOf(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}

describe("of three versions", () => {
  test.each([
    ["an end that both added to", "a\n", "a\nmine\n", "a\nfact\n", "a\nmine\nfact\n", false],
    ["an end without a line break", "a", "a\nmine", "a\nfact\n", "a\nmine\nfact\n", false],
    ["neighbouring lines", "a\nb\n", "A\nb\n", "a\nB\n", "A\nB\n", false],
    [
      "a line that one removed and nobody touched",
      "a\nb\nc\n",
      "a\nc\n",
      "a\nb\nc\nfact\n",
      "a\nc\nfact\n",
      false,
    ],
    ["one line changed by both", "a\nb\nc\n", "a\ntheirs\nc\n", "a\nours\nc\n", "a\ntheirs\nc\n", true],
    ["a line changed there and removed here", "a\nb\n", "a\nb!\n", "a\n", "a\nb!\n", true],
    ["a line removed there and changed here", "a\nb\n", "a\n", "a\nb!\n", "a\n", true],
    ["nothing at all before", "", "mine\n", "fact\n", "mine\nfact\n", false],
    [
      "line breaks of another system",
      "a\r\nb\r\n",
      "a\r\nb\r\nc\r\n",
      "A\r\nb\r\n",
      "A\r\nb\r\nc\r\n",
      false,
    ],
  ])("%s", (_case, base, theirs, ours, text, overruled) => {
    expect(mergeLines(base, theirs, ours)).toEqual({ text, overruled });
  });

  test("what only one side changed is that side's", () => {
    fc.assert(
      fc.property(someText, someText, (base, changed) => {
        const merged = { text: changed, overruled: false };
        expect(mergeLines(base, changed, base)).toEqual(merged);
        expect(mergeLines(base, base, changed)).toEqual(merged);
        expect(mergeLines(base, changed, changed)).toEqual(merged);
      }),
    );
  });

  test("no line is made up", () => {
    fc.assert(
      fc.property(someText, someText, someText, (base, theirs, ours) => {
        const { text } = mergeLines(base, theirs, ours);
        const known = new Set([...theirs.split("\n"), ...ours.split("\n")]);
        expect(linesOf(text).filter((line) => !known.has(line))).toEqual([]);
      }),
    );
  });

  test("what was added, merged and comes once more is not added again", () => {
    const onlyAdded = (edit: Edit): Edit => edit.map((what) => (what === "keep" ? "keep" : "add"));
    fc.assert(
      fc.property(someEdit, someEdit, (first, second) => {
        const theirs = edited(onlyAdded(first), "theirs").text;
        const { text } = mergeLines(base.join("\n"), theirs, edited(onlyAdded(second), "ours").text);
        expect(mergeLines(base.join("\n"), theirs, text)).toEqual({ text, overruled: false });
      }),
    );
  });

  test("every line that they wrote stands, and so does every one of ours unless it says that some gave way", () => {
    fc.assert(
      fc.property(someEdit, someEdit, (first, second) => {
        const [theirs, ours] = [edited(first, "theirs"), edited(second, "ours")];
        const merged = mergeLines(base.join("\n"), theirs.text, ours.text);
        const lines = merged.text.split("\n");
        expect(lines).toEqual(expect.arrayContaining(theirs.said));
        if (!merged.overruled) expect(lines).toEqual(expect.arrayContaining(ours.said));
        for (const [n, line] of base.entries())
          if (first[n] === "remove" && !merged.overruled) expect(lines).not.toContain(line);
      }),
    );
  });

  test("lines that both left alone stand once each, in their order", () => {
    fc.assert(
      fc.property(someEdit, someEdit, (first, second) => {
        const { text, overruled } = mergeLines(
          base.join("\n"),
          edited(first, "t").text,
          edited(second, "o").text,
        );
        const isLeft = (edit: Edit, n: number): boolean => edit[n] === "keep" || edit[n] === "add";
        const left = base.filter((_line, n) => isLeft(first, n) && isLeft(second, n));
        if (!overruled) expect(text.split("\n").filter((line) => base.includes(line))).toEqual(left);
      }),
    );
  });

  test("long texts that have little in common take no long time, and theirs stand", () => {
    const text = (by: string): string =>
      Array.from({ length: 20_000 }, (_line, n) => `${by} ${n}`).join("\n");
    expect(mergeLines(text("a"), text("b"), text("c"))).toEqual({ text: text("b"), overruled: true });
    expect(mergeLines(text("a"), `${text("a")}\nmore`, `ours\n${text("a")}`)).toEqual({
      text: `ours\n${text("a")}\nmore`,
      overruled: false,
    });
  });

  test("texts of more lines than a call can be given arguments", () => {
    const base = Array.from({ length: 300_000 }, (_line, n) => `${n}`);
    const theirs = [...base.slice(0, 10), "theirs", ...base.slice(10)].join("\n");
    const ours = [...base.slice(0, 299_000), "ours", ...base.slice(299_000)].join("\n");
    const { text, overruled } = mergeLines(base.join("\n"), theirs, ours);
    expect(overruled).toBe(false);
    expect(text.split("\n")).toHaveLength(300_002);
  });
});
