/**
 * What the models cost: lines of `logs/usage.jsonl`, totals for `memd usage`, and
 * what is left of a day's cap.
 */
import { addAll } from "../model/collections.js";
import type { ChatCompletion } from "openai/resources/chat/completions";
import { type Day, dayAt, type EpochMs, isoOf, parseInstant, type Period, type Zone } from "../model/time.js";
import { usageRecord, type UsageRecord } from "../model/work.js";
import type { Clock } from "../platform/clock.js";
import { appendLines, parseLines } from "../protocol/jsonl.js";
import { type FileWriter, readText } from "../protocol/publish.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";
import { estimateTokens } from "../text/tokens.js";
import { countedTokens } from "./openai-client.js";

/** What is more in a line stays in it. */
const usageLine = usageRecord.loose();

/** Undefined for what is no record of a call: a person or a crash has been at the line. */
export function parseUsage(value: unknown): UsageRecord | undefined {
  return usageLine.safeParse(value).data;
}

/** `failures`: calls without a usable answer. */
const NO_CALLS = { calls: 0, failures: 0, tokensIn: 0, tokensOut: 0, tokensCached: 0, ms: 0 };
export type UsageTotal = { day: Day } & Pick<UsageRecord, "role" | "model"> & typeof NO_CALLS;

/** One row per local day, role and model, oldest day first. Records without a readable time are left out. */
export function usageTotals(records: readonly UsageRecord[], zone: Zone): UsageTotal[] {
  const totals = new Map<string, UsageTotal>();
  for (const record of records) {
    const at = parseInstant(record.at);
    if (at === undefined) continue;
    const { role, model } = record;
    const day = zone.dayOf(at);
    const key = `${day}\n${role}\n${model}`;
    const total = totals.get(key) ?? { day, role, model, ...NO_CALLS };
    total.calls += 1;
    total.failures += record.outcome === "ok" ? 0 : 1;
    total.tokensIn += record.tokensIn;
    total.tokensOut += record.tokensOut;
    total.tokensCached += record.tokensCached;
    total.ms += record.ms;
    totals.set(key, total);
  }
  return [...totals].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, total]) => total);
}

/** Tokens that may still be spent on `today`; undefined without a cap, never below 0. */
export function budgetLeft(
  records: readonly UsageRecord[],
  today: Day,
  zone: Zone,
  dailyTokens: number | undefined,
): number | undefined {
  if (dailyTokens === undefined) return undefined;
  const spent = usageTotals(records, zone)
    .filter(({ day }) => day === today)
    .reduce((sum, { tokensIn, tokensOut }) => sum + tokensIn + tokensOut, 0);
  return Math.max(0, dailyTokens - spent);
}

/** `logs/usage.jsonl`: one line per model call, and what of today's token cap is left. */
export class UsageLog {
  #records: UsageRecord[] = [];
  /** Counted, and not in the file yet. */
  #unwritten: UsageRecord[] = [];
  /** Of how many of the records it is known what they took of a day's tokens. */
  #spent = { day: "" as Day, records: 0, tokens: 0 };

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
    addAll(this.#records, records);
    const lines = [...this.#unwritten.splice(0), ...records];
    if (lines.length === 0) return;
    const printed = lines.map((record) => JSON.stringify(record));
    try {
      await appendLines(this.writer, this.workspace, at(this.workspace, FILES.usage), printed);
    } catch (error) {
      const since = this.#unwritten.splice(0);
      addAll(this.#unwritten, lines);
      addAll(this.#unwritten, since);
      throw error;
    }
  }

  /** Counted at once and written with the next lines: for calls beside the ticks. */
  note(records: readonly UsageRecord[]): void {
    addAll(this.#records, records);
    addAll(this.#unwritten, records);
  }

  /** Of those days. */
  totals({ from, to }: Period): UsageTotal[] {
    const first = from && dayAt(from, this.zone);
    const last = to && dayAt(to, this.zone);
    return usageTotals(this.#records, this.zone).filter(
      ({ day }) => (first === undefined || day >= first) && (last === undefined || day <= last),
    );
  }

  budgetTokens(): number | undefined {
    return this.dailyTokens === undefined ? undefined : Math.max(0, this.dailyTokens - this.tokensToday());
  }

  /** Asked before every job: each record is looked at once a day. */
  tokensToday(): number {
    const day = this.zone.dayOf(this.clock.now());
    if (this.#spent.day !== day) this.#spent = { day, records: 0, tokens: 0 };
    const fresh = this.#records.slice(this.#spent.records);
    this.#spent.records = this.#records.length;
    const left = budgetLeft(fresh, day, this.zone, Number.MAX_SAFE_INTEGER) ?? 0;
    this.#spent.tokens += Number.MAX_SAFE_INTEGER - left;
    return this.#spent.tokens;
  }

  /** Whether less than half of the day's tokens is spent: what can wait leaves the rest to what cannot. */
  get hasPlenty(): boolean {
    const left = this.budgetTokens();
    return left === undefined || left > (this.dailyTokens ?? 0) / 2;
  }
}

export async function readUsage(
  { disk }: Pick<FileWriter, "disk">,
  workspace: Workspace,
): Promise<UsageRecord[]> {
  const text = (await readText(disk, at(workspace, FILES.usage)).catch(() => undefined)) ?? "";
  return parseLines(text).flatMap(({ value }) => parseUsage(value) ?? []);
}

interface Call {
  /** Who asked for what: as it is written. */
  of: Pick<UsageRecord, "role" | "feature" | "model"> & { user?: string | undefined };
  at: EpochMs;
  ms: number;
  outcome: UsageRecord["outcome"];
  /** All that was sent. */
  sent: readonly { content?: unknown }[];
  answer: ChatCompletion | undefined;
  /** The text of the answer. */
  text: string;
}

/** The line of `logs/usage.jsonl` for one call of a chat model. An endpoint that does not count, or did not answer, is estimated; one that refused took nothing. */
export function billed({ of, at, ms, outcome, sent, answer, text }: Call): UsageRecord {
  const { role, feature, model, user } = of;
  const isRead = outcome === "ok" || outcome === "timeout";
  return {
    at: isoOf(at),
    role,
    feature,
    ...(user === undefined ? {} : { user }),
    model,
    tokensIn: countedTokens(answer?.usage?.prompt_tokens) ?? (isRead ? sentTokens(sent) : 0),
    tokensOut: countedTokens(answer?.usage?.completion_tokens) ?? Math.ceil(estimateTokens(text)),
    tokensCached: countedTokens(answer?.usage?.prompt_tokens_details?.cached_tokens) ?? 0,
    ms,
    outcome,
  };
}

/** Of all messages that are sent, as estimated. */
export function sentTokens(sent: readonly { content?: unknown }[]): number {
  const texts = sent.flatMap(({ content }) => (typeof content === "string" ? [content] : []));
  return Math.ceil(texts.reduce((sum, text) => sum + estimateTokens(text), 0));
}
