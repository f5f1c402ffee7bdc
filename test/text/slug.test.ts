import fc from "fast-check";
import { expect, test } from "vitest";
import { LONGEST_SLUG, slugOf } from "../../src/text/keywords.js";

test("keywords in kebab case", async () => {
  expect(await slugOf(["Cloudflare", "deploy_prod", "API"], "x")).toBe("cloudflare-deploy-prod-api");
});

test("Chinese is romanised, a keyword to a word", async () => {
  expect(await slugOf(["年糕", "部署", "pnpm"], "x")).toBe("niangao-bushu-pnpm");
  expect(await slugOf(["重慶", "銀行"], "x")).toBe("chongqing-yinhang");
  expect(await slugOf(["绿色"], "x")).toMatch(/^[a-z]+$/);
});

test("accents are dropped", async () => {
  expect(await slugOf(["Zürich", "café"], "x")).toBe("zurich-cafe");
});

test("what does not fit is left out at a word's end", async () => {
  expect(await slugOf(["kubernetes", "deployment", "rollback", "tea"], "x")).toBe(
    "kubernetes-deployment-rollback",
  );
  expect(await slugOf(["a".repeat(50)], "x")).toBe("a".repeat(LONGEST_SLUG));
});

test("without ASCII words the id names it", async () => {
  expect(await slugOf([], "01J8-ABCDEFGH")).toBe("mem-01j8abcd");
  expect(await slugOf(["кошка"], "../../etc")).toBe("mem-etc");
  expect(await slugOf([], "。。")).toBe("mem-0");
});

test("whatever the keywords, a slug is a safe file name", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: "grapheme" })), fc.string(), async (words, id) => {
      expect(await slugOf(words, id)).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect((await slugOf(words, id)).length).toBeLessThanOrEqual(LONGEST_SLUG);
    }),
  );
});
