/**
 * One life of memd on a modelled disk: the real archive, on the real disk port,
 * from its start until it is left lying.
 */
import { Archive } from "../../../src/archive/archive.js";
import { Catalogue } from "../../../src/archive/catalogue.js";
import { Imported } from "../../../src/archive/imported.js";
import { RetrySchedule } from "../../../src/archive/retries.js";
import { Ledger } from "../../../src/archive/ledger.js";
import { settingsSchema, type Settings } from "../../../src/model/settings.js";
import { zoneOf, type Day, type EpochMs, type Zone } from "../../../src/model/time.js";
import type { Pool } from "../../../src/llm/pool.js";
import type { Job } from "../../../src/llm/jobs/registry.js";
import type { SummaryJob, SummaryOutcome } from "../../../src/llm/jobs/summary.js";
import { diskOver } from "../../../src/platform/node-disk.js";
import { listeningLog, type LogEvent } from "../../../src/platform/log.js";
import type { Random } from "../../../src/platform/clock.js";
import { breakDeadLock, notedLocks } from "../../../src/protocol/owner-note.js";
import { openJournal } from "../../../src/protocol/journal.js";
import { FILES } from "../../../src/protocol/workspace.js";
import { DocumentsWorker } from "../../../src/documents/worker.js";
import { Forgetting } from "../../../src/forget/forgetting.js";
import { HistorianWorker } from "../../../src/historian/worker.js";
import { TopicsWorker } from "../../../src/topics/worker.js";
import type { ModelFs } from "./file-system.js";
import { tickOf } from "../../../src/platform/background.js";
import { loopByHand } from "../../support/loop-by-hand.js";
import { summarise } from "../../support/summarise.js";
import { handClock, type HandClock } from "../../support/hand-clock.js";
import { memoryLocks } from "../../support/memory-locks.js";

export const ROOT = "/w";

/** What does not change from life to life. */
export interface World {
  now: EpochMs;
  settings: Settings;
}

export type Model = (job: SummaryJob) => Promise<SummaryOutcome>;

export interface Life {
  fs: ModelFs;
  archive: Archive;
  clock: HandClock;
  events: LogEvent[];
  /** Jobs that a model was asked to do. */
  jobs: SummaryJob[];
  documents: DocumentsWorker;
  historian: HistorianWorker;
  /** What becomes of the historian's questions. */
  provider: { mood: "repeats" | "failed" | "unavailable" };
  forgetting: Forgetting;
  topics: TopicsWorker;
  /** What a pass of the supervisor does, from the look to the mirror; and the queue is worked. */
  pass(model?: Model): Promise<void>;
}

export function worldOf(now: EpochMs, settings: Record<string, unknown> = {}): World {
  const { topics, ...more } = settings;
  // What is found in rounds has a story of its own: elsewhere it would only lengthen every recovery.
  const parsed = settingsSchema.parse({ timezone: "UTC", historian: { extract: false }, ...more });
  // Windows as small as those of the stories are nobody's setting.
  return { now, settings: { ...parsed, topics: { ...parsed.topics, ...(topics as object | undefined) } } };
}

/** Starts memd on what stands there; `life` tells its temporary names from those of other lives. */
export async function startLife(fs: ModelFs, world: World, life: number): Promise<Life> {
  const disk = diskOver(fs.calls);
  // Patience costs nothing here: nobody is in the middle of a save.
  const clock: HandClock = { ...handClock(world.now), sleep: () => Promise.resolve() };
  const workspace = { root: ROOT };
  const events: LogEvent[] = [];
  const writer = {
    disk,
    random: namesOf(life),
    locks: notedLocks(memoryLocks(), disk, workspace),
    guard: () => Promise.resolve(),
  };
  await breakDeadLock(disk, workspace);
  const archive = new Archive({
    writer,
    workspace,
    clock,
    zone: UTC,
    settings: world.settings,
    log: listeningLog((event) => events.push(event)),
    journal: openJournal(writer, workspace),
    ledger: new Ledger(UTC),
    catalogue: new Catalogue(disk, workspace),
    retries: new RetrySchedule(writer, workspace),
  });
  await archive.start();
  const provider: Life["provider"] = { mood: "repeats" };
  const historian = new HistorianWorker(
    {
      ...archive.context,
      pool: repeating(provider),
      forgotten: archive.context.ledger.forgotten,
      onUsage: () => undefined,
    },
    loopByHand(),
    new Imported(archive.context),
    () => true,
  );
  const topicsLoop = loopByHand();
  const topics = new TopicsWorker(
    {
      ...archive.context,
      pool: repeating(provider),
      recallPool: repeating(provider),
      asksModels: false,
      forgotten: archive.context.ledger.forgotten,
      onUsage: () => undefined,
    },
    topicsLoop,
  );
  const forgetting = new Forgetting(archive, {
    cleared: async (_target, isGone) => {
      await historian.forget(isGone);
      topics.forget();
    },
  });
  await forgetting.resume();
  /** Until nothing waits that can be worked; a start that finds jobs under way takes them back first. */
  const workQueue = async (): Promise<void> => {
    const folders = await Promise.all(
      [FILES.pending, FILES.processing].map((dir) => disk.list(`${ROOT}/${dir}`)),
    );
    const { extract } = world.settings.historian;
    if (!extract && folders.every((entries) => entries.length === 0)) return;
    await historian.recover();
    let works = true;
    while (works) {
      await historian.poll(tickOf(archive));
      works = historian.underWay > 0;
      await historian.over();
    }
  };
  const documentsLoop = loopByHand();
  const documents = new DocumentsWorker(archive.context, documentsLoop);
  const lookAtDocuments = async (): Promise<void> => {
    const isNamed = world.settings.documents.length > 0;
    if (!isNamed && (await disk.list(`${ROOT}/memory/scopes`)).length === 0) return;
    documents.poll({ isRescan: true });
    await documents.over();
    const refused = documentsLoop.takeFault();
    if (refused !== undefined) throw new Error("a look at the documents failed", { cause: refused });
  };
  /** Until nothing is due. */
  const workTopics = async (): Promise<void> => {
    let works = topics.isOn;
    while (works) {
      await topics.poll(archive);
      works = topics.running > 0;
      await topics.over();
      const cause = topicsLoop.takeFault();
      if (cause !== undefined) throw new Error("topics failed", { cause });
    }
  };
  const jobs: SummaryJob[] = [];
  const pass = async (model: Model = faithful): Promise<void> => {
    await archive.rescan();
    await archive.look();
    await topics.take(archive);
    await archive.writeVerbatim();
    for (const owed of archive.due(true)) {
      await summarise(archive, owed, (job) => {
        jobs.push(job);
        return model(job);
      });
    }
    await archive.mirror();
    await lookAtDocuments();
    await workQueue();
    await workTopics();
  };
  return { fs, archive, clock, events, jobs, documents, historian, provider, forgetting, topics, pass };
}

