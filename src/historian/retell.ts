/** A profile that is standing again from the records that remain. */
import { defined } from "../model/defined.js";
import type { ModelWorkParts } from "../llm/job-context.js";
import { isGroup } from "../model/address.js";
import type { FiledMessage } from "../model/message.js";
import type { MemoryRecord } from "../model/record.js";
import { readText, ifNoText } from "../protocol/publish.js";
import type { ProfileAgainJob } from "../protocol/queue-job.js";
import { allRecordFiles } from "../protocol/record-files.js";
import { parseRecords } from "../protocol/records.js";
import { at } from "../protocol/workspace.js";
import type { JobOutput } from "./job-output.js";

/** What a provider is standing of at once; the newest count. */
const MOST_RECORDS = 100;

/** What such a job brings: the records that still tell of its user, or its group, and what the user is called by now. */
export async function retell(
  { writer, workspace }: Pick<ModelWorkParts, "writer" | "workspace">,
  job: ProfileAgainJob,
  said: readonly FiledMessage[],
): Promise<JobOutput> {
  const called = said.findLast(
    ({ message, belongsTo }) =>
      message.role === "user" && belongsTo === job.user && message.speaker !== undefined,
  )?.message.speaker;
  const isOf = ({ user, scope }: MemoryRecord): boolean =>
    isGroup(job.scope) ? scope === job.scope : user === job.user;
  const standing: MemoryRecord[] = [];
  for (const file of await allRecordFiles(writer.disk, workspace)) {
    const text = await readText(writer.disk, at(workspace, file)).catch(ifNoText);
    for (const record of parseRecords(text ?? ""))
      if (isOf(record) && record.supersededAt === undefined) standing.push(record);
  }
  standing.sort((one, other) => one.at - other.at);
  return {
    job,
    records: [],
    profileFrom: standing.slice(-MOST_RECORDS),
    ...defined({ called }),
    problems: [],
  };
}
