import { expect, test } from "vitest";
import { Keeper } from "../../src/git/keeper.js";
import { epochMs } from "../../src/model/time.js";
import type { Git } from "../../src/platform/git.js";
import { silentLog } from "../../src/platform/log.js";
import { handClock } from "../support/hand-clock.js";
import { memoryWorkspace, WORKSPACE } from "../support/writer.js";

test("a HEAD that moves while it is read is seen by the next look", async () => {
  const { disk, writer } = await memoryWorkspace({ ".git/HEAD": "ref: refs/heads/main\n" });
  const head = { commit: "1", beforeCommitIsTold: (): void => undefined };
  const answers: Record<string, () => string> = {
    "--absolute-git-dir": () => "/w/.git",
    "--git-common-dir": () => "/w/.git",
    HEAD: () => "refs/heads/main",
    "HEAD^{commit}": () => {
      const { commit } = head;
      head.beforeCommitIsTold();
      return commit;
    },
    "1^{tree}": () => "tree of 1",
    "2^{tree}": () => "tree of 2",
  };
  const git: Git = ({ args }) => {
    const out = answers[args.at(-1) ?? ""]?.();
    return Promise.resolve(out === undefined ? { is: "refused", code: 1, says: "" } : { is: "done", out });
  };
  const clock = handClock(epochMs(Date.parse("2026-03-02T12:00:00Z")));
  const parts = { writer, workspace: WORKSPACE, clock, log: silentLog, git };
  const told: string[] = [];
  const keeper = new Keeper(
    { ...parts, working: () => 0, passEndedAt: () => undefined },
    { rescan: () => undefined, wake: () => undefined },
    ({ code }) => told.push(code),
  );
  await keeper.load();
  await keeper.look();
  const moveTo = (commit: string): void => {
    head.commit = commit;
    disk.writeInPlace("/w/.git/HEAD", `ref: refs/heads/main\n# ${commit}\n`);
  };
  disk.writeInPlace("/w/.git/HEAD", "ref: refs/heads/main\n# touched\n");
  head.beforeCommitIsTold = () => {
    head.beforeCommitIsTold = () => undefined;
    moveTo("2");
  };
  await keeper.look();
  await keeper.look();
  expect(keeper.isHeld).toBe(true);
  expect(told).toEqual(["git_moved"]);
});
