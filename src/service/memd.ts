/**
 * A memd: the loop of one workspace with its stages, and what can be asked of
 * them while it runs.
 */
import type { PassReport } from "../archive/pass.js";
import type { ForgetReport, ForgetRequest } from "../forget/forgetting.js";
import { jobPrompts } from "../llm/jobs/registry.js";
import type { Address } from "../model/address.js";
import { EXIT, isMemdError } from "../model/errors.js";
import type { IncomingMessage } from "../model/message.js";
import type { Period } from "../model/period.js";
import type { EpochMs } from "../model/time.js";
import { listsOf } from "../platform/background.js";
import { breakDeadLock } from "../protocol/held-locks.js";
import { at, FILES } from "../protocol/workspace.js";
import { Supervisor } from "../supervisor/supervisor.js";
import { activateTopics, type Activated } from "../topics/activate.js";
import type { MemdParts } from "./memd-parts.js";
import { composeStages, type MemdStages } from "./stages.js";

export class Memd extends Supervisor<MemdStages> {
  readonly archive = this.stages.archive;
  readonly search = this.stages.search;
  readonly prompt = this.stages.prompts;
  readonly usage = this.stages.usage;
  readonly pool = this.stages.pool;
  readonly historian = this.stages.historian;
  readonly documents = this.stages.documents;
  readonly topics = this.stages.topics;

  constructor(readonly parts: MemdParts) {
    super(parts, (loop) => composeStages(parts, loop));
  }

  override async start(options: { watch: boolean; work: boolean }): Promise<void> {
    const { disk, promptFolders, workspace, guard } = this.parts;
    await jobPrompts(disk, promptFolders);
    // Of two that started at one moment only the one that is noted may break a lock.
    await guard();
    await breakDeadLock(disk, workspace);
    await this.stages.passes.load();
    await this.usage.load();
    await disk.makeDir(at(workspace, FILES.drops));
    await disk.makeDir(at(workspace, FILES.pending));
    await super.start(options);
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.stages.recallPool.close();
    await this.search.close();
  }

  /** A pass now, whatever the retries say; its report once every summary that was owed has been tried. */
  archiveNow(): Promise<PassReport> {
    const report = this.stages.passes.ask();
    this.rescan();
    return report;
  }

  /** What goes from every file, or with `dryRun` would go. Throws `forget_unknown`. */
  async forget(request: ForgetRequest, dryRun: boolean): Promise<ForgetReport> {
    const { forgetting } = this.stages;
    const report = await this.exclusive(() => forgetting.forget(request, dryRun)).catch((error: unknown) => {
      // Begun, and cut off by the disk: the ticks go on with it.
      if (!isMemdError(error) || error.exit !== EXIT.usage) this.fault(error);
      throw error;
    });
    this.changed();
    return report;
  }

  /** Looks for what may have been forgotten in all topics; the prompt shows what is found. Throws `empty_query`. */
  async activateTopics(viewer: Address, query: string, period: Period): Promise<Activated> {
    const found = await activateTopics(this.topics, viewer, query, period, listsOf(this.archive));
    this.changed();
    return found;
  }

  /** How many were new. */
  async importMessages(messages: readonly IncomingMessage[]): Promise<number> {
    const fresh = await this.exclusive(() => this.archive.importMessages(messages));
    this.changed();
    return fresh;
  }

  /** What only the loop and the passes know of its status. */
  get progress(): { startedAt: EpochMs; running: number; lastPassAt: EpochMs | undefined } {
    const { running, lastPassAt } = this.stages.passes;
    return { startedAt: this.startedAt, running, lastPassAt };
  }
}
