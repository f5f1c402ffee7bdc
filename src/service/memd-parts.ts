/** The ports and the workspace that a memd is made of; tests give their own. */
import type { Settings } from "../model/settings.js";
import type { Clock } from "../platform/clock.js";
import type { Disk } from "../platform/disk.js";
import type { Locks } from "../platform/lock.js";
import type { Log } from "../platform/log.js";
import type { Random } from "../platform/random.js";
import type { Ripgrep } from "../platform/ripgrep.js";
import type { Spawn } from "../platform/spawn.js";
import type { WatchPort } from "../platform/watch.js";
import type { OpenIndex } from "../recall/index/open.js";
import type { Workspace } from "../protocol/workspace.js";

export interface MemdParts {
  workspace: Workspace;
  settings: Settings;
  disk: Disk;
  clock: Clock;
  random: Random;
  locks: Locks;
  watch: WatchPort;
  spawn: Spawn;
  ripgrep: Ripgrep;
  openIndex: OpenIndex;
  log: Log;
  /** The machine's IANA time zone, for workspaces that set none. */
  systemZone: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** What a worker process runs, and where prompts are looked for. */
  workerEntry: string;
  promptFolders: readonly string[];
  /** Throws `ownership_lost` once this process may not write any more. */
  guard: () => Promise<void>;
}
