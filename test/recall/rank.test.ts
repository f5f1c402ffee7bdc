/** What is said twice. */
import { expect, test } from "vitest";
import type { Hit } from "../../src/model/passage.js";
import { atOnce } from "../../src/model/steps.js";
import { bestWithoutCopies } from "../../src/recall/rank.js";
import { said } from "./passage-samples.js";

const hits = (...texts: readonly [text: string, speaker?: string][]): Hit[] =>
  texts.map(([text, speaker = "Ana"], index) => ({
    passage: said(text, { id: String(index), speaker }),
    score: 1 - index / 100,
    parts: {},
  }));
const placesOf = (found: readonly Hit[]): string[] =>
  found.map(({ passage }) => passage.id.split("#")[1] ?? "");
const LONG = "I want to move to Lisbon in spring and look for a small flat near the river with a balcony";

test("copies go, whatever their case and punctuation; another speaker's words stay", () => {
  const all = hits(["Tea, please!"], ["tea please"], ["Tea please.", "Bo"], ["Tea?"]);
  expect(atOnce(bestWithoutCopies(all, 10)).map(({ passage }) => passage.text)).toEqual([
    "Tea, please!",
    "Tea please.",
    "Tea?",
  ]);
});

test("a long text that differs by a word or two gives way to what says something else", () => {
  const all = hits([LONG], [`${LONG} again`], ["The budget was approved."]);
  expect(placesOf(atOnce(bestWithoutCopies(all, 10)))).toEqual(["0", "2", "1"]);
  expect(placesOf(atOnce(bestWithoutCopies(all, 2)))).toEqual(["0", "2"]);
});

test("another number, another speaker, or a short text is no near copy", () => {
  const all = hits([`${LONG} for 900`], [`${LONG} for 800`], [LONG, "Bo"], ["no tea"], ["no tea now"]);
  expect(placesOf(atOnce(bestWithoutCopies(all, 10)))).toEqual(["0", "1", "2", "3", "4"]);
});
