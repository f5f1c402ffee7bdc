import { describe, expect, test } from "vitest";
import { commitInMs, holdOf } from "../../src/git/hold.js";

const before = { commit: "aaa", tree: "t1" };

describe("memd may write", () => {
  test.each([
    ["where it never looked", { before: {}, now: { commit: "bbb", tree: "t2" } }],
    ["where HEAD still is", { now: { commit: "aaa", tree: "t1" } }],
    [
      "where a commit holds the same files, such as one that was worded anew",
      { now: { commit: "bbb", tree: "t1" } },
    ],
    ["where all that stood there stands", { now: { commit: "bbb", tree: "t2" }, keepsAll: true }],
    ["where a person said so", { now: { commit: "bbb", tree: "t2" }, accepted: "bbb" }],
  ])("%s", (_says, seen) => {
    expect(holdOf({ before, accepted: undefined, keepsAll: false, ...seen })).toEqual({ is: "free" });
  });

  test("but not where something is gone, whatever was accepted before, nor where there is no commit yet", () => {
    const seen = { before, accepted: "ccc", keepsAll: false };
    expect(holdOf({ ...seen, now: { commit: "bbb", tree: "t2" } })).toEqual({
      is: "moved",
      from: "aaa",
      to: "bbb",
    });
    expect(holdOf({ ...seen, now: { branch: "refs/heads/new" } })).toMatchObject({ is: "moved" });
  });
});

describe("a commit is due", () => {
  const waiting = { pending: 1, working: 0, hasPassed: false, sinceCommitMs: Infinity };

  test("at once after a pass, and where there was none before", () => {
    expect(commitInMs(waiting)).toBe(0);
    expect(commitInMs({ ...waiting, sinceCommitMs: 5_000, hasPassed: true })).toBe(0);
  });

  test("a minute after the last one otherwise", () => {
    expect(commitInMs({ ...waiting, sinceCommitMs: 5_000 })).toBe(55_000);
  });

  test("not while other work goes on, unless that does not end; and never of nothing", () => {
    expect(commitInMs({ ...waiting, working: 2, hasPassed: true, sinceCommitMs: 60_000 })).toBe(540_000);
    expect(commitInMs({ ...waiting, pending: 0, hasPassed: true })).toBeUndefined();
  });
});
