/**
 * What a job in `queue/pending/` says: one file each, strict and versioned, so
 * that a job which this memd does not fully understand is set aside instead of
 * being half done. Pure; publishing is protocol/queue.ts.
 */
import * as z from "zod";
import { isDay, parseInstant } from "../model/time.js";
import { ROLES } from "../model/message.js";
import { FINDING_KINDS } from "../model/found.js";
import { ifReadable } from "./publish.js";

/** Of the content of a job's file. */
export const JOB_VERSION = 1;

/** `newer`: of a memd that knows more; it is left where it stands. */
export type ReadJob = { is: "job"; job: QueueJob } | { is: "unreadable" | "newer"; reason: string };

const isTime = (text: string): boolean => parseInstant(text) !== undefined;
const time = z.string().refine(isTime, "is no ISO 8601 time");
const day = z.string().refine(isDay, "is no YYYY-MM-DD");
const name = z.string().min(1);
const notBlank = z.string().refine((text) => text.trim() !== "", "is blank");

const common = {
  version: z.literal(JOB_VERSION),
  /** When the turn ended, ISO 8601. */
  createdAt: time,
  /** Whose conversation it was; missing only in a group, where it then opens nothing of user level. */
  user: name.optional(),
  scope: name,
  session: name,
  /** How often it has failed by its own fault. */
  attempts: z.number().int().nonnegative().optional(),
  /** Not to be tried before, ISO 8601. */
  notBefore: time.optional(),
  /** Why it failed the last time. */
  error: z.string().optional(),
  /** Profiles that it has been merged into, `user:lin`; the others are tried again. */
  done: z.array(z.string()).optional(),
};

/** What was found in a text, so that a job which is tried again need not be asked for twice. */
const finding = z.strictObject({
  kind: z.enum(FINDING_KINDS),
  text: notBlank,
  /** The words that say it, where they were others. */
  said: z.string().optional(),
  isAbsolute: z.boolean(),
  /** Of messages. */
  sources: z.array(name),
  /** When it happened, or is expected. */
  on: day.optional(),
  until: day.optional(),
});

/** What an agent leaves behind at the end of a turn. The file's name is the job's id. */
const end = z.strictObject({
  ...common,
  kind: z.literal("end"),
  /** What the agent did this turn. */
  memo: notBlank.optional(),
  /** What is worth keeping, one thing each. */
  observations: z.array(notBlank),
  /** Keep an observation that fails the gate as it is, at once. */
  force: z.literal(true).optional(),
  /** The conversation is over: what is of it alone goes once this turn is worked. */
  close: z.literal(true).optional(),
});

/** One message, as it was when it was handed over. */
export const spokenLine = z.strictObject({
  id: name,
  at: time,
  role: z.enum(ROLES),
  name: z.string(),
  text: z.string(),
  /** The text of a document, whoever handed it over. */
  scene: z.literal("document").optional(),
});

/** Rounds of a conversation of which nobody said what is worth keeping. */
const rounds = z.strictObject({
  ...common,
  kind: z.literal("rounds"),
  wants: z.array(z.enum(FINDING_KINDS)),
  /** Of the open stretch, what was looked at before. */
  earlier: z.array(spokenLine),
  said: z.array(spokenLine),
  found: z.array(finding).optional(),
});

/** A part of a document: so many characters of its text as it was when it was added. */
const document = z.strictObject({
  ...common,
  kind: z.literal("document"),
  document: name,
  /** Of the text; another one has replaced it. */
  hash: name,
  /** 1-based. */
  window: z.number().int().positive(),
  found: z.array(finding).optional(),
});

/** The profile of its user, or of its group, told again from the records that stand. */
const profile = z.strictObject({ ...common, kind: z.literal("profile") });

const shape = z.discriminatedUnion("kind", [end, rounds, document, profile]);

export type QueueJob = z.infer<typeof shape>;
export type EndJob = z.infer<typeof end>;
export type ExchangesJob = z.infer<typeof rounds>;
export type ProfileAgainJob = z.infer<typeof profile>;
export type DocumentJob = z.infer<typeof document>;
export type SpokenLine = z.infer<typeof spokenLine>;
export type FoundLine = z.infer<typeof finding>;

/** The job that a file holds, or why it holds none. */
export function parseQueueJob(text: string): ReadJob {
  const value = ifReadable((): unknown => JSON.parse(text));
  // Torn, or not ours: told as a value, since one bad file must not hold up the others.
  if (value === undefined) return { is: "unreadable", reason: "it is not JSON" };
  const { version } = (value ?? {}) as { version?: unknown };
  if (typeof version === "number" && version > JOB_VERSION) {
    return { is: "newer", reason: `it is of version ${version}, and this memd knows ${JOB_VERSION}` };
  }
  const parsed = shape.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue?.path.join(".") || "it";
    return { is: "unreadable", reason: `${field}: ${issue?.message ?? "is not valid"}` };
  }
  return saysNothing(parsed.data)
    ? { is: "unreadable", reason: "it: says nothing" }
    : { is: "job", job: parsed.data };
}

function saysNothing(job: QueueJob): boolean {
  if (job.kind !== "end" || job.close === true) return false;
  return job.memo === undefined && job.observations.length === 0;
}
