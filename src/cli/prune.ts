/** `memd prune`. */
import { printJson, printLine, type CommonOptions } from "./context.js";
import { askMemd } from "./memd.js";
import { counted } from "./words.js";

export async function prune(options: CommonOptions & { dryRun?: boolean }): Promise<void> {
  const report = await askMemd(options, "prune", { dryRun: options.dryRun === true });
  if (options.json === true) return printJson(report);
  if (report.files.length === 0) return printLine("Nothing may go.");
  for (const { path, why, keptLines } of report.files) {
    printLine(`  ${path}  (${why}${keptLines === 0 ? "" : `, ${counted(keptLines, "line")} kept`})`);
  }
  printLine(
    report.removed
      ? `Pruned ${counted(report.files.length, "file")}.`
      : "Nothing was removed: this was a dry run.",
  );
}
