/** A supervisor on a disk in memory, with workers in this process. */
import { onTestFinished } from "vitest";
import { settingsSchema } from "../../src/model/settings.js";
import type { Job, JobOutcome, JobResult, SummaryJob } from "../../src/model/work.js";
import { systemClock, type Clock } from "../../src/platform/clock.js";
import { memoryLocks } from "../../src/platform/lock.js";
import { listeningLog, type LogEvent } from "../../src/platform/log.js";
import { memoryDisk, type MemoryDisk } from "../../src/platform/memory-disk.js";
import { promptsFolder, workerEntry } from "../../src/platform/package-root.js";
import { nodeDisk } from "../../src/platform/node-disk.js";
import { systemRandom } from "../../src/platform/random.js";
import { indexInMemory } from "../../src/recall/index/open.js";
import { Supervisor } from "../../src/supervisor/supervisor.js";
import { extractive, instant } from "./archive-desk.js";
import { workerIn } from "./worker.js";

export interface Stage {
  supervisor: Supervisor;
  disk: MemoryDisk;
  events: LogEvent[];
  write: (file: string, content: unknown) => void;
  read: (file: string) => string;
  jobs: SummaryJob[];
}

export async function openStage(
  files: Record<string, unknown>,
  options: {
    answer?: (job: SummaryJob) => Promise<JobOutcome>;
    guard?: () => Promise<void>;
    settings?: object;
    /** What is worth keeping of whatever leaves a window. */
    observations?: readonly string[];
    /** Of the machine, from a fixed moment on, unless another is given. */
    clock?: Clock;
  } = {},
): Promise<Stage> {
  const clock = options.clock ?? systemClock(instant("2026-02-20T12:00:00Z"));
  const disk = memoryDisk(() => clock.now());
  await disk.makeDir("/w");
  await disk.makeDir(promptsFolder());
  for (const entry of await nodeDisk.list(promptsFolder())) {
    const bytes = await nodeDisk.read(`${promptsFolder()}/${entry.name}`);
    disk.writeInPlace(`${promptsFolder()}/${entry.name}`, new TextDecoder().decode(bytes));
  }
  const write = (file: string, content: unknown): void =>
    disk.writeInPlace(`/w/${file}`, typeof content === "string" ? content : JSON.stringify(content));
  for (const [file, content] of Object.entries(files)) write(file, content);
  const events: LogEvent[] = [];
  const jobs: SummaryJob[] = [];
  const answer = options.answer ?? extractive;
  const supervisor = new Supervisor({
    workspace: { root: "/w" },
    settings: settingsSchema.parse({ timezone: "UTC", ...options.settings }),
    disk,
    clock,
    random: systemRandom,
    locks: memoryLocks(),
    watch: { watch: () => Promise.resolve({ close: () => Promise.resolve() }) },
    spawn: workerIn((job) => {
      const { kind, id } = job as Job;
      if (kind === "observations") {
        const result: JobResult = { kind, id, observations: [...(options.observations ?? [])] };
        return { to: "done", usage: [], result } as unknown as JobOutcome;
      }
      jobs.push(job);
      return answer(job);
    }),
    ripgrep: () => Promise.resolve([]),
    openIndex: indexInMemory,
    log: listeningLog((event) => events.push(event)),
    systemZone: "UTC",
    environment: {},
    workerEntry: workerEntry(),
    promptFolders: [promptsFolder()],
    guard: options.guard ?? (() => Promise.resolve()),
  });
  onTestFinished(() => supervisor.stop());
  return { supervisor, disk, events, write, read: (file) => disk.files()[`/w/${file}`] ?? "", jobs };
}
