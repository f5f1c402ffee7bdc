import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeField, encodeField, parseFields, printFields } from "../../src/protocol/front-matter.js";
import { hostileText } from "../support/arbitrary.js";

test("any text goes through a field and comes back", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      expect(decodeField(encodeField(text))).toBe(text);
    }),
    { numRuns: 400 },
  );
});

test("a field holds nothing that ends the pair, the comment or the line, and is whole UTF-8", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const encoded = encodeField(text);
      expect(encoded).not.toMatch(/[\s<>="]|--/);
      expect(encoded.isWellFormed()).toBe(true);
    }),
  );
});

test("several fields come back each under its name", () => {
  fc.assert(
    fc.property(hostileText, hostileText, hostileText, (id, user, at) => {
      const printed = printFields([
        ["id", id],
        ["user", user],
        ["at", at],
      ]);
      expect([...parseFields(printed)]).toEqual([
        ["id", id],
        ["user", user],
        ["at", at],
      ]);
    }),
  );
});

test("what a person can read stays readable", () => {
  expect(encodeField("2026-01-05T10:00:00+08:00")).toBe("2026-01-05T10:00:00+08:00");
  expect(encodeField("陈涛")).toBe("陈涛");
  expect(encodeField("a--b c")).toBe("a%2D%2Db%20c");
});
