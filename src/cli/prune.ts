/** `memd prune`. */
import { tell, type CommonOptions } from "./context.js";
import { askMemd } from "./memd.js";
import { counted } from "./words.js";

export async function prune(options: CommonOptions & { dryRun?: boolean }): Promise<void> {
  const report = await askMemd(options, "prune", { dryRun: options.dryRun === true });
  tell(options, report, ({ files, removed }) => {
    if (files.length === 0) return "Nothing may go.";
    const lines = files.map(
      ({ path, why, keptLines }) =>
        `  ${path}  (${why}${keptLines === 0 ? "" : `, ${counted(keptLines, "line")} kept`})`,
    );
    const done = `Pruned ${counted(files.length, "file")}.`;
    return [...lines, removed ? done : "Nothing was removed: this was a dry run."];
  });
}
