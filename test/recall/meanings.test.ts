import { expect, test } from "vitest";
import { inOtherLanguage, questionOf } from "../../src/recall/question.js";
import { dictionaryIn } from "../../src/text/dictionary.js";
import type { Words } from "../../src/text/everyday-words.js";
import { EVERYDAY } from "../support/words.js";

const words: Words = {
  ...EVERYDAY,
  dictionary: dictionaryIn("birthdai\t生日 寿5\ngift\t礼物\n生日\tbirthdai\n礼物\tgift\n"),
};
const termsIn = (text: string): string[] => questionOf(text, [], { words }).terms.map(({ term }) => term);

test("what says the same in the other language stands for the word that was said", () => {
  const { terms } = questionOf("the gift", [], { words });
  const at = terms.findIndex(({ term }) => term === "gift");
  const other = terms.find(({ term }) => term === "礼物");
  expect(other?.standsFor?.term).toBe(at);
  expect(other?.standsFor?.share).toBeLessThan(1);
  expect(other?.weight).toBeLessThan(terms[at]?.weight ?? 0);
});

test("a word of the family stands for the one that was said, a little, and is no word of the other language", () => {
  const families = dictionaryIn("allerg\tallergi\nallergi\tallerg\n");
  const question = questionOf("any allergy", [], { words: { ...words, families } });
  const at = question.terms.findIndex(({ term }) => term === "allergi");
  const other = question.terms.find(({ term }) => term === "allerg");
  expect(other?.standsFor?.term).toBe(at);
  expect(other?.weight).toBeLessThan((question.terms[at]?.weight ?? 0) / 2);
  expect(inOtherLanguage(question)?.terms.map(({ term }) => term)).not.toContain("allerg");
});

test("a word that the question says itself stands for no other", () => {
  const { terms } = questionOf("gift 礼物", [], { words });
  for (const word of ["gift", "礼物"])
    expect(terms.find(({ term }) => term === word)?.standsFor).toBeUndefined();
});

test("words that make a question are not told in other words", () => {
  const talk = { ...EVERYDAY, dictionary: dictionaryIn("todai\t今天\nwhat\t什么\n") };
  expect(questionOf("what about today", [], { words: talk }).terms.map(({ term }) => term)).not.toContain(
    "什么",
  );
});

test("without a dictionary everyday words still meet", () => {
  expect(questionOf("her birthday", [], { words: EVERYDAY }).terms.map(({ term }) => term)).toContain("生日");
  expect(termsIn("her birthday")).toContain("寿");
});

test("the words of the other language can be asked alone, each for itself", () => {
  const other = inOtherLanguage(questionOf("the gift of Anna", [], { words }));
  expect(other?.terms.map(({ term }) => term)).toEqual(["礼物", "送"]);
  expect(other?.terms.some(({ standsFor }) => standsFor !== undefined)).toBe(false);
  expect(other?.pairs).toEqual([]);
  expect(inOtherLanguage(questionOf("Anna Keller", []))).toBeUndefined();
});
