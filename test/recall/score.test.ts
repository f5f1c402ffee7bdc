import fc from "fast-check";
import { expect, test } from "vitest";
import type { Candidates } from "../../src/recall/index/engine.js";
import { withDecay } from "../../src/recall/decay.js";
import { boundOf, orderedPeriod } from "../../src/recall/period.js";
import { score } from "../../src/recall/score.js";
import { DAY_MS, epochMs, zoneOf } from "../../src/model/time.js";
import { NOON, said } from "./passage-samples.js";

/** 1000 passages of 20 terms; each of the three terms asked for is in 5. */
const asked = (frequencies: number[], length = 20): Candidates => ({
  statistics: { passages: 1000, length: 20_000, documentFrequencies: [5, 5, 5] },
  found: [{ passage: said("tea"), length, frequencies }],
});
const similarity = (candidates: Candidates): number => score(candidates)[0]?.score ?? NaN;

test("holding all that the question turns on is .5, one of three words a quarter", () => {
  expect(similarity(asked([1, 1, 1]))).toBeCloseTo(0.5, 2);
  expect(similarity(asked([1, 0, 0]))).toBeCloseTo(0.25, 2);
  expect(similarity(asked([0, 0, 0]))).toBe(0);
});

test("the size of the memory hardly matters to a similarity", () => {
  const small: Candidates = {
    statistics: { passages: 3, length: 60, documentFrequencies: [1, 1, 1] },
    found: [{ passage: said("tea"), length: 20, frequencies: [1, 1, 1] }],
  };
  expect(similarity(small)).toBeCloseTo(similarity(asked([1, 1, 1])), 2);
});

test("more of a term never lowers a score, a longer passage never raises it", () => {
  fc.assert(
    fc.property(fc.nat(20), fc.integer({ min: 1, max: 500 }), (times, length) => {
      expect(similarity(asked([times + 1, 0, 1], length))).toBeGreaterThan(
        similarity(asked([times, 0, 1], length)),
      );
      expect(similarity(asked([times, 0, 1], length + 1))).toBeLessThan(
        similarity(asked([times, 0, 1], length)),
      );
    }),
  );
});

const hit = (score: number, ageDays: number): Parameters<typeof withDecay>[0] => ({
  passage: said("tea", { saidAt: epochMs(NOON - ageDays * DAY_MS) }),
  score,
  parts: {},
});

test("decay is the seed's: a fifth more for now, a tenth after a half-life", () => {
  expect(withDecay(hit(0.5, 0), NOON, 14).score).toBeCloseTo(0.6);
  expect(withDecay(hit(0.5, 14), NOON, 14).score).toBeCloseTo(0.55);
  expect(withDecay(hit(0.5, 60), NOON, 60).score).toBeCloseTo(0.55);
});

test("being recent does not help what is not similar, nor counts the future for more than now", () => {
  expect(withDecay(hit(0.34, 0), NOON, 14).score).toBe(0.34);
  expect(withDecay(hit(0.5, -400), NOON, 14).score).toBeCloseTo(0.6);
  expect(withDecay(hit(0.99, 0), NOON, 14).score).toBe(1);
});

test("a period is written in days or instants", () => {
  expect(boundOf("2025-03-04")).toEqual({ day: "2025-03-04" });
  expect(boundOf("2025-03-04T10:00:00Z")).toEqual({ at: Date.parse("2025-03-04T10:00:00Z") });
  expect(boundOf("yesterday")).toBeUndefined();
});

test("a day and an instant inside it are in order both ways round", () => {
  const zone = zoneOf("UTC");
  const [day, noon] = [boundOf("2025-03-04"), boundOf("2025-03-04T12:00:00Z")];
  if (day === undefined || noon === undefined) throw new Error("no bounds");
  expect(orderedPeriod({ from: day, to: noon }, zone).warnings).toEqual([]);
  expect(orderedPeriod({ from: noon, to: day }, zone).warnings).toEqual([]);
});
