/** An archive on a disk in memory, with a clock driven by hand and a model that answers as told. */
import { Archive } from "../../src/archive/archive.js";
import { Catalogue } from "../../src/archive/catalogue.js";
import { RetrySchedule } from "../../src/archive/retries.js";
import { Ledger } from "../../src/archive/ledger.js";
import { settingsSchema, type Settings } from "../../src/model/settings.js";
import { parseInstant, zoneOf, type Zone, type EpochMs } from "../../src/model/time.js";
import type { SummaryJob, SummaryOutcome } from "../../src/llm/jobs/summary.js";
import { listeningLog, type LogEvent } from "../../src/platform/log.js";
import type { Random } from "../../src/platform/clock.js";
import { openJournal } from "../../src/protocol/journal.js";
import { parseVerbatim, type VerbatimBlock } from "../../src/protocol/verbatim.js";
import { summarise } from "./summarise.js";
import { handClock, type HandClock } from "./hand-clock.js";
import { memoryLocks } from "./memory-locks.js";
import { memoryDisk, type MemoryDisk } from "./memory-disk.js";
import { countingRandom } from "./counting-random.js";

export type Model = (job: SummaryJob) => Promise<SummaryOutcome>;

export interface Desk {
  archive: Archive;
  disk: MemoryDisk;
  clock: HandClock;
  events: LogEvent[];
  /** A host or a person writes a file whole. */
  write(file: string, content: unknown): void;
  read(file: string): string;
  history(): Record<string, unknown>[];
  files(under: string): string[];
  /** Every block of every verbatim file, by path. */
  blocks(): { path: string; block: VerbatimBlock }[];
  /** Looks, writes what is unarchived, makes what is due, mirrors: what a pass of the supervisor does. */
  pass(model?: Model, asked?: boolean): Promise<void>;
  /** As after a kill: a new archive on the same disk; `prepare` gets it before its start. */
  restart(prepare?: (archive: Archive) => void): Promise<Archive>;
}

const ROOT = "/w";
let lives = 0;

export function instant(text: string): EpochMs {
  const at = parseInstant(text);
  if (at === undefined) throw new Error(`no instant: ${text}`);
  return at;
}

/** Answers each section with its utterances, one line each, after what it carries on. */
export const extractive: Model = async (job) => ({
  to: "done",
  usage: [],
  result: {
    kind: "summary",
    id: job.id,
    by: "test",
    sections: job.sections.map(({ user, utterances, days, previous }) => ({
      ...(user === undefined ? {} : { user }),
      text: [
        ...(previous === undefined ? [] : [previous]),
        ...days.map(({ text }) => text),
        ...utterances.map(({ day, text }) => `- ${day} ${text.split("\n")[0]}`),
      ].join("\n"),
    })),
  },
});

export const failing: Model = async () => ({ to: "failed", reason: "no good", usage: [] });

export async function openDesk(options: {
  now: string;
  timezone?: string;
  files?: Record<string, unknown>;
  settings?: Record<string, unknown>;
  disk?: MemoryDisk;
  ledger?: (zone: Zone) => Ledger;
}): Promise<Desk> {
  const clock = handClock(instant(options.now));
  const disk = options.disk ?? memoryDisk(() => clock.now());
  await disk.makeDir(ROOT);
  const settings: Settings = settingsSchema.parse({
    timezone: options.timezone ?? "UTC",
    ...options.settings,
  });
  const events: LogEvent[] = [];
  const write = (file: string, content: unknown): void =>
    disk.writeInPlace(
      `${ROOT}/${file}`,
      typeof content === "string" ? content : JSON.stringify(content, null, 2),
    );
  for (const [file, content] of Object.entries(options.files ?? {})) write(file, content);

  const open = async (prepare?: (archive: Archive) => void): Promise<Archive> => {
    const zone = zoneOf(settings.timezone ?? "UTC");
    const workspace = { root: ROOT };
    const writer = { disk, random: differentNames(), locks: memoryLocks(), guard: () => Promise.resolve() };
    const archive = new Archive({
      writer,
      workspace,
      clock,
      zone,
      settings,
      log: listeningLog((event) => events.push(event)),
      journal: openJournal(writer, workspace),
      ledger: options.ledger?.(zone) ?? new Ledger(zone),
      catalogue: new Catalogue(disk, workspace),
      retries: new RetrySchedule(writer, workspace),
    });
    prepare?.(archive);
    await archive.start();
    return archive;
  };
  const desk: Desk = {
    archive: await open(),
    disk,
    clock,
    events,
    write,
    read: (file) => disk.files()[`${ROOT}/${file}`] ?? "",
    history: () => JSON.parse(desk.read("history.json")) as Record<string, unknown>[],
    files: (under) =>
      Object.keys(disk.files())
        .map((path) => path.slice(ROOT.length + 1))
        .filter((path) => path.startsWith(under))
        .sort(),
    blocks: () =>
      desk.files("memory/").flatMap((path) => {
        const file = path.includes("/summary/") ? undefined : parseVerbatim(desk.read(path));
        return (file?.blocks ?? []).map((block) => ({ path, block }));
      }),
    pass: async (model = extractive, asked = false) => {
      const { archive } = desk;
      await archive.rescan();
      await archive.look();
      await archive.writeVerbatim();
      for (const owed of archive.due(asked)) await summarise(archive, owed, model);
      await archive.mirror();
    },
    restart: async (prepare) => {
      desk.archive = await open(prepare);
      return desk.archive;
    },
  };
  return desk;
}

/** Every life of the process gives other names, as a real one would. */
function differentNames(): Random {
  const random = countingRandom();
  const life = (lives++).toString(36).padStart(3, "0");
  return { name: (length) => (life + random.name(length)).slice(-length).padStart(length, life) };
}

export function said(
  id: string,
  createdAt: string,
  text: string,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return { id, role: "user", text, createdAt, ...more };
}
