import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asksNothing } from "../../src/text/courtesy.js";

const COURTEOUS = [
  "Cheers, that helped a lot!",
  "Ok ok, got it, thank you so much",
  "haha nice one",
  "Good night, Priya",
  "Sorry, hit send too early",
  "thnaks again!!",
  "heyyyy",
  "What's up?",
  "Perfect. See you tomorrow then.",
  "👍",
  "...",
  "嗯嗯，明白了，辛苦啦",
  "哈哈哈太好笑了",
  "hhhhh",
  "早安！",
  "好嘞，就这么办",
  "谢谢你，晚安，明天见",
  "不好意思打错字了",
  "收到，thanks！",
];

const ASKING = [
  "ok, the dentist",
  "Thanks! And the invoice?",
  "Good morning, where is the ferry timetable",
  "great, book the second flight",
  "sorry about the mortgage",
  "mast",
  "谢谢，那发票呢？",
  "好的，把会议改到周五",
  "年糕",
  "哈哈，布鲁诺的船",
  "早安，今天开什么会",
  "42",
];

describe("an input that asks nothing", () => {
  test.each(COURTEOUS)("%s", (text) => {
    expect(asksNothing(text)).toBe(true);
  });

  test.each(ASKING)("not: %s", (text) => {
    expect(asksNothing(text)).toBe(false);
  });

  test("any word of another kind makes it ask", () => {
    const content = fc.constantFrom(
      "mortgage",
      "catamaran",
      "dentist",
      "invoice",
      "passport",
      "kubernetes",
      "桅杆",
      "发票",
      "护照",
      "牙医",
    );
    fc.assert(
      fc.property(fc.constantFrom(...COURTEOUS), content, fc.boolean(), (courteous, word, isFirst) => {
        const text = isFirst ? `${word} ${courteous}` : `${courteous} ${word}`;
        expect(asksNothing(text)).toBe(false);
      }),
    );
  });

  test("said twice it still asks nothing", () => {
    fc.assert(
      fc.property(fc.constantFrom(...COURTEOUS), (courteous) => {
        fc.pre(!courteous.includes("Priya"));
        expect(asksNothing(`${courteous}\n${courteous}`)).toBe(true);
      }),
    );
  });

  test.each<[string, boolean]>([
    ["a", false],
    ["h", true],
    ["ha", true],
    ["哈", true],
    ["好", true],
    ["ok ", true],
    ["?", false],
    ["就先", true],
    ["1", false],
    ["how are you", false],
  ])("100,000 characters of %j are judged like few", (unit, isNothing) => {
    expect(asksNothing(unit.repeat(100_000 / unit.length))).toBe(isNothing);
  });
});
