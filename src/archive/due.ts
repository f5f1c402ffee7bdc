/** When a pass starts, and why. Pure. Source: seed 000. */
import { HOUR_MS, type EpochMs } from "../model/time.js";
import type { Settings } from "../model/settings.js";

export type Reason = "asked" | "messages" | "limit" | "overflow" | "interval" | "summaries";

export interface DueState {
  /** Messages without a block that may be tried now. */
  due: number;
  /** When the oldest of them was first filed. */
  oldestAt: EpochMs | undefined;
  overSoft: boolean;
  overflow: boolean;
  /** End of the last finished pass; undefined when there was none. */
  lastPassAt: EpochMs | undefined;
  now: EpochMs;
}

export function passReason(state: DueState, settings: Settings["archive"]): Reason | undefined {
  if (state.due === 0) return undefined;
  if (state.overflow) return "overflow";
  if (state.overSoft) return "limit";
  if (state.due > settings.trigger_messages) return "messages";
  const since = state.lastPassAt ?? state.oldestAt;
  // A clock that was set back must not put the next pass off for years.
  const waited = since === undefined ? 0 : Math.abs(state.now - since);
  return waited >= settings.interval_hours * HOUR_MS ? "interval" : undefined;
}
