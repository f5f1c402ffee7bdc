/** A conversation that is over: facts that are of it alone leave the files. */
import { isGroup, type ScopeId } from "../model/address.js";
import type { EndJob } from "../protocol/queue-job.js";
import type { ModelWorkParts } from "../llm/job-context.js";
import { recordFiles } from "../protocol/record-files.js";
import { removeRecords, type RecordKeys } from "../protocol/record-removal.js";
import type { EnqueueExchanges } from "./enqueue-exchanges.js";

/** First the cursor: of what was said until now no fact of the conversation is looked for any more. */
export async function closeConversation(
  { writer, workspace, log }: ModelWorkParts,
  exchanges: EnqueueExchanges,
  job: EndJob,
): Promise<void> {
  await exchanges.close(job);
  const files = await recordFiles(writer.disk, workspace, { scope: job.scope as ScopeId });
  const { lines } = await removeRecords(writer, workspace, files, {
    goes: (keys) => keys.kind === "fact" && keys.level === "session" && isSameConversation(keys, job),
  });
  log.write({ level: "info", event: "session_closed", scope: job.scope, records: lines });
}

function isSameConversation(
  { scope, session, user }: Pick<RecordKeys, "scope" | "session" | "user">,
  job: EndJob,
): boolean {
  return scope === job.scope && session === job.session && (isGroup(job.scope) || user === job.user);
}
