/**
 * What the models cost: totals for `memd usage`, and what is left of a day's cap.
 *
 * Pure. The lines themselves are written to logs/usage.jsonl by the supervisor.
 */
import { parseInstant, type Day, type Zone } from "../model/time.js";
import { usageRecord, type UsageRecord } from "../model/work.js";

/** What is more in a line stays in it. */
const usageLine = usageRecord.loose();

/** Undefined for what is no record of a call: a person or a crash has been at the line. */
export function parseUsage(value: unknown): UsageRecord | undefined {
  return usageLine.safeParse(value).data;
}

interface UsageTotal {
  day: Day;
  role: UsageRecord["role"];
  model: string;
  calls: number;
  /** Calls without a usable answer. */
  failures: number;
  tokensIn: number;
  tokensOut: number;
  tokensCached: number;
  ms: number;
}

/** One row per local day, role and model, oldest day first. Records without a readable time are left out. */
export function usageTotals(records: readonly UsageRecord[], zone: Zone): UsageTotal[] {
  const totals = new Map<string, UsageTotal>();
  for (const record of records) {
    const at = parseInstant(record.at);
    if (at === undefined) continue;
    const { role, model } = record;
    const day = zone.dayOf(at);
    const key = `${day}\n${role}\n${model}`;
    const total = totals.get(key) ?? {
      day,
      role,
      model,
      calls: 0,
      failures: 0,
      tokensIn: 0,
      tokensOut: 0,
      tokensCached: 0,
      ms: 0,
    };
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
