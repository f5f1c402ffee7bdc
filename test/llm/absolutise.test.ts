/** Observations without a model: dates are counted, the speaker is named, and the rest is left to the gate. */
import { expect, test } from "vitest";
import { pointersIn } from "../../src/text/pointers.js";
import { builtinAbsolutise } from "../../src/llm/builtin/absolutise.js";
import type { Day } from "../../src/model/time.js";
import type { JobId } from "../../src/model/work.js";

async function told(text: string, speaker = "Lin Yue(u-17)"): Promise<string> {
  const { texts } = await builtinAbsolutise({
    kind: "absolutise",
    id: "x" as JobId,
    speaker,
    day: "2026-03-02" as Day,
    clock: "10:00",
    texts: [{ text }],
    source: "",
    recent: [],
  });
  return texts[0] ?? "";
}

test.each([
  ["I like oolong.", "Lin Yue(u-17) likes oolong."],
  ["I moved to Porto last week.", "Lin Yue(u-17) moved to Porto in the week 2026-02-23 – 2026-03-01."],
  ["My sister visits tomorrow.", "Lin Yue(u-17)'s sister visits on 2026-03-03."],
  ["The report is due by tomorrow.", "The report is due by 2026-03-03."],
  ["I don't eat meat these days.", "Lin Yue(u-17) doesn't eat meat as of 2026-03-02."],
  ["Lin Yue's exam is in three days.", "Lin Yue's exam is on 2026-03-05."],
  ["用户昨天买了一把吉他。", "Lin Yue(u-17) 2026-03-01 买了一把吉他。"],
  ["今晚我要加班", "2026-03-02晚上Lin Yue(u-17)要加班"],
  ["2026-03-01 林悦: 我喜欢喝茶", "林悦喜欢喝茶（2026-03-01）"],
])("%s", async (text, alone) => {
  expect(await told(text)).toBe(alone);
  expect(pointersIn(alone)).toEqual([]);
});

test("where nobody has a name it is the user", async () => {
  expect(await told("I prefer oolong.", "the user")).toBe("The user prefers oolong.");
  expect(await told("我喜欢乌龙茶", "the user")).toBe("用户喜欢乌龙茶");
});

test("who she is nobody can reckon: that stays for the gate to see", async () => {
  const text = await told("She will call tomorrow.");
  expect(text).toBe("She will call on 2026-03-03.");
  expect(pointersIn(text).map((pointer) => pointer.text)).toEqual(["She"]);
});

test("words that only hold a pronoun or a time stay as they are", async () => {
  expect(await told("其他人出现在项目前期的自我介绍里")).toBe("其他人出现在项目前期的自我介绍里");
  expect(await told("The US office of Type I is in Hereford.")).toBe(
    "The US office of Type I is in Hereford.",
  );
});
