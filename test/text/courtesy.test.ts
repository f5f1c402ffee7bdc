import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asksNothing, withoutCourtesy } from "../../src/text/courtesy.js";

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
  "make it a bit more formal",
  "can't believe it, so proud",
  "no, leave it",
  "in English please",
  "Honestly, finally!",
  "hello?",
  "???",
  "sure, why not",
  "今天真的好累，什么都不想干",
  "气死我了！！",
  "天哪",
  "在吗",
  "换个说法试试",
  "用中文回答",
  "简短一点",
  "sorry for the late reply",
  "okey dokey",
  "same here",
  "how have you been?",
  "you still here?",
  "this made me smile",
  "it's raining again",
  "不要紧",
  "今天就到这里",
  "你今天怎么样",
  "最近好吗",
  "借你吉言",
];

const ASKING = [
  "ok, the dentist",
  "Thanks! And the invoice?",
  "Good morning, where is the ferry timetable",
  "great, book the second flight",
  "mast",
  "谢谢，那发票呢？",
  "好的，把会议改到周五",
  "年糕",
  "哈哈，布鲁诺的船",
  "早安，今天开什么会",
  "so proud of my catamaran",
  "太极",
  "别墅",
  "音乐会",
  "糕点",
  "cancel the mortgage",
  "我到超市了",
  "可以，按我平时的口味点吧",
  "什么都行，除了桅杆",
  "最近家里怎么样",
  "老王最近好吗",
  "压力测试",
  "部署完成了",
  "home battery",
  "safe",
  "周五",
  "same time as last week",
  "why?",
  "42",
];

describe("an input that asks nothing", () => {
  test.each(COURTEOUS)("%s", (text) => {
    expect(asksNothing(text)).toBe(true);
  });

  test.each(ASKING)("not: %s", (text) => {
    expect(asksNothing(text)).toBe(false);
  });

  test("whatever courtesies stand before it, a question asks", () => {
    const asking = fc.constantFrom(
      "where is my passport",
      "who signed the mortgage?",
      "how much was the invoice",
      "catamaran?",
      "护照在哪里",
      "发票是谁开的",
      "桅杆？",
    );
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...COURTEOUS), { maxLength: 4 }),
        asking,
        (courteous, question) => {
          const text = [...courteous, question].join(" ");
          expect(withoutCourtesy(text)).toBe(text);
        },
      ),
    );
  });

  test("a word of another kind by itself asks", () => {
    for (const word of ["mortgage", "catamaran", "Lisbon", "桅杆", "护照"])
      expect(asksNothing(word)).toBe(false);
  });

  test("what is told after a greeting is what it is about", () => {
    expect(withoutCourtesy("Good morning, the dentist called about Bruno")).toContain("dentist");
    expect(withoutCourtesy("谢谢，桅杆修好了")).toContain("桅杆");
  });

  test("without a courtesy nothing is taken away, however small its words", () => {
    for (const text of ["my coffee cutoff", "home battery", "the flight to Lisbon"])
      expect(withoutCourtesy(text)).toBe(text);
  });

  test("of a long message nothing is taken for a courtesy", () => {
    const text = `Thanks, that was good. ${"The boat lies in the harbour and all is fine. ".repeat(10)}Where is the anchor?`;
    expect(withoutCourtesy(text)).toBe(text);
  });

  test("said twice it still asks nothing", () => {
    fc.assert(
      fc.property(fc.constantFrom(...COURTEOUS), (courteous) => {
        fc.pre(!courteous.includes("Priya"));
        expect(asksNothing(`${courteous}\n${courteous}`)).toBe(true);
      }),
    );
  });

  test.each(["a", "h", "哈", "好", "ok ", "?", "就先", "1", "how are you", "'a"])(
    "100,000 characters of %j are more than a courtesy, and done with",
    (unit) => {
      expect(asksNothing(unit.repeat(100_000 / unit.length))).toBe(false);
      expect(asksNothing(unit.repeat(400 / unit.length))).toBeTypeOf("boolean");
    },
  );
});
