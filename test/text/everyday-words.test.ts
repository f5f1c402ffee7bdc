import fs from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { LISTS, tableOf } from "../../dictionary/lists.js";
import { wordsIn } from "../../src/text/everyday-words.js";
import { stem, termsOf } from "../../src/text/terms.js";
import { bytesOf, EVERYDAY } from "../support/words.js";

const told = (word: string): ReadonlySet<string> =>
  new Set(termsOf(word).flatMap((term) => [...EVERYDAY.membersOfKind(term)]));

describe("what is asked for by its kind is told by its name", () => {
  test.each([
    ["activities", "camping"],
    ["hobby", "pottery"],
    ["pets", "hamster"],
    ["instruments", "clarinet"],
    ["places", "Lisbon"],
    ["cities", "杭州"],
    ["宠物", "猫"],
    ["爱好", "爬山"],
    ["运动", "羽毛球"],
    ["家人", "女儿"],
    ["pets", "猫"],
  ])("%s by %s", (kind, name) => {
    const terms = termsOf(name);
    const pairs = terms.filter((term) => /\p{Script=Han}{2}/u.test(term));
    expect([...told(kind)]).toEqual(expect.arrayContaining((pairs.length > 0 ? pairs : terms).slice(0, 1)));
  });

  test.each(["mast", "Bruno", "camping", "桅杆", "2026", ""])("%j asks for no kind", (word) => {
    expect([...told(word)]).toEqual([]);
  });

  test("in whatever form the word is", () => {
    expect(told("activity")).toEqual(told("activities"));
    expect(told("pet")).toEqual(told("pets"));
  });

  test("a name tells of nothing that is another kind alone", () => {
    expect(told("pets").has("guitar")).toBe(false);
    expect(told("宠物").has("钢琴")).toBe(false);
  });
});

describe("phrases", () => {
  const { phrasesIn } = wordsIn({
    phrases: bytesOf(tableOf("phrases", "throw_up vomit 吐 呕吐\nput_off delay 推迟\n")),
  });
  const same = (text: string): string[] =>
    phrasesIn(text.toLowerCase().split(" ").map(stem)).flatMap(({ terms }) => [...terms]);

  test.each([
    ["why was the cat throwing up", "呕吐"],
    ["he threw it up", "vomit"],
    ["throws it all up", "vomit"],
    ["puts the whole launch off", "推迟"],
    ["put it where nobody ever is off", undefined],
    ["up we throw", undefined],
  ])("%s says %s", (text, word) => {
    if (word === undefined) expect(same(text)).toEqual([]);
    else expect(same(text)).toContain(word);
  });
});

test.each(LISTS)("the table of %s says what its list says: `npm run dictionary:tables`", async (list) => {
  const folder = path.resolve(import.meta.dirname, "../../dictionary");
  const [written, table] = await Promise.all(
    [`lists/${list}.txt`, `${list}.txt`].map((name) => fs.readFile(path.join(folder, name), "utf8")),
  );
  expect(table).toBe(tableOf(list, written ?? ""));
});
