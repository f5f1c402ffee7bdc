import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FUNCTION_CHARACTERS, termsOf } from "../../src/text/terms.js";

const sharesTerm = (question: string, passage: string): boolean => {
  const held = new Set(termsOf(passage));
  return termsOf(question).some((term) => held.has(term));
};

describe("English", () => {
  test("words meet in their stems, irregular ones too", () => {
    expect(sharesTerm("When did she buy a camera?", "I bought it on Friday")).toBe(true);
    expect(sharesTerm("deployment", "we are deploying tonight")).toBe(true);
    expect(sharesTerm("children", "a child")).toBe(true);
  });

  test("stop words are out, months and countries are not", () => {
    expect(termsOf("What is it that we were doing with them?")).toEqual([]);
    expect(termsOf("in May, in the US")).toHaveLength(2);
  });

  test("what an apostrophe joins on is cut off", () => {
    expect(termsOf("Anna's cat")).toEqual(termsOf("Anna cat"));
    expect(termsOf("I don’t, they’re, we’ll")).toEqual([]);
    expect(termsOf("O'Brien")).toEqual(["obrien"]);
    expect(termsOf("l'été")).toEqual(["et"]);
  });

  test("identifiers are found whole and by their words", () => {
    expect(termsOf("user_id")).toEqual(["user_id", "user", "id"]);
    expect(termsOf("getUserName")).toEqual(["getusername", "get", "user", "name"]);
    expect(sharesTerm("request timeout", "set request_timeout_ms to 3")).toBe(true);
  });

  test("names of two humps stay names: Java does not find JavaScript", () => {
    expect(sharesTerm("Java", "JavaScript")).toBe(false);
    expect(sharesTerm("javascript", "JavaScript")).toBe(true);
  });

  test("languages and versions", () => {
    expect(termsOf("C++ C# v2")).toEqual(["c++", "c#", "v2", "v", "2"]);
  });

  test("very long runs count by their beginning", () => {
    expect(termsOf("a".repeat(5000)).map((term) => term.length)).toEqual([64]);
  });
});

describe("numbers", () => {
  test("spellings of one number meet", () => {
    expect(termsOf("1,200 1200 15th 03 3,5 3.5km")).toEqual(["1200", "1200", "15", "3", "3.5", "3.5", "km"]);
    expect(sharesTerm("15", "on the 15th")).toBe(true);
    expect(termsOf("2024-03-05")).toEqual(["2024", "3", "5"]);
  });
});

describe("Chinese", () => {
  test("single characters and pairs", () => {
    expect(termsOf("三文鱼")).toEqual(["三", "文", "三文", "鱼", "文鱼"]);
  });

  test("function characters are out, and every pair with one in it", () => {
    expect(termsOf("我的猫也在你的窝")).toEqual(["猫", "窝"]);
  });

  test("traditional finds simplified", () => {
    expect(termsOf("電腦壞了")).toEqual(termsOf("电脑坏了"));
    expect(sharesTerm("憶體", "记忆体")).toBe(true);
  });

  test("full width is half width", () => {
    expect(termsOf("ＰＮＰＭ　１２３")).toEqual(["pnpm", "123"]);
  });

  test("mixed text falls apart at the border of scripts", () => {
    expect(termsOf("用pnpm吧")).toEqual(["用", "pnpm"]);
    expect(sharesTerm("Cloudflare 部署", "上次部署使用了Cloudflare Workers")).toBe(true);
  });

  test("one character is a question", () => {
    expect(sharesTerm("猫", "我养了一只猫")).toBe(true);
    expect(sharesTerm("猫叫什么", "那只黑猫叫煤球")).toBe(true);
  });

  test("a word with a function character in it is still found by its other character", () => {
    for (const word of ["地址", "得奖", "和平", "目的", "自我", "吉他", "不同", "这里", "有趣"]) {
      expect(sharesTerm(`${word}呢`, `关于${word}`), word).toBe(true);
    }
  });
});

describe("other scripts", () => {
  test("accents do not matter in Latin", () => {
    expect(sharesTerm("cafe Zurich", "Café in Zürich")).toBe(true);
    expect(sharesTerm("Strasse", "Straße")).toBe(true);
  });

  test("Russian cases meet", () => {
    expect(sharesTerm("кошка", "я вижу кошку")).toBe(true);
    expect(sharesTerm("ёлка", "елка")).toBe(true);
  });

  test("kana and hangul are found by pairs", () => {
    expect(sharesTerm("カレー", "カレーライスを食べた")).toBe(true);
    expect(sharesTerm("커피", "커피를 마셨다")).toBe(true);
  });
});

describe("always", () => {
  const anyText = fc.string({ unit: "grapheme", maxLength: 80 });

  test("any text gives the same terms twice, none of them blank or holding white space", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const terms = termsOf(text);
        expect(termsOf(text)).toEqual(terms);
        for (const term of terms) expect(term).toMatch(/^[^\s\u0000]+$/u);
      }),
    );
  });

  test("case, width and what stands around do not change a text's terms", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,12}( [a-z]{1,12}){0,5}$/), (text) => {
        expect(termsOf(text.toUpperCase())).toEqual(termsOf(text));
        const wide = text.replace(/[a-z]/g, (letter) =>
          String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0),
        );
        expect(termsOf(wide)).toEqual(termsOf(text));
        expect(termsOf(`(“${text}”)。`)).toEqual(termsOf(text));
      }),
    );
  });

  test("no function character is in any term", () => {
    const char = fc.constantFrom(..."的了是在我猫狗鱼茶部署电脑");
    fc.assert(
      fc.property(fc.array(char), (chars) => {
        for (const term of termsOf(chars.join("")))
          for (const one of term) expect(FUNCTION_CHARACTERS.has(one)).toBe(false);
      }),
    );
  });
});
