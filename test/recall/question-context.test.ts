import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { questionOf } from "../../src/recall/question.js";
import { WEIGHTS } from "../../src/recall/weights.js";
import { termsOf } from "../../src/text/terms.js";
import { EVERYDAY } from "../support/words.js";

const weightsOf = (text: string, context: readonly string[] = []): Map<string, number> =>
  new Map(questionOf(text, [], { context, words: EVERYDAY }).terms.map(({ term, weight }) => [term, weight]));

describe("what was said before a question", () => {
  test("counts less than its own words, and the older the less", () => {
    const weights = weightsOf("How much did the anchor cost?", ["catamaran", "harbour"]);
    const [own = 0, newest = 0, older = 0] = ["anchor", "harbour", "catamaran"].map((term) =>
      weights.get(term),
    );
    expect(own).toBeGreaterThan(newest);
    expect(newest).toBeGreaterThan(older);
    expect(older).toBeGreaterThan(0);
  });

  test("in Chinese too", () => {
    const weights = weightsOf("桅杆多少钱？", ["双体船", "码头"]);
    expect(weights.get("桅杆")).toBeGreaterThan(weights.get("码头") ?? 0);
    expect(weights.get("码头")).toBeGreaterThan(weights.get("双体") ?? 0);
  });

  test("lifts no word that the question has itself", () => {
    expect(weightsOf("the anchor", ["anchor anchor"]).get("anchor")).toBe(
      weightsOf("the anchor").get("anchor"),
    );
  });

  test("stands behind the question, and makes no pairs", () => {
    const { terms, pairs } = questionOf("old anchor", [], { context: ["green catamaran"] });
    expect(terms.map(({ term }) => term)).toEqual(["old", "anchor", "green", "catamaran"]);
    expect(pairs).toEqual([[0, 1]]);
  });

  test("leaves out small talk", () => {
    expect([...weightsOf("old anchor", ["nice harbour"]).keys()]).toEqual(["old", "anchor", "harbour"]);
  });

  test("lends something to a question with hardly a word of its own", () => {
    expect(weightsOf("why?", ["harbour"]).get("harbour")).toBeGreaterThan(0);
  });

  test("never weighs more together than the question, if that has four words of its own", () => {
    const nouns = [
      "anchor",
      "mast",
      "keel",
      "rudder",
      "galley",
      "harbour",
      "catamaran",
      "spruce",
      "桅杆",
      "码头",
    ];
    const words = fc.subarray(nouns, { minLength: 4, maxLength: 7 });
    fc.assert(
      fc.property(words, fc.array(fc.string({ maxLength: 300 }), { maxLength: 6 }), (own, context) => {
        const text = own.join(" ");
        const ownTerms = new Set(termsOf(text));
        const { terms: all } = questionOf(text, [], { context: [...context, ...nouns] });
        const terms = all.filter(({ standsFor }) => standsFor === undefined);
        const sum = (isOwn: boolean): number =>
          terms
            .filter(({ term }) => ownTerms.has(term) === isOwn)
            .reduce((total, { weight }) => total + weight, 0);
        expect(sum(false)).toBeLessThanOrEqual(sum(true) + 1e-9);
      }),
    );
  });
});

describe("the names of a kind of thing", () => {
  test.each([
    ["What pets do they have?", "hamster"],
    ["布鲁诺家有哪些宠物？", "仓鼠"],
  ])("are looked for where several are asked for: %s", (question, name) => {
    const weights = weightsOf(question);
    expect(weights.get(name)).toBeCloseTo(WEIGHTS.question.kind);
    expect(Math.max(...weights.values())).toBeGreaterThan(weights.get(name) ?? 0);
  });

  test.each([
    "Is the pet asleep?",
    "Where does his pet sleep?",
    "They keep a pet.",
    "Can you summarize the story of the pet?",
    "宠物睡在哪里？",
  ])("are not where one thing is, or a whole matter: %s", (question) => {
    const weights = weightsOf(question);
    const names = termsOf(question).flatMap((term) => [...EVERYDAY.membersOfKind(term)]);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => weights.has(name) && !termsOf(question).includes(name))).toEqual([]);
  });
});
