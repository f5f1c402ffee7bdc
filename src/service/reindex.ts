/** The index of search made anew: every file is read again; progress is told in the log's events. */
import { MemdError } from "../model/errors.js";
import type { IndexStatus } from "../recall/service.js";
import type { Memd } from "./memd.js";

export async function reindexNow(memd: Memd): Promise<IndexStatus> {
  const { archive, search, parts } = memd;
  const { log } = parts;
  await memd.exclusive(async () => {
    await search.clear();
    await search.refresh(archive.context.ledger.unfiled(), ({ done, files }) =>
      log.write({ level: "debug", event: "index_progress", done, files }),
    );
  });
  const status = await search.status();
  if (status.fault !== undefined)
    throw new MemdError("index_fault", `The index cannot be made: ${status.fault}.`);
  log.write({ level: "info", event: "index_rebuilt", files: status.files, passages: status.passages });
  return status;
}
