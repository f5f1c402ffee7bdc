/** What working a job has brought, before it is written down. Shape only. */
import type { MemoryRecord } from "../model/record.js";
import type { QueueJob } from "../protocol/queue-job.js";

export interface JobOutput {
  /** With what need not be asked for again, should the rest of it fail. */
  job: QueueJob;
  records: MemoryRecord[];
  /** What a profile is told from, where that is not the records. */
  profileFrom?: readonly MemoryRecord[];
  /** How the user is addressed, where the profile does not say. */
  called?: string;
  /** What could not be made to stand alone, for the log. */
  problems: { problem: string; isAbsolute: boolean }[];
}
