import fc from "fast-check";
import { expect, test } from "vitest";
import { keywordsOf } from "../../src/text/keywords.js";

test("names and repeated words come first, stop words never", () => {
  const words = keywordsOf(
    "We deployed the API with Docker. Deploying took long, but Docker and the API are fine.",
    3,
  );
  expect([...words].sort()).toEqual(["API", "Docker", "deployed"]);
});

test("a Chinese clause is cut into words", () => {
  expect(keywordsOf("上次部署使用了 Cloudflare Workers，遇到了超时问题", 6)).toEqual(
    expect.arrayContaining(["部署", "Cloudflare", "Workers"]),
  );
  for (const word of keywordsOf("用户偏好使用包管理器而不是手动安装依赖并且每周五部署到生产环境", 20)) {
    expect([...word].length).toBeLessThanOrEqual(4);
  }
});

test("traditional and simplified spellings are one keyword", () => {
  expect(
    keywordsOf("電腦壞了。电脑坏了。", 6).filter((word) => word === "電腦" || word === "电脑"),
  ).toHaveLength(1);
});

test("forms of one word are one keyword", () => {
  expect(keywordsOf("deploy deploys deployed deploying", 6)).toEqual(["deploy"]);
});

test("small talk has none", () => {
  expect(keywordsOf("ok thanks, see you tomorrow!", 6)).toEqual([]);
  expect(keywordsOf("好的，谢谢你，我知道了", 6)).toEqual([]);
});

test("underlined or not, a word is one", () => {
  expect(keywordsOf("harbour _harbour_ __harbour", 5)).toEqual(["harbour"]);
});

test("no repeats, at most the limit, none blank, and the same every time", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.nat(8), (text, limit) => {
      const words = keywordsOf(text, limit);
      expect(words.length).toBeLessThanOrEqual(limit);
      expect(new Set(words.map((word) => word.toLowerCase())).size).toBe(words.length);
      for (const word of words) expect(word.trim()).toBe(word === "" ? "never" : word);
      expect(keywordsOf(text, limit)).toEqual(words);
    }),
  );
});

test("no keyword is a secret, or says that there was one", () => {
  const text = "The admin password is tr0ub4dor3xyz. Use it for the harbour login too.";
  expect(keywordsOf(text, 10).join(" ")).not.toMatch(/tr0ub4dor|redacted/i);
  expect(keywordsOf(text, 10)).toContain("harbour");
});
