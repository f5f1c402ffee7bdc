/** What is removed at the owner's word. */
import { prune, prunePlan } from "../archive/prune.js";
import type { Memd } from "./memd.js";
import type { AnswerOf } from "./operations.js";

/** `memd prune`: shows what may go, and removes it when it is not only asked to show. */
export async function pruneNow(memd: Memd, dryRun: boolean): Promise<AnswerOf<"prune">> {
  const { archive } = memd;
  if (!dryRun) await memd.assertUnmoved();
  return memd.exclusive(async () => {
    const shown = new Set([...archive.history.messages, ...archive.inbox.messages].map(({ key }) => key));
    const items = await prunePlan(archive.context, shown, memd.historian.owed.keys());
    if (!dryRun) await prune(archive.context, items);
    return {
      removed: !dryRun,
      files: items.map(({ path, why, keep }) => ({ path, why, keptLines: keep.length })),
    };
  });
}
