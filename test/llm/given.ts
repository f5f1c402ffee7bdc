/** Jobs, settings and pools for the tests of this room. */
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { mkdtemp, writeFile } from "node:fs/promises";
import path from "node:path";
import { DEFAULT_SETTINGS, settingsSchema, type Settings } from "../../src/model/settings.js";
import { FINDING_KINDS } from "../../src/model/found.js";
import type { Day } from "../../src/model/time.js";
import type { ExtractJob } from "../../src/llm/jobs/extract.js";
import type { Utterance } from "../../src/model/message.js";
import type { JobId, JobOutcome } from "../../src/model/work.js";
import type { SummaryJob, SummarySectionInput } from "../../src/llm/jobs/summary.js";
import { createAsk, type Ask } from "../../src/llm/ask.js";
import { kindOf, type Job, type ResultOf } from "../../src/llm/jobs/registry.js";
import { createPool, type Pool, type PoolOptions } from "../../src/llm/pool.js";
import { askModel } from "../../src/llm/run-job.js";
import { systemClock } from "../../src/platform/clock.js";
import { nodeDisk } from "../../src/platform/node-disk.js";
import { promptsFolder, workerEntry } from "../../src/platform/package-root.js";
import { nodeSpawn } from "../../src/platform/spawn.js";

const DAY = "2026-01-28" as Day;

export function said(
  clock: string,
  name: string,
  text: string,
  role: Utterance["role"] = "user",
  day = DAY,
): Utterance {
  return { at: `${day}T${clock}:00Z`, day, clock, role, name, text };
}

export function section(
  utterances: Utterance[],
  more: Partial<SummarySectionInput> = {},
): SummarySectionInput {
  return { utterances, days: [], ...more };
}

export function dayJob(...sections: SummarySectionInput[]): SummaryJob {
  return { kind: "summary", id: "job-1" as JobId, tier: "day", scope: "main", date: DAY, sections };
}

export const aJob = dayJob(
  section([said("14:03", "Alice", "I decided to rent the flat in Lisbon for 900 euros.")]),
);

export function settingsWith(given: { llm?: object; worker?: object }): Settings {
  return settingsSchema.parse(given);
}

export interface TestPool extends Pool {
  /** Of every worker that was ever started. */
  pids: number[];
}

export function testPool(settings: Settings, more: Partial<PoolOptions> = {}): TestPool {
  const pids: number[] = [];
  const pool = createPool({
    clock: systemClock(),
    settings,
    environment: { ...process.env, TEST_KEY: "k-test", ANOTHER_SECRET: "s-test" },
    entry: workerEntry(),
    promptFolders: [promptsFolder()],
    ...more,
    spawn: (request) => {
      const child = nodeSpawn(request);
      if (child.pid !== undefined) pids.push(child.pid);
      return child;
    },
  });
  return { ...pool, pids };
}

/** A program to be run instead of the real worker. */
export async function script(source: string): Promise<string> {
  const file = path.join(await mkdtemp(path.join(tmpdir(), "memd-worker-")), "worker.mjs");
  await writeFile(file, source);
  return file;
}

export function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // ESRCH: no such process.
    return false;
  }
}

/** Processes of the group that still run. A zombie whose new parent has not looked at it yet does not. */
export function groupOf(leader: number): string[] {
  const rows = execFileSync("ps", ["-A", "-o", "pid=,pgid=,stat="]).toString().trim().split("\n");
  return rows.filter((row) => {
    const [, group, state = ""] = row.trim().split(/\s+/);
    return Number(group) === leader && !state.startsWith("Z");
  });
}

export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((done) => setTimeout(done, 20));
}

/** What becomes of a job where `ask` is the model. */
export async function withModel<J extends Job>(job: J, ask: Ask): Promise<JobOutcome<ResultOf<J>>> {
  const kind = kindOf(job);
  if ("call" in kind) throw new Error(`${job.kind} asks no chat model`);
  const outcome = await askModel(kind, job, {
    ask,
    llm: DEFAULT_SETTINGS.llm,
    clock: systemClock(),
    disk: nodeDisk,
    promptFolders: [promptsFolder()],
  });
  return outcome as JobOutcome<ResultOf<J>>;
}

/** A model that gives these answers in turn, the last one again and again, and what it was asked. */
export function scripted(...answers: string[]): { ask: Ask; asked: string[] } {
  const asked: string[] = [];
  const ask = createAsk({
    onUsage: () => undefined,
    budgetTokens: undefined,
    provider: {
      modelOf: () => "m",
      chat: async ({ turns }) => {
        asked.push(turns.map(({ text }) => text).join("\n"));
        const text = answers[asked.length - 1] ?? answers.at(-1) ?? "";
        return { to: "answer", text, cut: false, calls: [] };
      },
    },
  });
  return { ask, asked };
}

export const extractJob = (more: Partial<ExtractJob> = {}): ExtractJob => ({
  kind: "extract",
  id: "x" as JobId,
  of: "conversation",
  wants: [...FINDING_KINDS],
  speaker: "Lin Yue(lin)",
  day: "2026-01-28" as Day,
  earlier: [],
  utterances: [],
  ...more,
});
