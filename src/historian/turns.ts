/**
 * Which jobs may be worked now: of each conversation the oldest, and none that
 * waits. A job that waits holds up its own conversation and no other.
 *
 * Pure.
 */
import { parseInstant, type EpochMs } from "../model/time.js";
import type { QueueJob } from "../protocol/queue-job.js";

export interface Waiting {
  /** The file's name without `.json`; names are in the order in which jobs were made. */
  id: string;
  job: QueueJob;
}

/** Asked over and over of thousands. */
const lanes = new WeakMap<QueueJob, string>();

/** Of whose conversation a job is. */
export function laneOf(job: QueueJob): string {
  const lane = lanes.get(job) ?? JSON.stringify([job.scope, job.session, job.user ?? null]);
  lanes.set(job, lane);
  return lane;
}

/** In order; `busy` are lanes of which one is being worked. */
export function workable(jobs: readonly Waiting[], busy: ReadonlySet<string>, now: EpochMs): Waiting[] {
  const seen = new Set<string>();
  return [...jobs]
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .filter(({ job }) => {
      const lane = laneOf(job);
      const isFirst = !seen.has(lane);
      seen.add(lane);
      return isFirst && !busy.has(lane) && (dueAt(job) ?? 0) <= now;
    });
}

/** When the first of those that wait may be tried; undefined where none waits. */
export function nextDueAt(jobs: readonly Waiting[], now: EpochMs): EpochMs | undefined {
  const times = jobs.flatMap(({ job }) => dueAt(job) ?? []).filter((at) => at > now);
  return times.length === 0 ? undefined : times.reduce((one, other) => (one < other ? one : other));
}

function dueAt({ notBefore }: QueueJob): EpochMs | undefined {
  return notBefore === undefined ? undefined : parseInstant(notBefore);
}
