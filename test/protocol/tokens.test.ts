/** Tokens stand as hashes, are edited under a lock, and what is no token lets nobody in. */
import { expect, test } from "vitest";
import type { ScopeId, Seat } from "../../src/model/address.js";
import { epochMs } from "../../src/model/time.js";
import { systemRandom } from "../../src/platform/clock.js";
import { addToken, readTokens, removeToken, tokenThatIs } from "../../src/protocol/tokens.js";
import { redactSecrets } from "../../src/text/redact.js";
import { memoryDisk, type MemoryDisk } from "../support/memory-disk.js";
import { memoryLocks } from "../support/memory-locks.js";

const FILE = "/w/.memd/tokens.jsonl";
const WORKSPACE = { root: "/w" };
const NOW = epochMs(Date.parse("2026-01-05T10:00:00Z"));
const LIN: Seat = { user: "lin", scope: "main" as ScopeId };

async function desk(): Promise<{
  disk: MemoryDisk;
  add: (seat: Seat, name?: string) => ReturnType<typeof addToken>;
  remove: (named: string) => ReturnType<typeof removeToken>;
  holds: () => string;
}> {
  const disk = memoryDisk(() => NOW);
  await disk.makeDir("/w");
  const writer = { disk, random: systemRandom, guard: () => Promise.resolve(), locks: memoryLocks() };
  return {
    disk,
    add: (seat, name) => addToken(writer, WORKSPACE, name === undefined ? { seat } : { seat, name }, NOW),
    remove: (named) => removeToken(writer, WORKSPACE, named),
    holds: () => disk.files()[FILE] ?? "",
  };
}

test("a token is told once and stands as its hash, with its viewer, name and day", async () => {
  const { disk, add, holds } = await desk();
  const { secret, token } = await add({ ...LIN, session: "a/b" }, "lin's agent");
  expect(secret).toMatch(/^memd_[a-z0-9]{52}$/);
  expect(JSON.parse(holds())).toEqual({
    viewer: "lin/main/a%2Fb",
    name: "lin's agent",
    createdAt: "2026-01-05T10:00:00.000Z",
    hash: token.hash,
  });
  expect(holds()).not.toContain(secret.slice(5, 20));
  expect(tokenThatIs(secret, await readTokens(disk, WORKSPACE))).toEqual(token);
  // Wherever else one comes to stand, it is known for what it is.
  expect(redactSecrets(`use ${secret} here`)).toBe("use [redacted:memd-token] here");
});

test("it is removed by its name or its id, and then lets nobody in", async () => {
  const { disk, add, remove } = await desk();
  const one = await add(LIN, "one");
  const two = await add(LIN);
  await remove("one");
  expect(await readTokens(disk, WORKSPACE)).toEqual([two.token]);
  expect(tokenThatIs(one.secret, await readTokens(disk, WORKSPACE))).toBeUndefined();
  await remove(two.token.id);
  expect(await readTokens(disk, WORKSPACE)).toEqual([]);
  await expect(remove("one")).rejects.toMatchObject({ code: "token_unknown" });
});

test("a name is of one token, and none is what an id looks like", async () => {
  const { add } = await desk();
  await add(LIN, "one");
  for (const name of ["one", "", " ", "0a1b2c3d", "a\nb", "a\u001b[1m", "x".repeat(81)])
    await expect(add(LIN, name)).rejects.toMatchObject({ code: "value_invalid" });
});

test("many that are added at once all stand", async () => {
  const { disk, add } = await desk();
  await Promise.all(Array.from({ length: 20 }, () => add(LIN)));
  expect(await readTokens(disk, WORKSPACE)).toHaveLength(20);
});

test("a line that is no token lets nobody in, and costs no other its place", async () => {
  const { disk, add, holds } = await desk();
  const { secret, token } = await add(LIN);
  const odd = [
    "{",
    "7",
    JSON.stringify({ viewer: "lin", createdAt: "", hash: "" }),
    JSON.stringify({ viewer: "", createdAt: "", hash: token.hash }),
    JSON.stringify({ viewer: "/main", createdAt: "", hash: token.hash }),
    JSON.stringify({ createdAt: "", hash: token.hash }),
  ];
  disk.writeInPlace(FILE, `${odd.join("\n")}\n${holds()}`);
  const tokens = await readTokens(disk, WORKSPACE);
  expect(tokens).toEqual([token]);
  expect(tokenThatIs(secret, tokens)).toEqual(token);
  for (const given of ["", "short", token.hash]) expect(tokenThatIs(given, tokens)).toBeUndefined();
  await add(LIN);
  expect(holds().trim().split("\n")).toHaveLength(2);
});
