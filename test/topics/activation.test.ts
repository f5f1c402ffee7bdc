import fc from "fast-check";
import { expect, test } from "vitest";
import type { TopicId } from "../../src/model/topic.js";
import {
  activationOf,
  averageOf,
  minimumFor,
  sleepBelow,
  takenFor,
  type Ranked,
} from "../../src/topics/activation.js";

const BOUNDS = { least: 3, target: 10, most: 20 };
const score = fc.double({ min: 0, max: 1, noNaN: true });
const topics = fc
  .array(fc.record({ isActive: fc.boolean(), scores: fc.array(score, { maxLength: 5 }) }), { maxLength: 40 })
  .map((all) => all.map((one, at): Ranked => ({ ...one, id: `t${at}` as TopicId })));

function after(all: readonly Ranked[], { wakes, sleeps }: ReturnType<typeof activationOf>): Ranked[] {
  return all.map((one) => ({
    ...one,
    isActive: wakes.includes(one.id) || (one.isActive && !sleeps.includes(one.id)),
  }));
}

const activeIn = (all: readonly Ranked[]): Ranked[] => all.filter(({ isActive }) => isActive);

test("the newest score counts most, and only what was scored counts", () => {
  expect(averageOf([])).toBe(0);
  expect(averageOf([0.6])).toBeCloseTo(0.6);
  expect(averageOf([1, 0, 0, 0, 0])).toBeCloseTo(5 / 15);
  expect(averageOf([0, 0, 0, 0, 1])).toBeCloseTo(1 / 15);
});

test("the more are active, the more it takes", () => {
  expect([3, 10, 20].map(minimumFor)).toEqual([0.29, 0.5, 0.8].map((each) => expect.closeTo(each) as number));
  expect(sleepBelow(10)).toBeCloseTo(0.25);
  expect([0, 3, 10, 16, 40].map((active) => takenFor(active, BOUNDS))).toEqual([15, 14, 10, 7, 3]);
});

test("bounds hold: never more than the most, and the best few are not sent to sleep", () => {
  fc.assert(
    fc.property(topics, fc.boolean(), (all, isRelaxed) => {
      const next = after(all, activationOf(all, BOUNDS, isRelaxed));
      expect(activeIn(next).length).toBeLessThanOrEqual(BOUNDS.most);
      expect(activeIn(next).length).toBeGreaterThanOrEqual(Math.min(BOUNDS.least, activeIn(all).length));
    }),
    { numRuns: 1000 },
  );
});

test("nobody flaps: with the same scores nobody who went to sleep wakes, nobody who woke goes to sleep, and it rests", () => {
  fc.assert(
    fc.property(topics, (all) => {
      const slept = new Set<TopicId>();
      const woke = new Set<TopicId>();
      let now: readonly Ranked[] = all;
      for (let round = 0; round < 5; round++) {
        const { wakes, sleeps } = activationOf(now, BOUNDS);
        for (const id of sleeps) slept.add(id);
        for (const id of wakes) woke.add(id);
        now = after(now, { wakes, sleeps });
      }
      expect([...woke].filter((id) => slept.has(id))).toEqual([]);
      expect(activationOf(now, BOUNDS)).toEqual({ wakes: [], sleeps: [] });
    }),
    { numRuns: 1000 },
  );
});

test("a topic that sleeps can always come back: a few good rounds wake it, however many are active below the most", () => {
  fc.assert(
    fc.property(topics, (all) => {
      const back = { id: "back" as TopicId, isActive: false, scores: [1, 1, 1, 1, 1] };
      const { wakes } = activationOf([...all, back], BOUNDS);
      const isFull = activeIn(after(all, activationOf(all, BOUNDS))).length >= BOUNDS.most;
      const others = all.filter(({ scores }) => averageOf(scores) >= 1).length;
      if (!isFull && others === 0) expect(wakes).toContain("back");
    }),
    { numRuns: 1000 },
  );
});

test("who asks for what may be forgotten wakes a topic with half the score", () => {
  const sleeping: Ranked = { id: "old" as TopicId, isActive: false, scores: [0.15] };
  expect(activationOf([sleeping], BOUNDS).wakes).toEqual([]);
  expect(activationOf([sleeping], BOUNDS, true).wakes).toEqual(["old"]);
});
