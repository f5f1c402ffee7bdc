import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { breadthOf, pointsBack, questionsIn, type Breadth } from "../../src/text/asking.js";

const textsIn = (input: string): string[] => questionsIn(input).map(({ text }) => text);

describe("an input is taken apart into its questions", () => {
  test.each<[string, string[]]>([
    ["Where did we park the van? Who has the keys?", ["Where did we park the van?", "Who has the keys?"]],
    [
      "When is the ferry leaving, and why did the captain change the time?",
      ["When is the ferry leaving", "why did the captain change the time?"],
    ],
    ["What colour is the boat and where does it lie?", ["What colour is the boat", "where does it lie?"]],
    ["渡轮几点出发？码头在哪里？", ["渡轮几点出发？", "码头在哪里？"]],
    ["渡轮几点出发，码头在哪条街", ["渡轮几点出发", "码头在哪条街"]],
    ["房租是多少钱，另外谁负责交水费？", ["房租是多少钱", "谁负责交水费？"]],
  ])("%s", (input, expected) => {
    expect(textsIn(input)).toEqual(expected);
  });

  test.each([
    "How many weeks lay between when we ordered the mast and when it came?",
    '"I sold the boat." "Why did you do that?" "Where did it go?"',
    "What is the name of the harbour master, and how much?",
    "The new mast arrived on Tuesday. Bruno says that it is four metres too long for the boat.",
    "渡轮几点出发？",
  ])("one thing stays whole: %s", (input) => {
    expect(questionsIn(input)).toEqual([{ text: input, beside: "" }]);
  });

  test("what is told beside a question is kept for it, and the other questions too", () => {
    const [first, second] = questionsIn("Bruno is coming on Friday. What does he eat? Where will he sleep?");
    expect(first).toEqual({
      text: "What does he eat?",
      beside: "Bruno is coming on Friday. Where will he sleep?",
    });
    expect(second?.beside).toContain("Bruno");
  });

  test("the fifth question goes with the fourth, and none is lost", () => {
    const input = ["mast", "sail", "anchor", "rudder", "galley", "keel"]
      .map((part) => `Where is the ${part}?`)
      .join(" ");
    const texts = textsIn(input);
    expect(texts).toHaveLength(4);
    expect(texts[3]).toBe("Where is the rudder? Where is the galley? Where is the keel?");
  });

  test.each(["", "   \n ", "Thank you so much!", "好的，谢谢你"])("%j asks nothing", (input) => {
    expect(questionsIn(input)).toEqual([]);
  });

  test("of a huge input the first 4,000 characters are read", () => {
    const far = `${"The mast is long. ".repeat(300)}Where is the anchor?`;
    expect(far.indexOf("anchor")).toBeGreaterThan(4000);
    const [only, ...more] = questionsIn(far);
    expect(more).toEqual([]);
    expect(only?.text).not.toContain("anchor");
    expect(only?.text.length).toBeLessThanOrEqual(4000);
  });

  test("whatever is typed: at most four, in its own words, no half character", () => {
    const piece = fc.constantFrom(
      "where is the mast",
      "，",
      "? ",
      "？",
      " and why ",
      '" "',
      "码头在哪里",
      "\n",
      "```",
      "👩‍👩‍👧",
      "\ud83d",
      "thanks",
      "x".repeat(5000),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }), (pieces) => {
        const input = pieces.join("");
        const questions = questionsIn(input);
        expect(questions.length).toBeLessThanOrEqual(4);
        for (const { text, beside } of questions) {
          expect(text.trim()).not.toBe("");
          expect(text.isWellFormed() && beside.isWellFormed()).toBe(true);
          expect(beside.length).toBeLessThanOrEqual(4000);
        }
      }),
    );
  });

  test.each(["?", "三", "a", '" "', "why ", "，", "\n"])("of 100,000 times %j it is done with", (unit) => {
    const input = unit.repeat(100_000);
    expect(questionsIn(input).length).toBeLessThanOrEqual(4);
    expect(breadthOf(input)).toBeTypeOf("string");
  });
});

describe("what leans on the words before it", () => {
  const alone = (text: string): boolean => pointsBack({ text, beside: "" });

  test.each([
    "How much did it cost?",
    "And the blue one?",
    "What about Friday?",
    "Who gave them the map?",
    "Why?",
    "那个多少钱？",
    "上次说的价格是多少",
    "蓝色的呢？",
    "她后来去了哪里？",
  ])("%s", (text) => {
    expect(alone(text)).toBe(true);
  });

  test.each([
    "Where did Bruno moor the green catamaran?",
    "What is the phone number of the harbour master?",
    "Which sail did Ana repair for it in Lisbon last winter?",
    "布鲁诺的双体船停在哪个码头？",
    "医生给年糕开了什么药？",
  ])("not: %s", (text) => {
    expect(alone(text)).toBe(false);
  });

  test("not where the input itself says who is meant", () => {
    const questions = questionsIn("Who is Marco, and what did he say?");
    expect(questions.map(({ text }) => text)).toEqual(["Who is Marco", "what did he say?"]);
    expect(questions.some(pointsBack)).toBe(true);
    expect(pointsBack({ text: "what did he say?", beside: "Who is Marco Ferrari" })).toBe(false);
    expect(pointsBack({ text: "what did he say?", beside: "" })).toBe(true);
  });
});

describe("how much of the memory a question is about", () => {
  test.each<[string, Breadth]>([
    ["What colour is the catamaran?", "narrow"],
    ["When did Ana repair the mast?", "narrow"],
    ["双体船是什么颜色的？", "narrow"],
    ["What harbours did we visit?", "list"],
    ["How many times has Bruno sailed to Malta?", "list"],
    ["What kinds of knots does Ana like?", "list"],
    ["布鲁诺去过哪些港口？", "list"],
    ["他们一共见了几次面？", "list"],
    ["Can you summarize the repair of the mast?", "wide"],
    ["How has the search for a new mooring progressed?", "wide"],
    ["Walk me through what the surveyor told us, in order.", "wide"],
    ["总结一下修桅杆的经过", "wide"],
    ["搬家的事情怎么样了？", "wide"],
    ["The mast came on Tuesday.", "open"],
    ["桅杆星期二送到了。", "open"],
    ['"I sold the boat." "Where did it go?"', "open"],
  ])("%s is %s", (text, breadth) => {
    expect(breadthOf(text)).toBe(breadth);
  });
});
