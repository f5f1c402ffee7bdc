import { expect, test } from "vitest";
import { inOtherLanguage, questionOf } from "../../src/recall/question.js";
import { dictionaryIn } from "../../src/text/dictionary.js";
import { type Words, wordsIn } from "../../src/text/everyday-words.js";
import { termsOf } from "../../src/text/terms.js";
import { bytesOf, EVERYDAY } from "../support/words.js";

const words: Words = {
  ...EVERYDAY,
  dictionary: dictionaryIn(bytesOf("birthdai\t生日 寿5\ngift\t礼物\n生日\tbirthdai\n礼物\tgift\n")),
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
  const families = dictionaryIn(bytesOf("allerg\tallergi\nallergi\tallerg\n"));
  const question = questionOf("any allergy", [], { words: { ...words, families } });
  const at = question.terms.findIndex(({ term }) => term === "allergi");
  const other = question.terms.find(({ term }) => term === "allerg");
  expect(other?.standsFor?.term).toBe(at);
  expect(other?.weight).toBeLessThan((question.terms[at]?.weight ?? 0) / 2);
  expect(inOtherLanguage(question)?.terms.map(({ term }) => term)).not.toContain("allerg");
});

test("how much a word of the family stands for the other is told by the table", () => {
  const families = dictionaryIn(bytesOf("allerg\tallergi allergen3\n"));
  const { terms } = questionOf("allergic", [], { words: { ...words, families } });
  const shareOf = (word: string): number => terms.find(({ term }) => term === word)?.standsFor?.share ?? 0;
  expect(shareOf("allergen")).toBeGreaterThan(0);
  expect(shareOf("allergen")).toBeLessThan(shareOf("allergi") / 2);
});

test("what says the same as a phrase stands for the first of its words", () => {
  const { phrasesIn } = wordsIn({ phrases: bytesOf("throw\tthrow_up:vomit,呕吐\n") });
  const { terms } = questionOf("Why was the cat throwing up?", [], { words: { ...words, phrasesIn } });
  const thrown = terms.findIndex(({ term }) => term === "throw");
  for (const word of ["vomit", "呕吐"])
    expect(terms.find(({ term }) => term === word)?.standsFor?.term).toBe(thrown);
});

test("who asks how often asks for no names of a kind", () => {
  const named = (text: string): boolean =>
    questionOf(text, [], { words }).terms.some(({ term }) => term === "hamster");
  expect(named("Which pets have they had?")).toBe(true);
  expect(named("How many times have they had pets?")).toBe(false);
});

test("a word that the question says itself stands for no other", () => {
  const { terms } = questionOf("gift 礼物", [], { words });
  for (const word of ["gift", "礼物"])
    expect(terms.find(({ term }) => term === word)?.standsFor).toBeUndefined();
});

test("words that make a question are not told in other words", () => {
  const talk = { ...EVERYDAY, dictionary: dictionaryIn(bytesOf("todai\t今天\nwhat\t什么\n")) };
  expect(questionOf("what about today", [], { words: talk }).terms.map(({ term }) => term)).not.toContain(
    "什么",
  );
});

test("without a dictionary everyday words still meet", () => {
  expect(questionOf("her birthday", [], { words: EVERYDAY }).terms.map(({ term }) => term)).toContain("生日");
  expect(termsIn("her birthday")).toContain("寿");
});

test("asked in the other language alone, a word counts once, by whichever of its meanings is said", () => {
  const other = inOtherLanguage(questionOf("the gift of Anna", [], { words }));
  const [asked, ...meanings] = other?.terms ?? [];
  // No text has it: what is told in the question's own language is not found.
  expect(termsOf(asked?.term ?? "")).not.toContain("gift");
  expect(meanings.map(({ term }) => term)).toEqual(["礼物", "送"]);
  expect(meanings.every(({ standsFor }) => standsFor?.term === 0)).toBe(true);
  expect(other?.pairs).toEqual([]);
  expect(inOtherLanguage(questionOf("Anna Keller", []))).toBeUndefined();
});
