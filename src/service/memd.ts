/**
 * A memd: the loop of one workspace with its stages, put together here from its
 * ports, and what can be asked of them while it runs.
 */
import { type PassReport } from "../archive/passes.js";
import { lastWaiting } from "../archive/take-list.js";
import { type ForgetReport, type ForgetRequest } from "../forget/forgetting.js";
import { chooseProvider } from "../llm/job-line.js";
import { jobPrompts } from "../llm/jobs/registry.js";
import { type Address } from "../model/address.js";
import { EXIT, isMemdError } from "../model/errors.js";
import type { IncomingMessage } from "../model/message.js";
import { type EpochMs, type Period, SECOND_MS } from "../model/time.js";
import { listsOf } from "../platform/background.js";
import type { Timer } from "../platform/clock.js";
import { breakDeadLock } from "../protocol/owner-note.js";
import { at, FILES } from "../protocol/workspace.js";
import { Supervisor } from "../supervisor/supervisor.js";
import { type Activated, activateTopics } from "../topics/activate.js";
import { composeStages, type MemdParts, type MemdStages } from "./stages.js";

/** Whoever imports has read the next piece by then. */
const PIECES_APART_MS = 2 * SECOND_MS;

export class Memd extends Supervisor<MemdStages> {
  readonly archive = this.stages.archive;
  readonly search = this.stages.search;
  readonly prompt = this.stages.prompts;
  readonly usage = this.stages.usage;
  readonly pool = this.stages.pool;
  readonly historian = this.stages.historian;
  readonly documents = this.stages.documents;
  readonly topics = this.stages.topics;
  readonly liveSettings = this.stages.liveSettings;

  #expecting: Timer | undefined;

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
    await this.stages.keeper?.load();
    await this.usage.load();
    void this.search.open(() => lastWaiting(disk, workspace));
    await disk.makeDir(at(workspace, FILES.drops));
    await disk.makeDir(at(workspace, FILES.pending));
    await disk.makeDir(at(workspace, FILES.told));
    await super.start(options);
  }

  override async stop(): Promise<void> {
    this.#expecting?.cancel();
    await super.stop();
    this.stages.looks?.close();
    await this.stages.keeper?.close();
    await this.stages.recallPool.close();
    await this.search.close();
  }

  /** A pass now, whatever the retries say; its report once every summary that was owed has been tried. */
  async archiveNow(): Promise<PassReport> {
    await this.assertUnmoved();
    const report = this.stages.passes.ask();
    this.rescan();
    return await report;
  }

  /** Throws `git_moved` where what would be written now might be in nobody's memory later. */
  async assertUnmoved(): Promise<void> {
    await this.stages.keeper?.assertFree();
  }

  /** What goes from every file, or with `dryRun` would go. Throws `forget_unknown`. */
  async forget(request: ForgetRequest, dryRun: boolean): Promise<ForgetReport> {
    const { forgetting, keeper } = this.stages;
    if (!dryRun) await this.assertUnmoved();
    const report = await this.exclusive(() => forgetting.forget(request, dryRun)).catch((error: unknown) => {
      // Begun, and cut off by the disk: the ticks go on with it.
      if (!isMemdError(error) || error.exit !== EXIT.usage) this.fault(error);
      throw error;
    });
    this.changed();
    if (!dryRun) await keeper?.commitNow();
    return report;
  }

  /** Looks for what may have been forgotten in all topics; the prompt shows what is found. Throws `empty_query`. */
  async activateTopics(viewer: Address, query: string, period: Period): Promise<Activated> {
    const found = await activateTopics(this.topics, viewer, query, period, listsOf(this.archive));
    this.changed();
    return found;
  }

  /** An import comes in pieces: what can wait does until no more of them come. */
  expectMore(): void {
    this.archive.expectMore(PIECES_APART_MS);
    this.#expecting?.cancel();
    this.#expecting = this.parts.clock.after(PIECES_APART_MS, () => this.wake());
  }

  /** What has come is all. */
  expectNoMore(): void {
    this.archive.expectMore(0);
    this.#expecting?.cancel();
  }

  /** How many were new. */
  async importMessages(messages: readonly IncomingMessage[]): Promise<number> {
    await this.assertUnmoved();
    const fresh = await this.exclusive(async () => {
      const taken = await this.archive.importMessages(messages);
      await this.topics.takeImported(taken.filed);
      return taken.fresh;
    });
    this.changed();
    return fresh;
  }

  /** The same as `idle`, once what is owed of imports is worked too, as far as it can be for now. */
  async finished(): Promise<void> {
    await this.idle();
    await this.historian.caughtUp();
    await this.idle();
  }

  /** What agents left behind becomes records before a question is answered that no memd runs for, where that asks no model. */
  async remember(): Promise<void> {
    const { settings, environment } = this.parts;
    if (chooseProvider(settings.llm, environment) !== "builtin") return;
    // What keeps it from that is told by whoever works; the question is answered from what there is.
    await this.historian.whileAsked(() => this.idle()).catch(() => undefined);
  }

  /** What only the loop and the passes know of its status. */
  get progress(): { startedAt: EpochMs; running: number; lastPassAt: EpochMs | undefined } {
    const { running, lastPassAt } = this.stages.passes;
    return { startedAt: this.startedAt, running, lastPassAt };
  }
}
