/** Recall for this workspace: the index kept up to date with the files, and asked. */
import type { Viewer } from "../model/address.js";
import type { Settings } from "../model/settings.js";
import type { Zone } from "../model/time.js";
import type { Archive } from "../archive/archive.js";
import { pacer, type Clock } from "../platform/clock.js";
import type { Disk } from "../platform/disk.js";
import type { Log } from "../platform/log.js";
import type { Ripgrep } from "../platform/ripgrep.js";
import type { Workspace } from "../protocol/workspace.js";
import { MEMORY_ENGINE_COMFORT_PASSAGES, memoryEngine } from "../recall/index/memory.js";
import type { EngineSize } from "../recall/index/engine.js";
import { newReconcileState, reconcile } from "../recall/reconcile.js";
import type { SkippedFile } from "../recall/walk.js";
import { recall, type Recalled, type RecallOptions } from "../recall/recall.js";

interface SearchParts {
  disk: Disk;
  clock: Clock;
  workspace: Workspace;
  zone: Zone;
  settings: Settings;
  ripgrep: Ripgrep;
  log: Log;
}

export class Search {
  readonly #engine;
  readonly #state = newReconcileState();
  #toldLarge = false;
  skipped: readonly SkippedFile[] = [];

  constructor(readonly parts: SearchParts) {
    this.#engine = memoryEngine(pacer(parts.clock));
  }

  /** Brings the index up to date; messages without a block are found by their journal lines. */
  async refresh(archive: Archive): Promise<void> {
    const { disk, workspace, zone, clock } = this.parts;
    const unfiled = archive.context.ledger
      .unsettled()
      .flatMap(({ held, place, settled }) =>
        held === undefined || place === undefined || settled !== undefined ? [] : [{ filed: held, ...place }],
      );
    const done = await reconcile(
      { disk, workspace, engine: this.#engine, zone, pace: pacer(clock) },
      unfiled,
      this.#state,
    );
    this.skipped = done.skipped;
    const { passages } = await this.#engine.size();
    if (passages > MEMORY_ENGINE_COMFORT_PASSAGES && !this.#toldLarge) {
      this.#toldLarge = true;
      this.parts.log.write({
        level: "warn",
        event: "index_large",
        passages,
        comfortable: MEMORY_ENGINE_COMFORT_PASSAGES,
      });
    }
  }

  async find(query: string, viewer: Viewer, options: RecallOptions = {}): Promise<Recalled> {
    const { zone, clock, settings, ripgrep, workspace } = this.parts;
    const parts = {
      engine: this.#engine,
      zone,
      now: () => clock.now(),
      settings: settings.recall,
      files: { ripgrep, workspace },
    };
    return recall(parts, query, viewer, options);
  }

  size(): Promise<EngineSize> {
    return this.#engine.size();
  }

  close(): Promise<void> {
    return this.#engine.close();
  }
}
