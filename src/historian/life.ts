/**
 * The life of a job in the queue, as data: which folder it stands in, what may
 * happen to it there, and where it goes.
 *
 * Pure. A file is in one folder at a time but for the moment of a crash, when
 * the table says which of two counts.
 */
export const JOB_STATES = ["pending", "processing", "failed", "gone"] as const;
export type JobState = (typeof JOB_STATES)[number];

/** What is not in the table cannot happen: such an event changes nothing. */
export const JOB_LIFE: Readonly<Record<JobState, Partial<Record<JobEvent, JobState>>>> = {
  pending: { claimed: "processing", finished: "gone", unreadable: "failed", dropped: "gone" },
  processing: {
    finished: "gone",
    failed: "pending",
    postponed: "pending",
    gave_up: "failed",
    recovered: "pending",
  },
  failed: { retried: "pending", dropped: "gone", expired: "gone" },
  gone: {},
};

/** What each event means; printed into docs/PROTOCOL.md. */
export const JOB_EVENT_MEANINGS = {
  claimed: "a worker takes it",
  finished: "all of it stands where it belongs; a memo alone needs no worker",
  failed: "by its own fault; tried again after a while, as often as `historian.job_retries` says",
  gave_up: "the last try failed: what it observed is kept as it was said, marked `isAbsolute: false`",
  postponed: "no model can be had now; that does not count as a try",
  recovered: "memd was killed meanwhile; told at its start",
  unreadable: "it is no job",
  retried: "`memd queue retry`",
  dropped: "`memd queue drop`",
  expired: "after 30 days, or as the oldest of more than 500",
} as const;

export type JobEvent = keyof typeof JOB_EVENT_MEANINGS;
export const JOB_EVENTS = Object.keys(JOB_EVENT_MEANINGS) as JobEvent[];

/** Where it stands after the event; undefined where that cannot happen to it. */
export function stateAfter(state: JobState, event: JobEvent): JobState | undefined {
  return JOB_LIFE[state][event];
}

/** After the first, the second, … try. */
const RETRY_SECONDS = [30, 120, 600] as const;

export type Retry = { then: "failed"; waitSeconds: number } | { then: "gave_up" };

/** `attempts` that have failed, this one too; `retries`: how often it is tried again. */
export function afterFailure(attempts: number, retries: number): Retry {
  if (attempts > retries) return { then: "gave_up" };
  return { then: "failed", waitSeconds: RETRY_SECONDS[attempts - 1] ?? 600 };
}
