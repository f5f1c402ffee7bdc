/**
 * `queue/summaries/`: owed summaries that failed, with their attempts and the
 * time of the next one. What is owed at all is read off the outputs.
 */
import { z } from "zod";
import type { ScopeId } from "../model/address.js";
import { isoOf, parseInstant, type Day, type EpochMs, type Month } from "../model/time.js";
import type { JobId, Tier } from "../model/work.js";
import type { Disk } from "../platform/disk.js";
import { publish, readText, type Press } from "../protocol/publish.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";

/** A summary to be made, by what it is of. */
export type TargetKey = string & { readonly __of: "target" };

export interface Ladder {
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

export class Ladders {
  readonly #byTarget = new Map<TargetKey, Ladder>();

  constructor(
    readonly press: Press,
    readonly workspace: Workspace,
  ) {}

  async load(): Promise<void> {
    const { disk } = this.press;
    for (const entry of await disk.list(at(this.workspace, FILES.summaries))) {
      if (!entry.name.endsWith(".json") || entry.name.startsWith(".")) continue;
      const ladder = await readLadder(disk, at(this.workspace, `${FILES.summaries}/${entry.name}`));
      // A job names its own file and no other: what is removed by that name must be a ladder.
      if (ladder === undefined || `${ladder.job}.json` !== entry.name) continue;
      // A crash between two steps leaves both: the later one counts, by its attempts, whatever the clock said.
      const other = this.get(ladder.scope, ladder.date);
      const later = other === undefined || ladder.attempts > other.attempts ? ladder : other;
      this.#byTarget.set(targetKey(ladder.scope, ladder.date), later);
      const passed = later === ladder ? other : ladder;
      if (passed !== undefined && passed.job !== later.job) await disk.unlink(this.#path(passed.job));
    }
  }

  get(scope: ScopeId, date: Day | Month): Ladder | undefined {
    return this.#byTarget.get(targetKey(scope, date));
  }

  all(): Ladder[] {
    return [...this.#byTarget.values()];
  }

  async failed(ladder: Ladder): Promise<void> {
    const before = this.get(ladder.scope, ladder.date);
    const { failedAt, nextAt, ...rest } = ladder;
    const content = `${JSON.stringify({ ...rest, failedAt: isoOf(failedAt), nextAt: isoOf(nextAt) }, null, 2)}\n`;
    await publish(this.press, this.#path(ladder.job), content);
    this.#byTarget.set(targetKey(ladder.scope, ladder.date), ladder);
    if (before !== undefined && before.job !== ladder.job)
      await this.press.disk.unlink(this.#path(before.job));
  }

  /** The summary is made, or no longer owed. */
  async settled(scope: ScopeId, date: Day | Month): Promise<void> {
    const ladder = this.get(scope, date);
    if (ladder === undefined) return;
    await this.press.disk.unlink(this.#path(ladder.job));
    this.#byTarget.delete(targetKey(scope, date));
  }

  #path(job: JobId): string {
    return at(this.workspace, `${FILES.summaries}/${job}.json`);
  }
}

async function readLadder(disk: Disk, file: string): Promise<Ladder | undefined> {
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
    // A ladder that cannot be read only means that its summary is tried at once.
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}
