/** What waits for the historian, and what failed. */
import * as z from "zod";
import type { QueueJob } from "../../protocol/queue-job.js";
import { madeAs, maybe, name } from "./fields.js";
import { owner } from "./operation.js";

/** What every kind of job has; the rest is told in docs/PROTOCOL.md. */
const job = madeAs<QueueJob>(
  z.looseObject({
    version: z.number(),
    kind: z.enum(["end", "rounds", "document", "profile"]),
    createdAt: z.string(),
    user: maybe,
    scope: z.string(),
    session: z.string(),
    attempts: z.number().exactOptional(),
    notBefore: maybe,
    error: maybe,
  }),
);

const entry = z.object({
  id: z.string(),
  state: z.enum(["pending", "processing", "failed"]),
  /** Absent where the file is no job. */
  job: job.exactOptional(),
  /** Why it failed, or is no job. */
  error: maybe,
});
const input = z.strictObject({ id: name });

export const listQueue = owner({
  call: "GET /queue",
  command: "queue list",
  summary: "every job with its state",
  input: z.strictObject({}),
  output: z.object({ jobs: z.array(entry) }),
});

export const showJob = owner({
  call: "GET /queue/:id",
  command: "queue show",
  summary: "a job by its id, or an end of it that no other has, with its file's `text`",
  input,
  example: { id: "4k2j9x0a" },
  output: entry.extend({ text: z.string() }),
});

export const retryJob = owner({
  call: "POST /queue/retry",
  command: "queue retry",
  summary: "has a job that failed wait again",
  input,
  example: { id: "4k2j9x0a" },
  output: entry,
});

export const dropJob = owner({
  call: "POST /queue/drop",
  command: "queue drop",
  summary: "takes a job away that waits or has failed",
  input,
  example: { id: "4k2j9x0a" },
  output: entry,
});
