/** What a statement ends with or goes on with is not left out where it then says something else. */
import { expect, test } from "vitest";
import { builtinExtract } from "../../src/llm/builtin/extract.js";
import { statementsIn } from "../../src/llm/builtin/told/statement.js";
import { extractJob, said } from "./given.js";

const toldOf = (sentence: string): string[] => statementsIn(sentence, "Lin", []).map(({ text }) => text);

test.each([
  [
    "I decided to apply to Oxford again, even though it costs me dearly.",
    "Lin decided to apply to Oxford again",
  ],
  [
    "I volunteer at a shelter for women who left their homes, and it wears me out.",
    "Lin volunteers at a shelter for women who left their homes",
  ],
  ["I love showing strangers my stamp collection.", "Lin loves showing strangers Lin's stamp collection"],
  [
    "My wife loves showing strangers my stamp collection.",
    "Lin's wife loves showing strangers Lin's stamp collection",
  ],
  [
    "I love showing my stamp collection to strangers.",
    "Lin loves showing their stamp collection to strangers",
  ],
  ["I have two sons who play the flute.", "Lin has two sons"],
])("%s", (sentence, told) => {
  expect(toldOf(sentence)[0]).toBe(told);
});

test("of one somebody it is told without what they did, where that points elsewhere", () => {
  expect(toldOf("I work at a bakery with a friend who taught me how to bake.")[0]).toBe(
    "Lin works at a bakery with a friend",
  );
});

test.each(["I joined a club of stargazers who care about the same things as me."])(
  "which were meant cannot be told alone: %s",
  (sentence) => {
    expect(toldOf(sentence)).toEqual([]);
  },
);

test.each([
  ["I've always wanted to learn Finnish. I just began.", []],
  ["I've always wanted to learn Finnish. I finally signed up!", []],
  ["I've always wanted to learn Finnish. It is hard.", ["Lin has always wanted to learn Finnish."]],
  ["I've always wanted to see Norway. I just love the cold.", ["Lin has always wanted to see Norway."]],
  ["I've always wanted to adopt a dog. I already have two cats.", ["Lin has always wanted to adopt a dog."]],
  [
    "I've always wanted to write a novel. I just never started it.",
    ["Lin has always wanted to write a novel."],
  ],
])("a wish stands until it comes true: %s", async (text, told) => {
  const { findings } = await builtinExtract(
    extractJob({ utterances: [said("14:03", "Lin", text)], speaker: "Lin" }),
  );
  expect(findings.map((each) => each.text)).toEqual(told);
});
