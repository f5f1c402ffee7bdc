/**
 * `queue/summaries/`: owed summaries that failed, with their attempts and the
 * time of the next one. What is owed at all is read off the outputs, by the age of
 * a day.
 */
import * as z from "zod";
import type { ScopeId } from "../model/address.js";
import type { Settings } from "../model/settings.js";
import {
  type Day,
  DAY_MS,
  daysBetween,
  type EpochMs,
  HOUR_MS,
  isoOf,
  later,
  MINUTE_MS,
  type Month,
  monthOf,
  monthsBetween,
} from "../model/time.js";
import type { JobId, Tier } from "../model/work.js";
import type { Disk } from "../platform/disk.js";
import { type FileWriter, ifNoText, ifReadable, publish, readText } from "../protocol/publish.js";
import { instant } from "../protocol/records.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";

/** A summary to be made, by what it is of. */
export type TargetKey = string & { readonly __of: "target" };

export interface Retry {
  job: JobId;
  tier: Tier;
  scope: ScopeId;
  date: Day | Month;
  attempts: number;
  failedAt: EpochMs;
  nextAt: EpochMs;
  reason: string;
}

const shape = z.object({
  job: z.string(),
  tier: z.enum(["day", "month"]),
  scope: z.string(),
  date: z.string(),
  attempts: z.number().int().positive(),
  failedAt: instant,
  nextAt: instant,
  reason: z.string(),
});

export function targetKey(scope: ScopeId, date: Day | Month): TargetKey {
  return `${scope}\u0000${date}` as TargetKey;
}

export class RetrySchedule {
  readonly #byTarget = new Map<TargetKey, Retry>();

  constructor(
    readonly writer: FileWriter,
    readonly workspace: Workspace,
  ) {}

  async load(): Promise<void> {
    const { disk } = this.writer;
    for (const entry of await disk.list(at(this.workspace, FILES.summaries))) {
      if (!entry.name.endsWith(".json") || entry.name.startsWith(".")) continue;
      const retry = await readRetry(disk, at(this.workspace, `${FILES.summaries}/${entry.name}`));
      // A job names its own file and no other: what is removed by that name must be a retry.
      if (retry === undefined || `${retry.job}.json` !== entry.name) continue;
      // A crash between two steps leaves both: the later one counts, by its attempts, whatever the clock said.
      const other = this.get(retry.scope, retry.date);
      const later = other === undefined || retry.attempts > other.attempts ? retry : other;
      this.#byTarget.set(targetKey(retry.scope, retry.date), later);
      const passed = later === retry ? other : retry;
      if (passed !== undefined && passed.job !== later.job) await disk.unlink(this.#path(passed.job));
    }
  }

  get(scope: ScopeId, date: Day | Month): Retry | undefined {
    return this.#byTarget.get(targetKey(scope, date));
  }

  all(): Retry[] {
    return [...this.#byTarget.values()];
  }

  async failed(retry: Retry): Promise<void> {
    const before = this.get(retry.scope, retry.date);
    const { failedAt, nextAt, ...rest } = retry;
    const data = { ...rest, failedAt: isoOf(failedAt), nextAt: isoOf(nextAt) };
    await publish(this.writer, this.#path(retry.job), `${JSON.stringify(data, null, 2)}\n`);
    this.#byTarget.set(targetKey(retry.scope, retry.date), retry);
    if (before !== undefined && before.job !== retry.job)
      await this.writer.disk.unlink(this.#path(before.job));
  }

  /** The summary is made, or no longer owed. */
  async settled(scope: ScopeId, date: Day | Month): Promise<void> {
    const retry = this.get(scope, date);
    if (retry === undefined) return;
    await this.writer.disk.unlink(this.#path(retry.job));
    this.#byTarget.delete(targetKey(scope, date));
  }

  #path(job: JobId): string {
    return at(this.workspace, `${FILES.summaries}/${job}.json`);
  }
}

/** A retry that cannot be read only means that its summary is tried at once. */
async function readRetry(disk: Disk, file: string): Promise<Retry | undefined> {
  const text = (await readText(disk, file).catch(ifNoText)) ?? "";
  const parsed = shape.safeParse(ifReadable((): unknown => JSON.parse(text)));
  return parsed.success ? (parsed.data as Retry) : undefined;
}

/**
 * When an attempt may be made again.
 *
 * Pure. After the last step of the retry the work is a backlog and is tried
 * once a day, so that a dead model costs one call a day. Source: seed 000.
 */
export function nextAttempt(
  attempts: number,
  now: EpochMs,
  settings: Settings["archive"],
  /** What the endpoint asked for. A wait beyond the backlog's own is none that anybody meant. */
  retryAfterMs = 0,
): EpochMs {
  const backlogMs = settings.backlog_hours * HOUR_MS;
  const waitMin = settings.backoff_minutes[attempts - 1];
  const stepMs = waitMin === undefined ? backlogMs : waitMin * MINUTE_MS;
  return later(now, Math.max(stepMs, Math.min(retryAfterMs, backlogMs)));
}

/**
 * Whether the next attempt is still to be waited for. A time further off than
 * any step, and a day more for small changes of the clock, was set by a clock
 * that has been put back since.
 */
export function isWaiting(nextAt: EpochMs, now: EpochMs, settings: Settings["archive"]): boolean {
  const longestMs = Math.max(
    settings.backlog_hours * HOUR_MS,
    ...settings.backoff_minutes.map((wait) => wait * MINUTE_MS),
  );
  return nextAt > now && nextAt - now <= longestMs + DAY_MS;
}

/** As many failures as the retry has steps. */
export function isBacklog(attempts: number, settings: Settings["archive"]): boolean {
  return attempts >= settings.backoff_minutes.length;
}

/** Where a message goes, by its age in local days. Pure. */
type MessageTier = { to: "verbatim" } | { to: "day"; date: Day } | { to: "month"; date: Month };

/**
 * Not more than `recentDays` old: verbatim is all. Older, in this or last
 * month: a summary of its day. Before that: of its month. Source: seed 000;
 * on 31 January December goes by day, on 1 February by month.
 */
export function tierOf(day: Day, today: Day, recentDays: number): MessageTier {
  if (daysBetween(day, today) <= recentDays) return { to: "verbatim" };
  if (monthsBetween(monthOf(day), monthOf(today)) <= 1) return { to: "day", date: day };
  return { to: "month", date: monthOf(day) };
}
