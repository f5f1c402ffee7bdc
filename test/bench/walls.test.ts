/** The bench of walls, in small; and that it finds a wall that is broken. */
import { expect, test } from "vitest";
import { type Ask, walls } from "../../bench/walls/walls.js";
import { maySee, type Reader } from "../../bench/walls/world.js";

const SMALL = { users: 10, scopes: 4, reads: 250, seed: 7 };

test("nobody is given a word that is not theirs, through whatever they ask, on the socket too", async () => {
  const figures = await walls({ ...SMALL, users: 12, scopes: 5, reads: 400 });
  expect(figures.leaks).toEqual([]);
  expect(figures).toMatchObject({ foreign: 0, ownersAnswered: 0 });
  // And what is theirs they are given.
  expect(figures.own).toBeGreaterThan(300);
  expect(figures.overSocket).toBeGreaterThan(2);
}, 120_000);

/** `as` may be an address or its parts. */
function readerOf(as: unknown): Reader {
  if (typeof as !== "string") return as as Reader;
  const [user = "", scope = "", session = ""] = as.split("/").map(decodeURIComponent);
  return { user, scope, session };
}

const askingAs =
  (change: (as: Reader) => Reader) =>
  (ask: Ask): Ask =>
  (name, given) =>
    ask(name, { ...given, as: change(readerOf(given["as"])) });

const PLANTS: readonly (readonly [string, (ask: Ask) => Ask])[] = [
  [
    "whoever asks is the owner",
    (ask) =>
      (name, { as: _as, ...given }) =>
        ask(name, given),
  ],
  ["names are one whatever their case", askingAs((as) => ({ ...as, user: as.user.toLowerCase() }))],
  ["names are one in every form of Unicode", askingAs((as) => ({ ...as, user: as.user.normalize("NFKC") }))],
  ["names lose their blanks and stops", askingAs((as) => ({ ...as, user: as.user.replace(/[. ]+$/, "") }))],
  ["every conversation is the main one", askingAs((as) => ({ ...as, session: "main" }))],
  ["every place is the main one", askingAs((as) => ({ ...as, scope: "main" }))],
  ["everybody is in the group", askingAs((as) => ({ ...as, scope: "group:harbor" }))],
];

test.each(PLANTS)(
  "it is found where %s",
  async (_what, plant) => {
    const { foreign, leaks } = await walls(SMALL, plant);
    expect(foreign).toBeGreaterThan(0);
    expect(leaks.length).toBeGreaterThan(0);
  },
  120_000,
);

test("the rule that it holds answers against, in words", () => {
  const lin: Reader = { user: "lin", scope: "main", session: "s-1" };
  expect(maySee(lin, { reach: "person", user: "lin" })).toBe(true);
  expect(maySee(lin, { reach: "person", user: "Lin" })).toBe(false);
  expect(maySee(lin, { reach: "place", user: "wei", scope: "main" })).toBe(false);
  expect(maySee({ ...lin, scope: "group:a" }, { reach: "place", user: "wei", scope: "group:a" })).toBe(true);
  expect(maySee(lin, { reach: "conversation", user: "lin", scope: "main", session: "S-1" })).toBe(false);
  expect(maySee(lin, { reach: "owner" })).toBe(false);
  expect(maySee({ ...lin, user: "local" }, { reach: "owner" })).toBe(true);
  expect(maySee({ ...lin, user: "local", scope: "group:a" }, { reach: "owner" })).toBe(false);
});