/** A provider that says again what it was given, while it is in the mood. */
const repeating = (provider: Life["provider"]): Pool =>
  ({
    run: (job: Job) => {
      if (provider.mood !== "repeats") return Promise.resolve({ to: provider.mood, reason: "no", usage: [] });
      return Promise.resolve({ to: "done", usage: [], result: said(job) });
    },
    close: () => Promise.resolve(),
  }) as unknown as Pool;

function said(job: Job): object {
  const { kind, id } = job;
  if (job.kind === "absolutise") return { kind, id, by: "test", texts: job.texts.map(({ text }) => text) };
  if (job.kind === "extract") {
    const findings = job.utterances.flatMap(({ role, text }, index) =>
      role === "user"
        ? [{ kind: "fact", text: text.split("\n")[0], from: [job.earlier.length + index + 1] }]
        : [],
    );
    return { kind, id, by: "test", findings };
  }
  if (job.kind === "compare")
    return { kind, id, by: "test", verdicts: job.pairs.map(() => ({ is: "different" })) };
  if (job.kind === "profile") {
    const bullets = [...job.bullets, ...job.events.map(({ text }) => text)];
    return { kind, id, by: "test", tags: [], bullets };
  }
  if (job.kind === "topic_split") {
    // Half of it goes on with what there is, half is something new.
    const halves = [0, 1].map((half) =>
      [...job.utterances.keys()].filter((at) => Math.floor(at / 2) % 2 === half),
    );
    const topic = job.topics[0]?.id;
    const groups = halves.map((stretch, half) => ({
      ...(half === 0 && topic !== undefined ? { topic } : {}),
      name: `Half ${half}`,
      stretches: [stretch],
    }));
    return { kind, id, by: "test", groups };
  }
  if (job.kind === "topic_brief")
    return {
      kind,
      id,
      by: "test",
      text: job.utterances.map(({ text }) => `- ${text.split("\n")[0]}`).join("\n"),
      refs: [0],
    };
  if (job.kind === "topic_review") return { kind, id, by: "test", merges: [], archive: [] };
  return { kind, id };
}

/** Carries on what stands and adds each new utterance, a line each, none twice. */
const faithful: Model = async ({ id, sections }) => {
  const lines = (text: string): string[] => text.split("\n").filter((line) => line !== "");
  const told = sections.map(({ user, utterances, days, previous = "" }) => ({
    ...(user === undefined ? {} : { user }),
    text: [
      ...new Set([
        ...lines(previous),
        ...days.flatMap(({ text }) => lines(text)),
        ...utterances.map(({ day, text }) => `- ${day} ${text.split("\n")[0]}`),
      ]),
    ].join("\n"),
  }));
  return { to: "done", usage: [], result: { kind: "summary", id, by: "model", sections: told } };
};

function namesOf(life: number): Random {
  let next = 0;
  const first = (life % 36).toString(36);
  return { name: (length) => first + (next++).toString(36).padStart(length - 1, "0") };
}

/** Formatting with `Intl` is what a start on a small workspace would mostly do. */
const UTC = remembered(zoneOf("UTC"));

function remembered(zone: Zone): Zone {
  const days = new Map<EpochMs, Day>();
  const clocks = new Map<EpochMs, string>();
  return {
    name: zone.name,
    dayOf: (at) => recall(days, at, () => zone.dayOf(at)),
    clockOf: (at) => recall(clocks, at, () => zone.clockOf(at)),
  };
}

function recall<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  let value = known.get(key);
  if (value === undefined) {
    if (known.size > 10_000) known.clear();
    value = make();
    known.set(key, value);
  }
  return value;
}
