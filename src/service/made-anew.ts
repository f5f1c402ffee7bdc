/** Summaries and the index, made anew at the owner's word. */
import { oweAgain, planAgain } from "../archive/resummarize.js";
import { chooseProvider } from "../llm/job-line.js";
import { defined } from "../model/collections.js";
import { MemdError } from "../model/errors.js";
import type { IndexStatus } from "../recall/service.js";
import type { Memd } from "./memd.js";
import type { AnswerOf, ParsedOf } from "./operations.js";
import { periodIn } from "./questions.js";

/** Until the pass is over; what it could not make is tried again as every summary is. Throws `no_model`. */
export async function resummarizeNow(
  memd: Memd,
  { all = false, dryRun = false, scope, ...times }: ParsedOf<"resummarize">,
): Promise<AnswerOf<"resummarize">> {
  const { archive, parts } = memd;
  if (!all && chooseProvider(parts.settings.llm, parts.environment) === "builtin")
    throw new MemdError("no_model", "Without a model the summaries would come out as they are.");
  await memd.settled();
  const asked = { ...periodIn(times), ...defined({ scope }), all };
  if (dryRun) return planAgain(archive.context, asked);
  await memd.assertUnmoved();
  const plan = await memd.exclusive(async () => {
    const again = await planAgain(archive.context, asked);
    await oweAgain(archive.context, again);
    return again;
  });
  return { ...plan, report: await memd.archiveNow() };
}

/** The index of search made anew: every file is read again; progress is told in the log's events. */
export async function reindexNow(memd: Memd): Promise<IndexStatus> {
  const { archive, search, parts } = memd;
  const { log } = parts;
  await memd.exclusive(async () => {
    await search.clear();
    await search.refresh(archive.context.ledger.unfiled(), {
      onProgress: ({ done, files }) => log.write({ level: "debug", event: "index_progress", done, files }),
    });
  });
  const status = await search.status();
  if (status.fault !== undefined)
    throw new MemdError("index_fault", `The index cannot be made: ${status.fault}.`);
  log.write({ level: "info", event: "index_rebuilt", files: status.files, passages: status.passages });
  return status;
}
