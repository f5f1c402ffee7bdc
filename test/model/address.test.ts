import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Belonging,
  idOfKey,
  keyOf,
  type Level,
  LOCAL_ADDRESS,
  mayRead,
  NO_SESSION,
  OWNER,
  type ScopeId,
  scopeOfKey,
  viewerAt,
} from "../../src/model/address.js";
import { groupBy } from "../../src/model/collections.js";
import type { MessageId } from "../../src/model/message.js";

const scope = (name: string): ScopeId => name as ScopeId;
const alice = viewerAt({ user: "alice", scope: scope("work"), session: "one" });
const thing = (level: Level, more: Partial<Belonging> = {}): Belonging => ({
  level,
  scope: scope("work"),
  user: "alice",
  session: "one",
  ...more,
});

describe("who may read what", () => {
  test("one's own: by user everywhere, by scope in it, by session in that", () => {
    expect(mayRead(alice, thing("user", { scope: scope("other"), session: "two" }))).toBe(true);
    expect(mayRead(alice, thing("scope", { session: "two" }))).toBe(true);
    expect(mayRead(alice, thing("scope", { scope: scope("other") }))).toBe(false);
    expect(mayRead(alice, thing("session"))).toBe(true);
    expect(mayRead(alice, thing("session", { session: "two" }))).toBe(false);
  });

  test("without a session nothing that is of one, not even what names none", () => {
    const seated = viewerAt({ user: "alice", scope: scope("work"), session: NO_SESSION });
    expect(mayRead(seated, thing("scope"))).toBe(true);
    for (const session of ["one", "main", NO_SESSION])
      expect(mayRead(seated, thing("session", { session }))).toBe(false);
  });

  test("nothing of another user's, outside groups", () => {
    for (const level of ["user", "scope", "session"] as const) {
      expect(mayRead(alice, thing(level, { user: "bob" }))).toBe(false);
    }
  });

  test("in a group what is of the group, of whomever, but nobody else's own", () => {
    const group = { scope: scope("group:friends") };
    const inGroup = viewerAt({ user: "alice", ...group, session: "one" });
    expect(mayRead(inGroup, thing("scope", { ...group, user: "bob" }))).toBe(true);
    expect(mayRead(inGroup, thing("session", { ...group, user: "bob" }))).toBe(true);
    expect(mayRead(inGroup, thing("session", { ...group, user: "bob", session: "two" }))).toBe(false);
    expect(mayRead(inGroup, thing("user", { ...group, user: "bob" }))).toBe(false);
    expect(mayRead(inGroup, thing("scope", { scope: scope("group:others") }))).toBe(false);
  });

  test("the documents of one's scope", () => {
    expect(mayRead(alice, thing("scope", { scope: scope("work:docs") }))).toBe(true);
    expect(mayRead(alice, thing("scope", { scope: scope("other:docs") }))).toBe(false);
  });

  test("memory.md: the owner's own conversations, and no group", () => {
    expect(mayRead(viewerAt(LOCAL_ADDRESS), thing("owner"))).toBe(true);
    expect(mayRead(alice, thing("owner", { user: "alice" }))).toBe(false);
    expect(mayRead(viewerAt({ ...LOCAL_ADDRESS, scope: scope("group:a") }), thing("owner"))).toBe(false);
  });

  test("a missing value never means any: nobody but the owner reads what belongs to no one", () => {
    const levels = fc.constantFrom<Level>("user", "scope", "session");
    const names = fc.constantFrom("alice", "undefined", "", "local");
    fc.assert(
      fc.property(levels, names, (level, user) => {
        const nobodys: Belonging = { level, scope: scope("work") };
        expect(mayRead(viewerAt({ user, scope: scope("work"), session: "one" }), nobodys)).toBe(false);
        expect(mayRead(OWNER, nobodys)).toBe(true);
      }),
    );
  });
});

test("a key is one text for one scope and id, and gives both back", () => {
  const name = fc.string().filter((text) => !text.includes("\0"));
  fc.assert(
    fc.property(name, fc.string(), name, fc.string(), (scopeA, idA, scopeB, idB) => {
      const key = keyOf(scope(scopeA), idA as MessageId);
      expect([scopeOfKey(key), idOfKey(key)]).toEqual([scopeA, idA]);
      expect(key === keyOf(scope(scopeB), idB as MessageId)).toBe(scopeA === scopeB && idA === idB);
    }),
  );
});

test("groups keep the order in which things came", () => {
  const groups = groupBy(["b1", "a1", "b2"], (item) => item[0]);
  expect([...groups]).toEqual([
    ["b", ["b1", "b2"]],
    ["a", ["a1"]],
  ]);
});
