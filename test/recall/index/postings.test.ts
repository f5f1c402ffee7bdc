import fc from "fast-check";
import { expect, test } from "vitest";
import { Postings } from "../../../src/recall/index/partition-index.js";

test("after any additions and removals each term is held by whoever was added with it and is still there", () => {
  const terms = fc.uniqueArray(fc.constantFrom("tea", "rain", "年糕", "constructor", "__proto__"));
  const step = fc.record({ key: fc.nat(9), terms });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const postings = new Postings<number>();
      const held = new Map<number, string[]>();
      for (const { key, terms } of steps) {
        const before = held.get(key);
        if (before === undefined) {
          postings.add(key, terms);
          held.set(key, terms);
        } else {
          postings.delete(key, before);
          held.delete(key);
        }
      }
      for (const term of ["tea", "rain", "年糕", "constructor", "__proto__"])
        expect([...postings.holding(term)].sort()).toEqual(
          [...held.keys()].filter((key) => held.get(key)?.includes(term)).sort(),
        );
    }),
  );
});

test("what was never added is not missed", () => {
  const postings = new Postings<string>();
  postings.add("a", ["tea"]);
  postings.delete("b", ["tea", "rain"]);
  expect(postings.holding("tea")).toEqual(["a"]);
  expect(postings.holding("rain")).toEqual([]);
});
