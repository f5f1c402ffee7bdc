/** What working a job brings, by its kind. Nothing is written here. */
import type { FiledMessage } from "../model/message.js";
import type { QueueJob } from "../protocol/queue-job.js";
import type { JobOutput } from "./job-output.js";
import { documentWindow } from "../protocol/document-window.js";
import { workFindings, matterOf, partOf } from "./findings.js";
import { retell } from "./retell.js";
import type { ModelWorkParts } from "../llm/job-context.js";
import { workObservations } from "./observations.js";
import type { Refused } from "./refusal.js";

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
      return workFindings(parts, id, job, matterOf(job));
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
