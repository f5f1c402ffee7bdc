/** What a stage needs to have jobs done beside the ticks, and the ids of jobs. */
import type { Settings } from "../model/settings.js";
import type { Zone } from "../model/time.js";
import type { JobId, UsageRecord } from "../model/work.js";
import type { Clock } from "../platform/clock.js";
import { contentHash } from "../platform/files.js";
import type { Log } from "../platform/log.js";
import type { Forgotten } from "../protocol/forgotten.js";
import type { FileWriter } from "../protocol/publish.js";
import type { Workspace } from "../protocol/workspace.js";
import type { Pool } from "./pool.js";

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

/** Of a question to a model: the same for the same thing asked about. */
export function jobIdOf(...about: readonly unknown[]): JobId {
  return contentHash(JSON.stringify(about)) as JobId;
}
