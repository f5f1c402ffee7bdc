import fc from "fast-check";
import { expect, test } from "vitest";
import { nearnessTo, unitVector, VectorStore } from "../../../src/recall/index/vectors.js";

const numbers = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 4, maxLength: 4 });
const vector = numbers.filter((values) => values.some((value) => value !== 0));

test("a vector that points nowhere, or to no number, is none", () => {
  expect(unitVector([])).toBeUndefined();
  expect(unitVector([0, 0])).toBeUndefined();
  expect(unitVector([1, Number.NaN])).toBeUndefined();
  expect(unitVector([Infinity, 1])).toBeUndefined();
  expect(unitVector([3, 4])).toEqual(Float32Array.from([0.6, 0.8]));
});

test("the nearest are those that a look at all of them says are nearest, whatever came and went before", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ key: fc.nat(20), values: fc.option(vector, { nil: undefined }) }), {
        maxLength: 60,
      }),
      vector,
      fc.integer({ min: 1, max: 5 }),
      (changes, asked, most) => {
        const store = new VectorStore<number>();
        const truth = new Map<number, Float32Array>();
        for (const { key, values } of changes) {
          const unit = values && unitVector(values);
          if (unit === undefined) {
            store.delete(key);
            truth.delete(key);
          } else {
            store.set(key, unit);
            truth.set(key, unit);
          }
        }
        const near = nearnessTo(unitVector(asked) ?? new Float32Array(4), undefined, [store]);
        const even = (key: number): boolean => key % 2 === 0;
        const fits = [...truth]
          .filter(([key]) => even(key))
          .map(([, one]) => near(one))
          .filter((fit) => fit > 0)
          .sort((a, b) => b - a);
        const found = store
          .nearest(near, most, even)
          .map((key) => near(truth.get(key) ?? new Float32Array(4)));
        expect(found).toEqual(fits.slice(0, most));
        expect(store.size).toBe(truth.size);
      },
    ),
  );
});

test("what all have in common tells nothing", () => {
  const store = new VectorStore<string>();
  for (let index = 0; index < 500; index++) {
    const unit = unitVector([5, index % 2 === 0 ? 1 : -1, index % 3 === 0 ? 0.1 : 0, 0]);
    if (unit !== undefined) store.set(String(index), unit);
  }
  const asked = unitVector([5, 1, 0, 0]);
  const other = unitVector([5, -1, 0, 0]);
  if (asked === undefined || other === undefined) throw new Error("no vectors");
  expect(nearnessTo(asked, undefined, [])(other)).toBeGreaterThan(0.9);
  expect(nearnessTo(asked, undefined, [store])(other)).toBeLessThan(0);
});

test("a vector of another size is not near", () => {
  expect(nearnessTo(Float32Array.from([1, 0]), undefined, [])(Float32Array.from([1, 0, 0]))).toBe(0);
});
