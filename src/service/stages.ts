/**
 * The stages of one workspace, put together from its ports, and what the loop drives of each.
 */
import { Follower } from "../adapters/live/follower.js";
import { Archive } from "../archive/archive.js";
import { Catalogue } from "../archive/catalogue.js";
import { Checkpoints } from "../archive/checkpoints.js";
import { Imported } from "../archive/imported.js";
import { Ledger } from "../archive/ledger.js";
import { Passes } from "../archive/passes.js";
import { RetrySchedule } from "../archive/retries.js";
import { Compactor } from "../context/compactor.js";
import { DocumentsWorker } from "../documents/worker.js";
import { Forgetting } from "../forget/forgetting.js";
import { clearStalePrompts } from "../forget/other-files.js";
import { HistorianWorker } from "../historian/worker.js";
import { chooseProvider } from "../llm/job-line.js";
import type { Places } from "../llm/places.js";
import { createPool } from "../llm/pool.js";
import { UsageLog } from "../llm/usage.js";
import { conversationsIn, MAIN_SCOPE } from "../model/address.js";
import { defined } from "../model/collections.js";
import type { Settings } from "../model/settings.js";
import { zoneOf } from "../model/time.js";
import type { UsageRecord } from "../model/work.js";
import { listsOf, type Loop } from "../platform/background.js";
import type { Random } from "../platform/clock.js";
import type { Disk } from "../platform/disk.js";
import { relative } from "../platform/files.js";
import { StillFolders, type WatchFolder } from "../platform/folder-looks.js";
import type { Git } from "../platform/git.js";
import type { Locks } from "../platform/lock.js";
import type { Machine } from "../platform/machine.js";
import { notingDisk } from "../platform/noting-disk.js";
import type { Ripgrep } from "../platform/ripgrep.js";
import type { Spawn } from "../platform/spawn.js";
import { LastSaid } from "../prompt/last-said.js";
import { PromptSources } from "../prompt/sources.js";
import { PromptWriter } from "../prompt/writer.js";
import { scopesOf } from "../protocol/forgotten.js";
import { openJournal } from "../protocol/journal.js";
import { notedLocks } from "../protocol/owner-note.js";
import { probeFolder } from "../protocol/publish.js";
import { at, FILES, isStillFolder, tellerDir } from "../protocol/workspace.js";
import { Embedder } from "../recall/embedder.js";
import { encoderFor } from "../recall/embedding/choose.js";
import { HomeEncoder } from "../recall/embedding/home.js";
import { placesIn } from "../recall/embedding/home-servers.js";
import type { OpenIndex } from "../recall/index/open.js";
import { recallModels } from "../recall/models.js";
import { RecallService } from "../recall/service.js";
import type { LoopParts, Stages } from "../supervisor/ports.js";
import { useOwnPatterns } from "../text/redact.js";
import { TopicsWorker } from "../topics/worker.js";
import { LiveSettings } from "./live-settings.js";
import { underGit } from "./under-git.js";

export type MemdStages = ReturnType<typeof composeStages>;

