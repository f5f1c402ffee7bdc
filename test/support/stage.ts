/** A supervisor on a disk in memory, with workers in this process. */
import path from "node:path";
import { onTestFinished } from "vitest";
import { builtinAnswer } from "../../src/llm/run-job.js";
import type { JobOutcome } from "../../src/model/work.js";
import type { AbsolutiseJob } from "../../src/llm/jobs/absolutise.js";
import type { CompareJob } from "../../src/llm/jobs/compare.js";
import type { ExtractJob } from "../../src/llm/jobs/extract.js";
import type { ProfileJob } from "../../src/llm/jobs/profile.js";
import type { Job, JobResult, TopicJob } from "../../src/llm/jobs/registry.js";
import type { SummaryJob, SummaryOutcome } from "../../src/llm/jobs/summary.js";
import { systemClock, type Clock } from "../../src/platform/clock.js";
import { listeningLog, type LogEvent } from "../../src/platform/log.js";
import type { Memd } from "../../src/service/memd.js";
import { extractive, instant } from "./archive-desk.js";
import { diskInMemory, supervisorOn } from "./supervisor-in-memory.js";
import { workerIn } from "./worker.js";
import type { MemoryDisk } from "./memory-disk.js";

export interface Stage {
  supervisor: Memd;
  disk: MemoryDisk;
  events: LogEvent[];
  write: (file: string, content: unknown) => void;
  read: (file: string) => string;
  jobs: SummaryJob[];
  /** Calls back for each event from now on. */
  listen: (hear: (event: LogEvent) => void) => () => void;
}

export async function openStage(
  files: Record<string, unknown>,
  options: {
    answer?: (job: SummaryJob) => Promise<SummaryOutcome>;
    guard?: () => Promise<void>;
    settings?: object;
    /** What is worth keeping of whatever leaves a window. */
    observations?: readonly string[];
    /** How observations are written again; without a model unless it says otherwise. */
    absolutise?: (job: AbsolutiseJob) => Promise<JobOutcome<JobResult>>;
    /** What is found in rounds, and what is said of records that are alike; without a model the same. */
    extract?: (job: ExtractJob) => Promise<JobOutcome<JobResult>>;
    compare?: (job: CompareJob) => Promise<JobOutcome<JobResult>>;
    /** How profiles are brought up to date; the same. */
    profile?: (job: ProfileJob) => Promise<JobOutcome<JobResult>>;
    /** What is said of topics; without a model where it gives nothing. */
    topics?: (job: TopicJob) => Promise<JobOutcome<JobResult>> | undefined;
    /** Of the machine, from a fixed moment on, unless another is given. */
    clock?: Clock;
  } = {},
): Promise<Stage> {
  const clock = options.clock ?? systemClock(instant("2026-02-20T12:00:00Z"));
  const disk = await diskInMemory(clock);
  const write = (file: string, content: unknown): void =>
    disk.writeInPlace(`/w/${file}`, typeof content === "string" ? content : JSON.stringify(content));
  for (const [file, content] of Object.entries(files)) {
    await disk.makeDir(path.dirname(`/w/${file}`));
    write(file, content);
  }
  const events: LogEvent[] = [];
  const hearers = new Set<(event: LogEvent) => void>();
  const jobs: SummaryJob[] = [];
  const answer = options.answer ?? extractive;
  const supervisor = supervisorOn(disk, clock, {
    ...(options.settings && { settings: options.settings }),
    ...(options.guard && { guard: options.guard }),
    spawn: workerIn(async (job) => {
      const given = job as Job;
      const { kind, id } = given;
      const scripted = scriptedAnswer(given, options);
      if (scripted !== undefined) return (await scripted) as unknown as SummaryOutcome;
      if (kind === "observations") {
        const result: JobResult = {
          kind,
          id,
          by: "builtin",
          observations: [...(options.observations ?? [])],
        };
        return { to: "done", usage: [], result } as unknown as SummaryOutcome;
      }
      jobs.push(job);
      return answer(job);
    }),
    log: listeningLog((event) => {
      events.push(event);
      for (const hear of hearers) hear(event);
    }),
  });
  onTestFinished(() => supervisor.stop());
  const listen: Stage["listen"] = (hear) => {
    hearers.add(hear);
    return () => hearers.delete(hear);
  };
  const read = (file: string): string => disk.files()[`/w/${file}`] ?? "";
  return { supervisor, disk, events, write, read, jobs, listen };
}

/** As the test has it, else without a model; undefined for summaries and observations. */
function scriptedAnswer(
  job: Job,
  { absolutise, extract, compare, profile, topics }: NonNullable<Parameters<typeof openStage>[1]>,
): Promise<JobOutcome<JobResult>> | undefined {
  switch (job.kind) {
    case "absolutise":
      return absolutise?.(job) ?? withoutModel(job);
    case "extract":
      return extract?.(job) ?? withoutModel(job);
    case "compare":
      return compare?.(job) ?? withoutModel(job);
    case "profile":
      return profile?.(job) ?? withoutModel(job);
    case "topic_split":
    case "topic_brief":
    case "topic_windows":
    case "topic_index":
    case "topic_review":
      return topics?.(job) ?? withoutModel(job);
    default:
      return undefined;
  }
}

async function withoutModel(job: Job): Promise<JobOutcome<JobResult>> {
  const result = await builtinAnswer(job);
  return result === undefined
    ? { to: "failed", reason: "not done here", usage: [] }
    : { to: "done", usage: [], result };
}
