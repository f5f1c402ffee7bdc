/**
 * `queue/summaries/`: owed summaries that failed, with their attempts and the
 * time of the next one. What is owed at all is read off the outputs.
 */
import { z } from "zod";
import type { ScopeId } from "../model/address.js";
import { isoOf, parseInstant, type Day, type EpochMs, type Month } from "../model/time.js";
import type { JobId, Tier } from "../model/work.js";
import type { Disk } from "../platform/disk.js";
import { publish, readText, type FileWriter } from "../protocol/publish.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";

/** A summary to be made, by what it is of. */
export type TargetKey = string & { readonly __of: "target" };

export interface Retry {
  job: JobId;
  tier: Tier;
  scope: ScopeId;
  date: Day | Month;
  attempts: number;
  failedAt: EpochMs;
  nextAt: EpochMs;
  reason: string;
}

const shape = z.looseObject({
  job: z.string(),
  tier: z.enum(["day", "month"]),
  scope: z.string(),
  date: z.string(),
  attempts: z.number().int().positive(),
  failedAt: z.string(),
  nextAt: z.string(),
  reason: z.string(),
});

export function targetKey(scope: ScopeId, date: Day | Month): TargetKey {
  return `${scope}\u0000${date}` as TargetKey;
}

export class RetrySchedule {
  readonly #byTarget = new Map<TargetKey, Retry>();

  constructor(
    readonly writer: FileWriter,
    readonly workspace: Workspace,
  ) {}

  async load(): Promise<void> {
    const { disk } = this.writer;
    for (const entry of await disk.list(at(this.workspace, FILES.summaries))) {
      if (!entry.name.endsWith(".json") || entry.name.startsWith(".")) continue;
      const retry = await readRetry(disk, at(this.workspace, `${FILES.summaries}/${entry.name}`));
      // A job names its own file and no other: what is removed by that name must be a retry.
      if (retry === undefined || `${retry.job}.json` !== entry.name) continue;
      // A crash between two steps leaves both: the later one counts, by its attempts, whatever the clock said.
      const other = this.get(retry.scope, retry.date);
      const later = other === undefined || retry.attempts > other.attempts ? retry : other;
      this.#byTarget.set(targetKey(retry.scope, retry.date), later);
      const passed = later === retry ? other : retry;
      if (passed !== undefined && passed.job !== later.job) await disk.unlink(this.#path(passed.job));
    }
  }

  get(scope: ScopeId, date: Day | Month): Retry | undefined {
    return this.#byTarget.get(targetKey(scope, date));
  }

  all(): Retry[] {
    return [...this.#byTarget.values()];
  }

  async failed(retry: Retry): Promise<void> {
    const before = this.get(retry.scope, retry.date);
    const { failedAt, nextAt, ...rest } = retry;
    const content = `${JSON.stringify({ ...rest, failedAt: isoOf(failedAt), nextAt: isoOf(nextAt) }, null, 2)}\n`;
    await publish(this.writer, this.#path(retry.job), content);
    this.#byTarget.set(targetKey(retry.scope, retry.date), retry);
    if (before !== undefined && before.job !== retry.job)
      await this.writer.disk.unlink(this.#path(before.job));
  }

  /** The summary is made, or no longer owed. */
  async settled(scope: ScopeId, date: Day | Month): Promise<void> {
    const retry = this.get(scope, date);
    if (retry === undefined) return;
    await this.writer.disk.unlink(this.#path(retry.job));
    this.#byTarget.delete(targetKey(scope, date));
  }

  #path(job: JobId): string {
    return at(this.workspace, `${FILES.summaries}/${job}.json`);
  }
}

async function readRetry(disk: Disk, file: string): Promise<Retry | undefined> {
  try {
    const data = shape.parse(JSON.parse((await readText(disk, file)) ?? ""));
    const failedAt = parseInstant(data.failedAt);
    const nextAt = parseInstant(data.nextAt);
    if (failedAt === undefined || nextAt === undefined) return undefined;
    const { job, tier, scope, date, attempts, reason } = data;
    return {
      job: job as JobId,
      tier,
      scope: scope as ScopeId,
      date: date as Day | Month,
      attempts,
      failedAt,
      nextAt,
      reason,
    };
  } catch (error) {
    // A retry that cannot be read only means that its summary is tried at once.
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}
