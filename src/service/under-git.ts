/** A workspace under git: who commits what it writes, and the work that rests while somebody else moves its files. */
import { heldBy } from "../git/held-work.js";
import { Keeper, type KeeperParts } from "../git/keeper.js";
import type { Background, Loop } from "../platform/background.js";
import type { Git } from "../platform/git.js";

interface UnderGit {
  /** None where `git.commit` is not set. */
  keeper: Keeper | undefined;
  /** In the order in which they are polled. */
  background: readonly Background[];
}

/** `forgotten.epoch` counts up when HEAD goes elsewhere: what is being made of the files as they were is not published. */
export function underGit(
  { git, ...parts }: Omit<KeeperParts, "git" | "working"> & { git: Git | undefined },
  workers: readonly Background[],
  loop: Loop,
  forgotten: { epoch: number },
): UnderGit {
  if (git === undefined) return { keeper: undefined, background: workers };
  const working = (): number => workers.reduce((sum, { running }) => sum + running, 0);
  const keeper = new Keeper({ ...parts, git, working }, loop, (why) => {
    forgotten.epoch++;
    for (const each of workers) each.refuse?.(why);
  });
  return { keeper, background: [...workers.map((each) => heldBy(keeper, each)), keeper] };
}
