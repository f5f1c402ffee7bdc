/** `logs/usage.jsonl`: one line per model call, and what of today's token cap is left. */
import type { UsageRecord } from "../model/work.js";
import type { Zone } from "../model/time.js";
import type { Clock } from "../platform/clock.js";
import { budgetLeft, parseUsage } from "./usage.js";
import { appendLines, parseLines } from "../protocol/jsonl.js";
import { readText, type FileWriter } from "../protocol/publish.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";

export class UsageLog {
  #records: UsageRecord[] = [];
  /** Counted, and not in the file yet. */
  #unwritten: UsageRecord[] = [];

  constructor(
    readonly writer: FileWriter,
    readonly workspace: Workspace,
    readonly zone: Zone,
    readonly clock: Clock,
    readonly dailyTokens: number | undefined,
  ) {}

  async load(): Promise<void> {
    this.#records = await readUsage(this.writer, this.workspace);
  }

  /** Counts them at once; what a disk refused before is written with them, or with none. */
  async add(records: readonly UsageRecord[]): Promise<void> {
    this.#records.push(...records);
    const lines = [...this.#unwritten.splice(0), ...records];
    if (lines.length === 0) return;
    try {
      await appendLines(
        this.writer,
        this.workspace,
        at(this.workspace, FILES.usage),
        lines.map((record) => JSON.stringify(record)),
      );
    } catch (error) {
      this.#unwritten.unshift(...lines);
      throw error;
    }
  }

  /** Counted at once and written with the next lines: for calls beside the ticks. */
  note(records: readonly UsageRecord[]): void {
    this.#records.push(...records);
    this.#unwritten.push(...records);
  }

  budgetTokens(): number | undefined {
    return budgetLeft(this.#records, this.zone.dayOf(this.clock.now()), this.zone, this.dailyTokens);
  }

  tokensToday(): number {
    const today = this.zone.dayOf(this.clock.now());
    const left = budgetLeft(this.#records, today, this.zone, Number.MAX_SAFE_INTEGER) ?? 0;
    return Number.MAX_SAFE_INTEGER - left;
  }
}

export async function readUsage(
  { disk }: Pick<FileWriter, "disk">,
  workspace: Workspace,
): Promise<UsageRecord[]> {
  const text = (await readText(disk, at(workspace, FILES.usage)).catch(() => undefined)) ?? "";
  return parseLines(text).flatMap(({ value }) => parseUsage(value) ?? []);
}
