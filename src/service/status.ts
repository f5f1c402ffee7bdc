/** What `memd status` tells. Plain data that survives JSON. */
import { isBacklog } from "../archive/retries.js";
import { HOUR_MS, isoOf, later } from "../model/time.js";
import { defined } from "../model/collections.js";
import { isMemdError, problemOf } from "../model/errors.js";
import { chooseProvider } from "../llm/job-line.js";
import { diskSpace } from "../platform/disk-space.js";
import { memoryBytes, processId } from "../platform/process.js";
import { listConflicts } from "../protocol/conflicts.js";
import { countQueue } from "./queue.js";
import type { AnswerOf } from "./operations.js";
import type { Memd } from "./memd.js";

export type Status = AnswerOf<"status">;

export async function statusOf(memd: Memd, socket: string): Promise<Status> {
  const { archive, parts, pool, usage, search, progress } = memd;
  const { untrusted = [] } = parts;
  const { catalogue, retries, settings, zone, workspace, writer } = archive.context;
  // A disk that refuses even this is what the status is asked about: it is told, never thrown.
  const [conflicts, refused] = await listConflicts(writer, workspace).then(
    (names) => [names, undefined] as const,
    (error: unknown) => [[], isMemdError(error) ? error : undefined] as const,
  );
  const trouble = memd.trouble ?? refused;
  return defined({
    workspace: workspace.root,
    owner: { pid: processId(), since: isoOf(progress.startedAt), socket },
    now: isoOf(parts.clock.now()),
    timezone: zone.name,
    history: defined({
      messages: archive.history.entries,
      unarchived: archive.unarchived,
      bytes: archive.history.bytes,
      unreadable: archive.history.unreadable,
    }),
    inbox: defined({ waiting: archive.inbox.messages.length, unreadable: archive.inbox.unreadable }),
    archive: defined({
      unwritten: archive.context.ledger.unsettled().length,
      verbatimDays: catalogue.verbatimDays().length,
      summaries: catalogue.summaries().length,
      owed: archive.owed().length,
      backlog: retries.all().filter(({ attempts }) => isBacklog(attempts, settings.archive)).length,
      running: progress.running,
      lastPassAt: progress.lastPassAt === undefined ? undefined : isoOf(progress.lastPassAt),
      nextPassAt: nextPassAt(memd),
      nextAttempt: nextAttemptOf(memd),
    }),
    queue: await countQueue({ writer, workspace }).catch(() => ({ pending: 0, processing: 0, failed: 0 })),
    imported: importedOf(memd),
    index: await search.status(),
    models: defined({
      provider: chooseProvider(settings.llm, parts.environment),
      workers: pool.counts(),
      tokensToday: usage.tokensToday(),
      dailyTokens: settings.llm.daily_tokens,
      failing: pool.failing() ?? memd.stages.recallPool.failing(),
    }),
    topics: memd.topics.status(),
    settings: defined({
      restartNeeded: Array.from<string>(memd.liveSettings.restartNeeded),
      untrusted: untrusted.length === 0 ? undefined : Array.from(untrusted),
      fault: memd.liveSettings.fault?.message,
    }),
    git: memd.stages.keeper?.status(),
    conflicts: Array.from<string>(conflicts),
    trouble: trouble && problemOf(trouble),
    memoryBytes: memoryBytes(),
    disk: await diskSpace(workspace.root),
  });
}

/** Undefined where nothing was imported. */
function importedOf({ historian }: Memd): Status["imported"] {
  const { exchanges, left, oldestAt } = historian.owed.progress;
  if (exchanges === 0) return undefined;
  return defined({ exchanges, left, oldestAt: oldestAt === undefined ? undefined : isoOf(oldestAt) });
}

function nextPassAt({ archive, progress }: Memd): string | undefined {
  const oldest = archive.oldestUnsettled();
  const since = progress.lastPassAt ?? oldest;
  if (oldest === undefined || since === undefined) return undefined;
  return isoOf(later(since, archive.context.settings.archive.interval_hours * HOUR_MS));
}

function nextAttemptOf({ archive }: Memd): Status["archive"]["nextAttempt"] {
  const retry = archive.nextRetry();
  if (retry === undefined) return undefined;
  const { scope, date, attempts, nextAt, reason } = retry;
  return { scope, date, attempts, at: isoOf(nextAt), reason };
}
