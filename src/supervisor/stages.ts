/** The stages of one workspace, put together from its ports. */
import { Archive } from "../archive/archive.js";
import { Catalogue } from "../archive/catalogue.js";
import { Ladders } from "../archive/ladders.js";
import { Ledger } from "../archive/ledger.js";
import { zoneOf } from "../model/time.js";
import { createPool, type Pool } from "../llm/pool.js";
import { notedLocks } from "../protocol/held-locks.js";
import { openJournal } from "../protocol/journal.js";
import type { SupervisorParts } from "./parts.js";
import { PromptWriter } from "./prompt-writer.js";
import { Search } from "./search.js";
import { UsageLog } from "./usage-log.js";

export interface Stages {
  archive: Archive;
  search: Search;
  prompt: PromptWriter;
  usage: UsageLog;
  pool: Pool;
}

export function composeStages(parts: SupervisorParts): Stages {
  const { workspace, settings, disk, clock, random, locks, log, systemZone, guard, ripgrep, openIndex } =
    parts;
  const press = { disk, random, locks: notedLocks(locks, disk, workspace), guard };
  const zone = zoneOf(settings.timezone ?? systemZone);
  const archive = new Archive({
    press,
    workspace,
    clock,
    zone,
    settings,
    log,
    journal: openJournal(press, workspace),
    ledger: new Ledger(zone),
    catalogue: new Catalogue(disk, workspace),
    ladders: new Ladders(press, workspace),
  });
  const usage = new UsageLog(press, workspace, zone, clock, settings.llm.daily_tokens);
  const search = new Search({ disk, clock, workspace, zone, settings, ripgrep, log, openIndex });
  const prompt = new PromptWriter({ press, workspace, clock, zone, settings, search });
  const pool = createPool({
    spawn: parts.spawn,
    clock,
    settings,
    environment: parts.environment,
    entry: parts.workerEntry,
    promptFolders: parts.promptFolders,
    budgetTokens: () => usage.budgetTokens(),
    log: (event, fields) => log.write({ level: "warn", event, ...fields }),
  });
  return { archive, search, prompt, usage, pool };
}
