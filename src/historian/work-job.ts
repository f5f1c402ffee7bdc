/** What working a job brings, by its kind; a retelling is a profile standing again from the records that remain. Nothing is written here. */
import type { ModelWorkParts } from "../llm/job-context.js";
import { isGroup } from "../model/address.js";
import { defined } from "../model/collections.js";
import type { FiledMessage } from "../model/message.js";
import type { MemoryRecord } from "../model/record.js";
import { documentWindow } from "../protocol/document-window.js";
import { ifNoText, readText } from "../protocol/publish.js";
import type { ProfileAgainJob, QueueJob } from "../protocol/queue-job.js";
import { allRecordFiles, parseRecords } from "../protocol/records.js";
import { at } from "../protocol/workspace.js";
import type { Refused } from "../model/work.js";
import { partOf, workFindings } from "./findings.js";
import { workObservations } from "./observations.js";
import { calledIn, type JobOutput } from "./records.js";

/** `said`: what stands in history.json and waits in inbox.json. */
export async function workJob(
  parts: ModelWorkParts,
  id: string,
  job: QueueJob,
  said: readonly FiledMessage[],
): Promise<{ to: "done"; output: JobOutput } | Refused> {
  switch (job.kind) {
    case "end":
      return workObservations(parts, id, job, said);
    case "rounds":
      return workFindings(parts, id, job, { of: "conversation", ...job });
    case "document": {
      const window = await documentWindow(parts.writer, parts.workspace, job);
      // Another text has replaced it: that one has jobs of its own.
      if (window === undefined) return { to: "done", output: { job, records: [], problems: [] } };
      return workFindings(parts, id, job, partOf(job, window));
    }
    case "profile":
      return { to: "done", output: await retell(parts, job, said) };
    default:
      return job satisfies never;
  }
}

/** What a provider is standing of at once; the newest count. */
const MOST_RECORDS = 100;

/** What such a job brings: the records that still tell of its user, or its group, and what the user is called by now. */
async function retell(
  { writer, workspace }: Pick<ModelWorkParts, "writer" | "workspace">,
  job: ProfileAgainJob,
  said: readonly FiledMessage[],
): Promise<JobOutput> {
  const isOf = ({ user, scope }: MemoryRecord): boolean =>
    isGroup(job.scope) ? scope === job.scope : user === job.user;
  const standing: MemoryRecord[] = [];
  for (const file of await allRecordFiles(writer.disk, workspace)) {
    const text = await readText(writer.disk, at(workspace, file)).catch(ifNoText);
    for (const record of parseRecords(text ?? ""))
      if (isOf(record) && record.supersededAt === undefined) standing.push(record);
  }
  const profileFrom = standing.sort((one, other) => one.at - other.at).slice(-MOST_RECORDS);
  return { job, records: [], profileFrom, ...defined({ called: calledIn(said, job.user) }), problems: [] };
}
