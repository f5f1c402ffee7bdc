/**
 * When an attempt may be made again.
 *
 * Pure. After the last step of the retry the work is a backlog and is tried
 * once a day, so that a dead model costs one call a day. Source: seed 000.
 */
import { DAY_MS, HOUR_MS, later, MINUTE_MS, type EpochMs } from "../model/time.js";
import type { Settings } from "../model/settings.js";

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
