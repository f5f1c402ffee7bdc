/** What works with models beside the ticks: the compactor of windows, and the historian. */
import type { Settings } from "../model/settings.js";
import type { Zone } from "../model/time.js";
import type { UsageRecord } from "../model/work.js";
import type { Pool } from "./pool.js";
import type { Clock } from "../platform/clock.js";
import type { Log } from "../platform/log.js";
import type { Forgotten } from "../protocol/forgotten.js";
import type { FileWriter } from "../protocol/publish.js";
import type { Workspace } from "../protocol/workspace.js";

export interface ModelWorkParts {
  writer: FileWriter;
  workspace: Workspace;
  clock: Clock;
  zone: Zone;
  settings: Settings;
  pool: Pool;
  log: Log;
  forgotten: Forgotten;
  onUsage: (usage: readonly UsageRecord[]) => void;
}
