import fc from "fast-check";
import { expect, test } from "vitest";
import { Recent } from "../../src/text/recent.js";

test("whatever is asked for, it is what was made of that text; what is asked for again and again is made once", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 200 }), (lengths) => {
      const recent = new Recent<number>(100);
      const made = new Map<number, number>();
      for (const length of lengths) {
        expect(recent.of("x".repeat(length), ({ length: of }) => of)).toBe(length);
        recent.of("x".repeat(7), ({ length: of }) => {
          made.set(of, (made.get(of) ?? 0) + 1);
          return of;
        });
      }
      expect(made.get(7) ?? 0).toBeLessThanOrEqual(1);
    }),
  );
});

test("no more is kept than twice its size, and nothing after a clearing", () => {
  const recent = new Recent<string>(100);
  let made = 0;
  const ask = (text: string): string => recent.of(text, (anew) => `${++made} ${anew}`);
  for (let letter = 0; letter < 10; letter++) ask(String(letter).repeat(50));
  expect(made).toBe(10);
  ask("9".repeat(50));
  expect(made).toBe(10);
  ask("0".repeat(50));
  expect(made).toBe(11);
  recent.clear();
  ask("9".repeat(50));
  expect(made).toBe(12);
});

test("a text that is longer than all that is kept is made each time", () => {
  const recent = new Recent<number>(10);
  let made = 0;
  for (const text of ["ab", "ab", "x".repeat(11), "x".repeat(11)]) recent.of(text, () => ++made);
  expect(made).toBe(3);
});
