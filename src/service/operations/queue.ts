/** What waits for the historian, and what failed. */
import { z } from "zod";
import type { QueueJob } from "../../protocol/queue-job.js";
import { madeAs, name } from "./fields.js";
import { operation } from "./operation.js";

const entry = z.object({
  id: z.string(),
  state: z.enum(["pending", "processing", "failed"]),
  /** Absent where the file is no job. */
  job: madeAs<QueueJob>().exactOptional(),
  /** Why it failed, or is no job. */
  error: z.string().exactOptional(),
});
const input = z.strictObject({ id: name });

export const listQueue = operation({
  summary: "every job with its state",
  access: "owner",
  method: "GET",
  path: "/queue",
  input: z.strictObject({}),
  output: z.object({ jobs: z.array(entry) }),
});

export const showJob = operation({
  summary: "a job by its id, or an end of it that no other has, with its file's `text`",
  access: "owner",
  method: "GET",
  path: "/queue/:id",
  input,
  output: entry.extend({ text: z.string() }),
});

export const retryJob = operation({
  summary: "has a job that failed wait again",
  access: "owner",
  method: "POST",
  path: "/queue/retry",
  input,
  output: entry,
});

export const dropJob = operation({
  summary: "takes a job away that waits or has failed",
  access: "owner",
  method: "POST",
  path: "/queue/drop",
  input,
  output: entry,
});
