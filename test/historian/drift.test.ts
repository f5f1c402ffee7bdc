import fc from "fast-check";
import { expect, test } from "vitest";
import { driftOf, hasDrifted, idsIn, idsTold } from "../../src/historian/absolutise.js";

test("an id that is gone and one that came from nowhere are both drift", () => {
  expect(driftOf("Lin(u-17) fixed PR-204.", "Lin(u-18) fixed it.")).toEqual({
    lost: ["u-17", "pr-204"],
    invented: ["u-18"],
  });
});

test("what was known around it may be named", () => {
  expect(
    hasDrifted(driftOf("She fixed it.", "Lin(u-17) fixed PR-204.", idsIn("Lin(u-17): PR-204 is open"))),
  ).toBe(false);
  expect(hasDrifted(driftOf("她修好了。", "林悦(10001)修好了。"))).toBe(true);
});

test("whoever was named may be named again, by their id and by each word of their name", () => {
  const told = idsTold(["Lin Yue(lin)", "Wen", "local"], ["PR-204 is open"]);
  for (const text of ["Lin Yue(lin) met Wen(wen).", "Lin Yue(yue) fixed PR-204.", "The owner(local) came."])
    expect(hasDrifted(driftOf("", text, told)), text).toBe(false);
  expect(driftOf("", "Lin Yue(lin) met Mo(mo).", told).invented).toEqual(["mo"]);
});

test("dates and times are what a rewriting adds", () => {
  const rewritten = "Lin met Wei on 2026-03-02 at 14:30, not in 2025 or 2026年3月5日.";
  expect(driftOf("Lin met Wei yesterday.", rewritten)).toEqual({ lost: [], invented: [] });
});

test("a long number is an id, a short one a quantity", () => {
  expect(driftOf("群 12345678 有 30 人", "群里有三十人").lost).toEqual(["12345678"]);
});

test("whatever the text, it has not drifted from itself", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => !hasDrifted(driftOf(text, text))));
});
