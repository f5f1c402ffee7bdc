/** The gate against sentences that people have labelled, and where it may not err. */
import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { pointersIn } from "../../src/text/pointers.js";

interface Labelled {
  text: string;
  language: "en" | "zh";
  standsAlone: boolean;
  marks: string[];
}

function labelled(file: string): Labelled[] {
  const text = fs.readFileSync(new URL(`sentences/${file}.jsonl`, import.meta.url), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Labelled);
}

const flagged = (text: string): string[] => pointersIn(text).map((pointer) => pointer.text);

function measured(sentences: readonly Labelled[]): { precision: number; recall: number; count: number } {
  const raised = sentences.filter(({ text }) => pointersIn(text).length > 0);
  const right = raised.filter(({ standsAlone }) => !standsAlone).length;
  const wrong = sentences.filter(({ standsAlone }) => !standsAlone).length;
  return { precision: right / raised.length, recall: right / wrong, count: sentences.length };
}

/** `blind` was written by somebody who knew what the gate is for and not how it works. */
describe.each(["written", "blind"])("of the sentences in %s", (file) => {
  test.each(["en", "zh"] as const)(
    "in %s at least .98 of its alarms are right, and .98 of what points is found",
    (of) => {
      const { precision, recall, count } = measured(labelled(file).filter(({ language }) => language === of));
      expect(count).toBeGreaterThanOrEqual(80);
      expect(precision).toBeGreaterThanOrEqual(0.98);
      expect(recall).toBeGreaterThanOrEqual(0.98);
    },
  );

  test("what it names is what points", () => {
    const strange = labelled(file).filter(({ text, marks }) => {
      const found = flagged(text);
      return (
        marks.length > 0 &&
        !found.some((one) => marks.some((mark) => mark.includes(one) || one.includes(mark)))
      );
    });
    expect(strange.map(({ text }) => [text, flagged(text)])).toEqual([]);
  });
});

test("words that only look like pointers pass", () => {
  const harmless = [
    "其他人用吉他做自我介绍，模型本地部署。",
    "马耳他和犹他州的天气，他人的维他命。",
    "The US IT department reads USA Today about World War I.",
    "Type I diabetes and a coal mine in Hereford.",
    "He Wei(u-1) and You Jin met at WeWork.",
    "项目前期由担当前锋的周明负责，现在完成时很难。",
  ];
  for (const text of harmless) expect(flagged(text)).toEqual([]);
});

test("places are those of the text as it was given, traditional and full width too", () => {
  const text = "林志偉覺得他們昨天到了ｈｅｒｅ";
  for (const { at, text: word } of pointersIn(text)) expect(text.slice(at, at + word.length)).toBe(word);
  expect(flagged("林志偉覺得他們昨天到了")).toEqual(["他們", "昨天"]);
});

test("a text without words, and a very long one, are looked at in no time", () => {
  expect(pointersIn("")).toEqual([]);
  expect(pointersIn('\u0000\ud800 ()《》""')).toEqual([]);
  expect(pointersIn("the ".repeat(50_000))).toEqual([]);
});
