/**
 * `memd.toml` while memd runs: what may change counts from the next tick on, of
 * the rest it is told that it waits for a restart. A file that is wrong changes
 * nothing; it may be half of what an editor is writing, so that is told only
 * where it stays so. Nor does an empty one change anything at once: that is how a save begins.
 */
import { type MemdError, troubleOf } from "../model/errors.js";
import type { Settings } from "../model/settings.js";
import { changedKeys, liveOf, reloads } from "../model/settings-changes.js";
import { SECOND_MS } from "../model/time.js";
import type { Clock } from "../platform/clock.js";
import type { Disk } from "../platform/disk.js";
import { stampOf } from "../platform/files.js";
import type { Log } from "../platform/log.js";
import { readSettings } from "../protocol/settings.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";

/** So long a file may be wrong, empty, or away, before that is believed. */
const UNFINISHED_MS = SECOND_MS;

interface LiveSettingsParts {
  workspace: Workspace;
  disk: Disk;
  clock: Clock;
  log: Log;
  /** Those that everything looks at: the tables that reload are replaced in it. */
  settings: Settings;
  /** Of the file that they were read from; without it, of the one that the first look finds. */
  settingsStamp?: string;
  /** Tables of the file that do not count here. */
  untrusted?: readonly string[];
}

interface Doubt {
  about: "its words" | "whether it is whole";
  isOver: boolean;
}

export class LiveSettings {
  /** Settings in the file that wait for a restart. */
  restartNeeded: readonly string[] = [];
  /** What is wrong with the file, where the ones before it count. */
  fault: MemdError | undefined;
  #stamp: string | undefined;
  #doubt: Doubt | undefined;

  /** `wake` has it look again. */
  constructor(
    readonly parts: LiveSettingsParts,
    readonly wake: () => void,
  ) {
    this.#stamp = parts.settingsStamp;
  }

  /** In every tick. */
  async look(): Promise<void> {
    const { disk, workspace } = this.parts;
    const stat = await disk.stat(at(workspace, FILES.settings));
    this.#stamp ??= stampOf(stat);
    if (stampOf(stat) === this.#stamp && this.fault === undefined) return this.#believe(stampOf(stat));
    try {
      const found = await readSettings(disk, workspace);
      const now = await disk.stat(at(workspace, FILES.settings));
      const isWhole = (now?.size ?? 0) > 0 && stampOf(now) === stampOf(stat);
      if (!isWhole && this.#isDoubted("whether it is whole")) return;
      this.#believe(stampOf(stat));
      this.#take(found);
    } catch (error) {
      if (!this.#isDoubted("its words")) this.#refuse(troubleOf(error));
    }
  }

  #believe(stamp: string): void {
    this.#stamp = stamp;
    this.#doubt = undefined;
  }

  /** For a second from when it was first seen so. */
  #isDoubted(about: Doubt["about"]): boolean {
    if (this.#doubt?.about !== about) {
      const doubt = { about, isOver: false };
      this.#doubt = doubt;
      this.parts.clock.after(UNFINISHED_MS, () => {
        doubt.isOver = true;
        this.wake();
      });
    }
    return !this.#doubt.isOver;
  }

  #take(found: Settings): void {
    const { settings, log } = this.parts;
    const changed = changedKeys(settings, found);
    const live = changed.filter(reloads);
    const { untrusted = [] } = this.parts;
    const counts = (key: string): boolean => !untrusted.some((table) => key.startsWith(`${table}.`));
    const waiting = changed.filter((key) => !reloads(key) && counts(key));
    if (live.length > 0 || this.fault !== undefined)
      log.write({ level: "info", event: "settings_reloaded", file: FILES.settings, keys: live });
    if (waiting.some((key) => !this.restartNeeded.includes(key)))
      log.write({ level: "warn", event: "restart_needed", file: FILES.settings, keys: waiting });
    Object.assign(settings, liveOf(found));
    this.restartNeeded = waiting;
    this.fault = undefined;
  }

  #refuse(fault: MemdError): void {
    if (fault.message !== this.fault?.message)
      this.parts.log.write({
        level: "warn",
        event: "settings_refused",
        file: FILES.settings,
        reason: fault.message,
      });
    this.fault = fault;
  }
}
