/** `memd reindex`: nothing but the index of search is touched. */
import pc from "picocolors";
import { terminal } from "../platform/process.js";
import { tell, type CommonOptions } from "./context.js";
import { withMemd } from "./memd.js";
import { counted } from "./words.js";

export async function reindex(options: CommonOptions): Promise<void> {
  const moves = options.json !== true && terminal.isTTY;
  const status = await withMemd(options, "changes", async (memd) => {
    if (moves)
      memd.hear((event) => {
        if (event.event !== "index_progress") return;
        terminal.clearLine();
        terminal.out(pc.dim(`  ${String(event["done"])} of ${String(event["files"])} files …`));
      });
    return memd.ask("reindex", {});
  });
  if (moves) terminal.clearLine();
  tell(options, status, ({ passages, files, engine, skipped }) => [
    `Indexed ${counted(passages, "passage")} of ${counted(files, "file")} (${engine}).`,
    ...skipped.map(({ path, reason }) => pc.yellow(`  left out: ${path} ${reason}`)),
  ]);
}
