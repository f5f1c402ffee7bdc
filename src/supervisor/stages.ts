/** The stages of one workspace, put together from its ports. */
import { Archive } from "../archive/archive.js";
import { Catalogue } from "../archive/catalogue.js";
import { RetrySchedule } from "../archive/retries.js";
import { Ledger } from "../archive/ledger.js";
import type { UsageRecord } from "../model/work.js";
import { zoneOf } from "../model/time.js";
import { createPool, type Pool } from "../llm/pool.js";
import { chooseProvider } from "../llm/worker-environment.js";
import { notedLocks } from "../protocol/held-locks.js";
import { openJournal } from "../protocol/journal.js";
import type { SupervisorParts } from "./parts.js";
import { Embedder } from "../recall/embedder.js";
import { LastSaid } from "../prompt/last-said.js";
import type { ModelWorkParts } from "../llm/job-context.js";
import { PromptSources } from "../prompt/sources.js";
import { PromptWriter } from "../prompt/writer.js";
import { recallModels } from "../recall/model-calls.js";
import { RecallService } from "../recall/service.js";
import { UsageLog } from "../llm/usage-log.js";

export interface Stages {
  archive: Archive;
  search: RecallService;
  prompt: PromptWriter;
  usage: UsageLog;
  pool: Pool;
  /** For what a search asks of models. */
  recallPool: Pool;
  modelWork: ModelWorkParts;
  /** Whether windows of topics are asked of a model. */
  asksModels: boolean;
}

export function composeStages(parts: SupervisorParts): Stages {
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
  const prompt = new PromptWriter({ writer, workspace, clock, zone, settings, search, sources, lastSaid });
  const { forgotten } = archive.context.ledger;
  const modelWork = { writer, workspace, clock, zone, settings, pool, log, forgotten, onUsage };
  const asksModels = chooseProvider(settings.llm, parts.environment) !== "builtin";
  return { archive, search, prompt, usage, pool, recallPool, modelWork, asksModels };
}
