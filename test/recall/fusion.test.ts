/** Two orders joined by rank. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Hit } from "../../src/model/passage.js";
import { ledIn } from "../../src/recall/index/answer.js";
import { hit } from "../context/given.js";

const scored = (id: string, score: number): Hit => hit({ id, text: id }, score);
const idsOf = (hits: readonly Hit[]): string[] => hits.map(({ passage }) => passage.id);

test("what is led in stands behind every so many of the others, however little it scores", () => {
  const order = ["a", "b", "c", "d", "e"].map((id, place) => scored(id, 0.9 - place / 10));
  const led = ledIn(order, [scored("x", 0.2), scored("y", 0.15)], 2);
  expect(idsOf(led)).toEqual(["a", "b", "c", "x", "d", "e", "y"]);
  expect(led.find(({ passage }) => passage.id === "x")?.score).toBe(0.7);
});

test("what both found moves up, never down", () => {
  const order = ["a", "b", "c", "d", "e"].map((id, place) => scored(id, 0.9 - place / 10));
  expect(idsOf(ledIn(order, [scored("e", 0.2)], 2))).toEqual(["a", "b", "c", "e", "d"]);
  expect(idsOf(ledIn(order, [scored("a", 0.2)], 2))).toEqual(["a", "b", "c", "d", "e"]);
});

test("where nothing else was found it keeps its own score; where nothing is led in all stays", () => {
  expect(ledIn([], [scored("x", 0.2)], 2)).toEqual([scored("x", 0.2)]);
  expect(ledIn([scored("a", 0.4)], [], 2)).toEqual([scored("a", 0.4)]);
});

test("nothing is lost, nothing stands twice, and no score falls", () => {
  const hits = fc.uniqueArray(
    fc.record({ id: fc.constantFrom(..."abcdefgh"), score: fc.double({ min: 0.01, max: 1, noNaN: true }) }),
    { selector: ({ id }) => id },
  );
  fc.assert(
    fc.property(hits, hits, fc.integer({ min: 1, max: 4 }), (one, other, every) => {
      const best = (list: typeof one): Hit[] =>
        list.map(({ id, score }) => scored(id, score)).sort((a, b) => b.score - a.score);
      const [order, across] = [best(one), best(other)];
      const led = ledIn(order, across, every);
      expect(idsOf(led).sort()).toEqual([...new Set([...idsOf(order), ...idsOf(across)])].sort());
      for (const { passage, score } of order)
        expect(led.find((each) => each.passage.id === passage.id)?.score).toBeGreaterThanOrEqual(score);
    }),
  );
});
