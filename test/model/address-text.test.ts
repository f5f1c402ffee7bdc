import fc from "fast-check";
import { expect, test } from "vitest";
import { addressIn, type ScopeId } from "../../src/model/address.js";
import { hostileText } from "../support/arbitrary.js";

test("what is left out of an address is the default", () => {
  expect(addressIn("lin")).toEqual({ user: "lin", scope: "main", session: "main" });
  expect(addressIn("lin//s-1")).toEqual({ user: "lin", scope: "main", session: "s-1" });
  expect(addressIn("lin/group:harbor/a%2Fb")).toEqual({ user: "lin", scope: "group:harbor", session: "a/b" });
});

test.each(["", "/", "//", "/main/s-1", "%20/main", " "])("%j names nobody, and opens nothing", (text) => {
  expect(() => addressIn(text)).toThrow(expect.objectContaining({ code: "usage" }) as Error);
});

test.each(["a/b/c/d", "%", "lin/%zz"])("%j is no address", (text) => {
  expect(() => addressIn(text)).toThrow(expect.objectContaining({ code: "usage" }) as Error);
});

test("an address that was written is the one that is read", () => {
  const name = hostileText.map((text) => text.toWellFormed()).filter((text) => text.trim() !== "");
  fc.assert(
    fc.property(name, name, name, (user, scope, session) => {
      const address = { user, scope: scope as ScopeId, session };
      expect(addressIn([user, scope, session].map(encodeURIComponent).join("/"))).toEqual(address);
    }),
  );
});
