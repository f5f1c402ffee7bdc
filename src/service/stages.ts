/** The stages of one workspace, put together from its ports, and what the loop drives of each. */
import { Archive } from "../archive/archive.js";
import { Catalogue } from "../archive/catalogue.js";
import { RetrySchedule } from "../archive/retries.js";
import { Ledger } from "../archive/ledger.js";
import type { UsageRecord } from "../model/work.js";
import { zoneOf } from "../model/time.js";
import { MAIN_SCOPE } from "../model/address.js";
import { conversationsIn } from "../model/conversations.js";
import { listsOf, type Background, type Loop } from "../platform/background.js";
import { scopesOf } from "../protocol/forgotten.js";
import { tellerDir } from "../protocol/workspace.js";
import { Passes } from "../archive/passes.js";
import { Compactor } from "../context/compactor.js";
import { DocumentsWorker } from "../documents/worker.js";
import { Forgetting } from "../forget/forgetting.js";
import { clearStalePrompts } from "../forget/other-files.js";
import { HistorianWorker } from "../historian/worker.js";
import { TopicsWorker } from "../topics/worker.js";
import type { Stages } from "../supervisor/ports.js";
import { createPool, type Pool } from "../llm/pool.js";
import { chooseProvider } from "../llm/worker-environment.js";
import { notedLocks } from "../protocol/held-locks.js";
import { openJournal } from "../protocol/journal.js";
import type { MemdParts } from "./memd-parts.js";
import { Embedder } from "../recall/embedder.js";
import { LastSaid } from "../prompt/last-said.js";
import { PromptSources } from "../prompt/sources.js";
import { PromptWriter } from "../prompt/writer.js";
import { recallModels } from "../recall/model-calls.js";
import { RecallService } from "../recall/service.js";
import { UsageLog } from "../llm/usage-log.js";

export interface MemdStages extends Stages {
  archive: Archive;
  passes: Passes;
  search: RecallService;
  prompts: PromptWriter;
  usage: UsageLog;
  pool: Pool;
  /** For what a search asks of models. */
  recallPool: Pool;
  historian: HistorianWorker;
  documents: DocumentsWorker;
  topics: TopicsWorker;
  forgetting: Forgetting;
}

export function composeStages(parts: MemdParts, loop: Loop): MemdStages {
  const { workspace, settings, disk, clock, random, locks, log, systemZone, guard, ripgrep, openIndex } =
    parts;
  const writer = { disk, random, locks: notedLocks(locks, disk, workspace), guard };
  const zone = zoneOf(settings.timezone ?? systemZone);
  const archive = new Archive({
    writer,
    workspace,
    clock,
    zone,
    settings,
    log,
    journal: openJournal(writer, workspace),
    ledger: new Ledger(zone),
    catalogue: new Catalogue(disk, workspace),
    retries: new RetrySchedule(writer, workspace),
  });
  const usage = new UsageLog(writer, workspace, zone, clock, settings.llm.daily_tokens);
  const pools = {
    spawn: parts.spawn,
    clock,
    environment: parts.environment,
    entry: parts.workerEntry,
    promptFolders: parts.promptFolders,
    budgetTokens: () => usage.budgetTokens(),
    log: (event: "worker_ended", fields: Record<string, unknown>) =>
      log.write({ level: "warn", event, ...fields }),
  };
  const pool = createPool({ ...pools, settings });
  // A question must not stand behind the summaries: one worker for it, one for what is embedded meanwhile.
  const recallPool = createPool({
    ...pools,
    settings: { ...settings, worker: { ...settings.worker, max_processes: 2 } },
  });
  const onUsage = (records: readonly UsageRecord[]): void => usage.note(records);
  const embedder = new Embedder({ pool: recallPool, clock, settings, log, onUsage });
  const models = recallModels({ pool: recallPool, settings, environment: parts.environment, onUsage });
  const search = new RecallService({
    disk,
    clock,
    workspace,
    zone,
    settings,
    ripgrep,
    log,
    openIndex,
    embedder,
    models,
  });
  const sources = new PromptSources({ disk, clock, workspace, settings });
  const lastSaid = new LastSaid({ archive, closedAt: (viewer) => sources.closedAt(viewer) });
  const prompts = new PromptWriter({ writer, workspace, clock, zone, settings, search, sources, lastSaid });
  const { forgotten } = archive.context.ledger;
  const modelWork = { writer, workspace, clock, zone, settings, pool, log, forgotten, onUsage };
  const asksModels = chooseProvider(settings.llm, parts.environment) !== "builtin";
  const passes = new Passes({ archive, pool, usage }, loop);
  const compactor = new Compactor(modelWork, loop);
  const historian = new HistorianWorker(modelWork, loop);
  const topics = new TopicsWorker({ ...modelWork, recallPool, asksModels }, loop);
  const documents = new DocumentsWorker(modelWork, loop);
  const background = [passes, compactor, historian, topics, documents];
  prompts.topics = topics;
  search.onLost = () => loop.done(true);
  const index = {
    refresh: () => search.refresh(archive.context.ledger.unfiled()),
    warm: () => search.warm(),
  };
  const forgetting = new Forgetting(archive, {
    // Index and prompts no longer say it when this returns: the old ones are gone, with their bytes.
    cleared: async (target, isGone) => {
      for (const each of background as readonly Background[]) await each.forget?.(isGone);
      const scopes: string[] = target.is === "record" ? [target.scope ?? MAIN_SCOPE] : scopesOf(target);
      // What is of user level may have been said anywhere.
      await search.drop(({ level, scope }) => level === "user" || scopes.includes(scope));
      await index.refresh();
      const lists = listsOf(archive);
      const living = conversationsIn(lists).map(({ scope, session }) => tellerDir(scope, session));
      await clearStalePrompts(writer, workspace, new Set(living));
      prompts.look();
      await prompts.refresh(lists);
    },
  });
  return {
    ...{
      archive,
      passes,
      search,
      prompts,
      usage,
      pool,
      recallPool,
      historian,
      documents,
      topics,
      forgetting,
    },
    background,
    index,
    intake: archive,
    recover: async (works) => {
      await forgetting.resume();
      if (works) await historian.recover();
    },
    resume: () => forgetting.goOn(),
    keep: (tick) => topics.take(tick),
    flush: () => usage.add([]),
    hasNews: () => historian.hasNews(),
  };
}
