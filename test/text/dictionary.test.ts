import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inByteOrder } from "../../dictionary/byte-order.js";
import { dictionaryTable } from "../../src/platform/package-root.js";
import { dictionaryIn, translated } from "../../src/text/dictionary.js";
import { bytesOf } from "../support/words.js";

const LINES = [
  "Beij\t北京",
  "cat\t猫7",
  "cello\t大提琴5",
  "rose\t玫瑰 蔷薇8",
  "医院\thospit",
  "大提琴\tcello",
  "提琴\tviolin5",
  "月\tmonth",
  "林\tforest",
  "猫\tcat modem5",
];
const small = dictionaryIn(bytesOf(`${LINES.sort().join("\n")}\n`));
const said = (text: string): string[] => translated(text, small).map(({ of, term }) => `${of} ${term}`);

test("a word is found wherever it stands in the file, and no other", () => {
  const word = fc.string({
    minLength: 1,
    unit: fc.constantFrom("a", "b", "B", "z", "猫", "月", "𠂇", "\ufb01"),
  });
  fc.assert(
    fc.property(fc.uniqueArray(word), word, (words, other) => {
      const look = dictionaryIn(bytesOf(inByteOrder(words.map((key) => `${key}\tof-${key}`))));
      for (const key of words) expect(look(key)).toEqual([{ word: `of-${key}`, share: 1 }]);
      if (!words.includes(other)) expect(look(other)).toEqual([]);
    }),
  );
});

test("what a word means says how nearly", () => {
  expect(small("猫")).toEqual([
    { word: "cat", share: 1 },
    { word: "modem", share: 0.5 },
  ]);
  expect(dictionaryIn(bytesOf(""))("cat")).toEqual([]);
});

describe("a text is told word by word", () => {
  test("the longest word counts, not what is in it", () => {
    expect(said("我的大提琴")).toEqual(["大提 cello"]);
  });

  test("a long word is told by its pairs", () => {
    expect(said("my cello")).toEqual(["cello 大提", "cello 提琴"]);
  });

  test("one character is a word by itself, two that are no word are a name", () => {
    expect(said("我的猫")).toEqual(["猫 cat", "猫 modem"]);
    expect(said("林月")).toEqual([]);
  });

  test("a name is no flower, and a city is one in any case", () => {
    expect(said("a rose for Ana")).toEqual(["rose 玫瑰", "rose 蔷薇"]);
    expect(said("what did Rose say")).toEqual([]);
    expect(said("we went to Beijing")).toEqual(["beij 北京"]);
    expect(said("beijing again")).toEqual(["beij 北京"]);
  });

  test("of a long text the head is told", () => {
    const filler = "x ".repeat(1000);
    expect(said(`cello ${filler}`)).toEqual(["cello 大提", "cello 提琴"]);
    expect(said(`${filler} cello`)).toEqual([]);
  });

  test("characters of grammar are no words where they stand alone", () => {
    const demanding = dictionaryIn(bytesOf("船\tboat\n要\tdemand\n"));
    expect(translated("那要船吗", demanding).map(({ term }) => term)).toEqual(["boat"]);
  });

  test("traditional characters say the same", () => {
    expect(said("醫院")).toEqual(["医院 hospit"]);
  });
});

const table = dictionaryTable("words") ?? new Uint8Array();

describe("the dictionary that comes with memd", () => {
  const look = dictionaryIn(table);
  const means = (word: string): string[] => look(word).map((meaning) => meaning.word);

  test.each([
    ["cello", "大提琴"],
    ["ticket", "票"],
    ["marathon", "马拉松"],
    ["Beij", "北京"],
    ["退票", "refund"],
    ["医生", "doctor"],
  ])("%s is %s", (word, meaning) => {
    expect(means(word)).toContain(meaning);
  });

  test("every line of it is found", () => {
    const lines = new TextDecoder().decode(table).trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(100_000);
    const lost = lines.filter(
      (line, at) => at % 97 === 0 && look(line.slice(0, line.indexOf("\t"))).length === 0,
    );
    expect(lost).toEqual([]);
  });
});
