import fc from "fast-check";
import { expect, test } from "vitest";
import { addressIn, type ScopeId, seatIn } from "../../src/model/address.js";
import { hostileText } from "../support/arbitrary.js";

test("what is left out of an address is the default", () => {
  expect(addressIn("lin")).toEqual({ user: "lin", scope: "main", session: "main" });
  expect(addressIn("lin/group:harbor/a%2Fb")).toEqual({ user: "lin", scope: "group:harbor", session: "a/b" });
});

test.each(["", "/", "//", "/main/s-1", "%20/main", " "])("%j names nobody, and opens nothing", (text) => {
  expect(() => addressIn(text)).toThrow(expect.objectContaining({ code: "usage" }) as Error);
});

test.each(["a/", "a//", "lin//s-1", "lin/main/", "lin/%20", "lin/main/%20"])(
  "%j has an empty part, which is none that was left out",
  (text) => {
    expect(() => addressIn(text)).toThrow(expect.objectContaining({ code: "usage" }) as Error);
  },
);

test("a session that is left out is none where somebody is seated", () => {
  expect(seatIn("lin/harbor")).toEqual({ user: "lin", scope: "harbor" });
  expect(seatIn("lin/harbor/main")).toEqual({ user: "lin", scope: "harbor", session: "main" });
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
