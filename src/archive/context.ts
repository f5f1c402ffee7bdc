/** What the effects of archiving work with. */
import type { Settings } from "../model/settings.js";
import type { Zone } from "../model/time.js";
import type { Clock } from "../platform/clock.js";
import type { Locks } from "../platform/lock.js";
import type { Log } from "../platform/log.js";
import type { Journal } from "../protocol/journal.js";
import type { FileWriter } from "../protocol/publish.js";
import type { Workspace } from "../protocol/workspace.js";
import type { Catalogue } from "./catalogue.js";
import type { RetrySchedule } from "./retries.js";
import type { Ledger } from "./ledger.js";

export interface ArchiveContext {
  writer: FileWriter & { locks: Locks };
  workspace: Workspace;
  clock: Clock;
  zone: Zone;
  settings: Settings;
  log: Log;
  journal: Journal;
  ledger: Ledger;
  catalogue: Catalogue;
  retries: RetrySchedule;
  /** Somebody else moves the files of the memory: nothing is moved there, and nothing leaves history.json. */
  isHeld?: () => boolean;
}
