/**
 * What a job in `queue/pending/` says: one file each, strict and versioned, so
 * that a job which this memd does not fully understand is set aside instead of
 * being half done. Pure; publishing is protocol/queue.ts.
 */
import { z } from "zod";
import { parseInstant } from "../model/time.js";

/** Of the content of a job's file. */
export const JOB_VERSION = 1;

/** What an agent leaves behind at the end of a turn. The file's name is the job's id. */
export interface QueueJob {
  version: typeof JOB_VERSION;
  kind: "end";
  /** When the turn ended, ISO 8601. */
  createdAt: string;
  /** Whose conversation it was; missing only in a group, where it then opens nothing of user level. */
  user?: string | undefined;
  scope: string;
  session: string;
  /** What the agent did this turn; never blank. */
  memo?: string | undefined;
  /** What is worth keeping, one thing each; none of them blank. */
  observations: string[];
  /** Keep an observation that fails the gate as it is, at once. */
  force?: true | undefined;
  /** How often it has failed by its own fault. */
  attempts?: number | undefined;
  /** Not to be tried before, ISO 8601. */
  notBefore?: string | undefined;
  /** Why it failed the last time. */
  error?: string | undefined;
  /** Profiles that it has been merged into, `user:lin`; the others are tried again. */
  done?: string[] | undefined;
}

/** `newer`: of a memd that knows more; it is left where it stands. */
export type ReadJob = { is: "job"; job: QueueJob } | { is: "unreadable" | "newer"; reason: string };

const isTime = (text: string): boolean => parseInstant(text) !== undefined;
const name = z.string().min(1);
const notBlank = z.string().refine((text) => text.trim() !== "", "is blank");

const shape = z
  .strictObject({
    version: z.literal(JOB_VERSION),
    kind: z.literal("end"),
    createdAt: z.string().refine(isTime, "is no ISO 8601 time"),
    user: name.optional(),
    scope: name,
    session: name,
    memo: notBlank.optional(),
    observations: z.array(notBlank),
    force: z.literal(true).optional(),
    attempts: z.number().int().nonnegative().optional(),
    notBefore: z.string().refine(isTime, "is no ISO 8601 time").optional(),
    error: z.string().optional(),
    done: z.array(z.string()).optional(),
  })
  .refine((job) => job.memo !== undefined || job.observations.length > 0, "says nothing");

/** The job that a file holds, or why it holds none. */
export function parseQueueJob(text: string): ReadJob {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Torn, or not ours: told as a value, since one bad file must not hold up the others.
    return { is: "unreadable", reason: "it is not JSON" };
  }
  const { version } = (value ?? {}) as { version?: unknown };
  if (typeof version === "number" && version > JOB_VERSION) {
    return { is: "newer", reason: `it is of version ${version}, and this memd knows ${JOB_VERSION}` };
  }
  const parsed = shape.safeParse(value);
  if (parsed.success) return { is: "job", job: parsed.data };
  const [issue] = parsed.error.issues;
  const field = issue?.path.join(".") ?? "";
  return { is: "unreadable", reason: `${field === "" ? "it" : field}: ${issue?.message ?? "is not valid"}` };
}
