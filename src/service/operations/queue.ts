/** What waits for the historian, and what failed. */
import { z } from "zod";
import type { QueueJob } from "../../protocol/queue-job.js";
import { madeAs, maybe, name } from "./fields.js";
import { owner } from "./operation.js";

const entry = z.object({
  id: z.string(),
  state: z.enum(["pending", "processing", "failed"]),
  /** Absent where the file is no job. */
  job: madeAs<QueueJob>().exactOptional(),
  /** Why it failed, or is no job. */
  error: maybe,
});
const input = z.strictObject({ id: name });

export const listQueue = owner({
  call: "GET /queue",
  summary: "every job with its state",
  input: z.strictObject({}),
  output: z.object({ jobs: z.array(entry) }),
});

export const showJob = owner({
  call: "GET /queue/:id",
  summary: "a job by its id, or an end of it that no other has, with its file's `text`",
  input,
  output: entry.extend({ text: z.string() }),
});

export const retryJob = owner({
  call: "POST /queue/retry",
  summary: "has a job that failed wait again",
  input,
  output: entry,
});

export const dropJob = owner({
  call: "POST /queue/drop",
  summary: "takes a job away that waits or has failed",
  input,
  output: entry,
});
