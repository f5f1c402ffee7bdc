import fc from "fast-check";
import { expect, test } from "vitest";
import { isCode, sentencesOf } from "../../src/text/sentences.js";

test.each([
  ["Hi there. I'm Bob, e.g. from v1.2. OK? Yes!", ["Hi there.", "I'm Bob, e.g. from v1.2.", "OK?", "Yes!"]],
  ["Dr. Smith met J. Doe at 3.5 km. He left…", ["Dr. Smith met J. Doe at 3.5 km.", "He left…"]],
  [
    "你好。今天去了北京！真的吗？「好的。」然后",
    ["你好。", "今天去了北京！", "真的吗？", "「好的。」", "然后"],
  ],
  ["1. First step. Do it.\n- second", ["1. First step.", "Do it.", "- second"]],
  ["see https://x.com/a?b=c and a.b() too", ["see https://x.com/a?b=c and a.b() too"]],
  ["", []],
])("%s", (text, sentences) => {
  expect(sentencesOf(text)).toEqual(sentences);
});

test("a block of code stays whole, closed or not", () => {
  expect(sentencesOf("Run this. Now:\n```js\na.b(); c!\n\nd. e\n```\nDone.")).toEqual([
    "Run this.",
    "Now:",
    "```js\na.b(); c!\n\nd. e\n```",
    "Done.",
  ]);
  expect(sentencesOf("```\na. b\nc").map(isCode)).toEqual([true]);
});

test("nothing but white space is lost", () => {
  const text = fc
    .array(fc.oneof(fc.string(), fc.constantFrom("。", ". ", "? ", "\n", "```\n", "e.g. ", "好")))
    .map((parts) => parts.join(""));
  const bare = (given: string): string => given.replace(/\s/g, "");
  fc.assert(
    fc.property(text, (given) => {
      expect(bare(sentencesOf(given).join(""))).toBe(bare(given));
    }),
  );
});