/** The stages of one workspace, put together from its ports, and what the loop drives of each. */
export function composeStages(parts: MemdParts, loop: Loop) {
  const { workspace, settings, clock, random, locks, log, systemZone, guard, ripgrep, openIndex } = parts;
  const git = settings.git.commit ? parts.git : undefined;
  const disk = git === undefined ? parts.disk : notingDisk(parts.disk, (path) => keeper?.note(path));
  const looks = looksIn(parts, disk);
  const writer = { disk, random, locks: notedLocks(locks, disk, workspace), guard };
  useOwnPatterns(workspace.root, settings.secrets.patterns);
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
    catalogue: new Catalogue(disk, workspace, looks),
    retries: new RetrySchedule(writer, workspace),
    isHeld: () => keeper?.isHeld === true,
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
  const pool = createPool({ ...pools, settings, places: parts.places });
  // A question must not stand behind the summaries: one worker for it, one for what is embedded meanwhile.
  const recallPool = createPool({
    ...pools,
    settings: { ...settings, worker: { ...settings.worker, max_processes: 2 } },
  });
  const onUsage = (records: readonly UsageRecord[]): void => usage.note(records);
  const home = new HomeEncoder({
    pool: recallPool,
    settings,
    clock,
    workspace,
    writer,
    where: placesIn(parts.environment),
  });
  const { environment } = parts;
  const encoder = encoderFor({ pool: recallPool, settings, onUsage, disk, environment, home });
  const embedder =
    encoder && new Embedder(defined({ encoder, machine: parts.machine, clock, settings, log }));
  const models = recallModels({ pool: recallPool, settings, environment: parts.environment, onUsage });
  const search = new RecallService({
    disk,
    looks,
    clock,
    workspace,
    zone,
    settings,
    ripgrep,
    log,
    openIndex,
    ...(embedder && { embedder }),
    models,
    ...(parts.resting && { resting: parts.resting }),
  });
  const sources = new PromptSources({ disk, clock, workspace, settings });
  const lastSaid = new LastSaid({ archive, closedAt: (viewer) => sources.closedAt(viewer) });
  const prompts = new PromptWriter({ writer, workspace, clock, zone, settings, search, sources, lastSaid });
  const { forgotten } = archive.context.ledger;
  // Prompts are made of some of them: they are made again too.
  const liveSettings = new LiveSettings(parts, () => loop.done(true));
  const modelWork = { writer, workspace, clock, zone, settings, pool, log, forgotten, onUsage };
  const asksModels = chooseProvider(settings.llm, parts.environment) !== "builtin";
  const passes = new Passes({ archive, pool, usage }, loop);
  const compactor = new Compactor(modelWork, loop);
  const imported = new Imported(archive.context);
  const historian = new HistorianWorker(
    modelWork,
    loop,
    imported,
    () => usage.hasPlenty && !archive.isTakingIn,
  );
  const topics = new TopicsWorker({ ...modelWork, recallPool, asksModels }, loop);
  const documents = new DocumentsWorker(modelWork, loop);
  const follower = new Follower(
    {
      ...modelWork,
      take: async (messages) => {
        const { fresh, filed } = await archive.importMessages(messages);
        await topics.takeImported(filed);
        return fresh;
      },
      home: parts.environment["HOME"],
    },
    loop,
  );
  archive.heardByHooks = (told) => follower.heard(told);
  const workers = [passes, compactor, historian, topics, documents, follower, new Checkpoints(archive)];
  const { keeper, background } = underGit(
    { writer, workspace, clock, log, git, passEndedAt: () => passes.lastPassAt },
    workers,
    loop,
    forgotten,
  );
  prompts.topics = topics;
  search.onLost = () => loop.done(true);
  const index = {
    refresh: (isCalled?: () => boolean) =>
      search.refresh(archive.context.ledger.unfiled(), defined({ isCalled })),
    get isBehind() {
      return search.isBehind;
    },
    warm: () => search.warm(),
  };
  const forgetting = new Forgetting(archive, {
    // Index and prompts no longer say it when this returns: the old ones are gone, with their bytes.
    cleared: async (target, isGone) => {
      for (const each of background) await each.forget?.(isGone);
      const scopes: string[] = target.is === "record" ? [target.scope ?? MAIN_SCOPE] : scopesOf(target);
      await index.refresh();
      // What is of user level may have been said anywhere.
      await search.scrub(({ level, scope }) => level === "user" || scopes.includes(scope));
      const lists = listsOf(archive);
      const living = conversationsIn(lists).map(({ scope, session }) => tellerDir(scope, session));
      await clearStalePrompts(writer, workspace, new Set(living));
      prompts.look();
      await prompts.refresh(lists);
    },
  });
  const driven: Stages = {
    prompts,
    background,
    index,
    intake: archive,
    recover: async (works) => {
      await forgetting.resume();
      if (works) await historian.recover();
    },
    resume: async () => {
      await liveSettings.look();
      await keeper?.look();
      await forgetting.goOn();
    },
    probe: () => probeFolder(writer, at(workspace, FILES.derived)),
    keep: async (tick) => {
      if (keeper?.isHeld !== true) await topics.take(tick);
    },
    flush: () => usage.add([]),
    hasNews: async () => (await historian.hasNews()) || follower.hasNews(),
  };
  const asked = {
    archive,
    passes,
    search,
    prompts,
    usage,
    pool,
    historian,
    documents,
    topics,
    forgetting,
    keeper,
  };
  return { ...driven, ...asked, home, embedder, recallPool, liveSettings, looks };
}

/** Where in-place writes are told, months that are over are believed to stand as they stood. */
function looksIn({ workspace, clock, watchFolder }: MemdParts, disk: Disk): StillFolders | undefined {
  const isStill = (dir: string): boolean => isStillFolder(relative(workspace.root, dir));
  return watchFolder && new StillFolders(disk, clock, isStill, watchFolder);
}

/** The ports and the workspace that a memd is made of; tests give their own. */
export interface MemdParts extends LoopParts {
  settings: Settings;
  /** Of the file that they were read from. */
  settingsStamp?: string;
  /** Tables of the file that do not count here: see daemon/settings-below.ts. */
  untrusted?: readonly string[];
  disk: Disk;
  random: Random;
  locks: Locks;
  spawn: Spawn;
  ripgrep: Ripgrep;
  openIndex: OpenIndex;
  /** Without it all of the tree is looked at each minute. */
  watchFolder?: WatchFolder;
  /** Asked where `git.commit` is set. */
  git?: Git;
  /** For the workers of all memds of this process together. */
  places?: Places;
  /** Told that nobody has asked for a while; and, with false, that somebody asks again. */
  resting?: (rests: boolean) => void;
  /** What it has to do besides; without it, nothing waits for that. */
  machine?: Machine;
  /** The machine's IANA time zone, for workspaces that set none. */
  systemZone: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** What a worker process runs, and where prompts are looked for. */
  workerEntry: string;
  promptFolders: readonly string[];
}
