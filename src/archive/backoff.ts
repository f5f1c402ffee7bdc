/**
 * When an attempt may be made again.
 *
 * Pure. After the last step of the ladder the work is a backlog and is tried
 * once a day, so that a dead model costs one call a day. Source: seed 000.
 */
import { HOUR_MS, later, MINUTE_MS, type EpochMs } from "../model/time.js";
import type { Settings } from "../model/settings.js";

export function nextAttempt(attempts: number, now: EpochMs, settings: Settings["archive"]): EpochMs {
  const waitMin = settings.backoff_minutes[attempts - 1];
  return later(now, waitMin === undefined ? settings.backlog_hours * HOUR_MS : waitMin * MINUTE_MS);
}

/** As many failures as the ladder has steps. */
export function isBacklog(attempts: number, settings: Settings["archive"]): boolean {
  return attempts >= settings.backoff_minutes.length;
}
