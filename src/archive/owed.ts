/**
 * Which summaries are owed.
 *
 * Pure, and read off the outputs alone: a day is covered when the summary of
 * its tier lists it with the hash of its present ids. So nothing that was
 * published is asked for again, whatever crashed.
 */
import { groupBy } from "../model/group.js";
import type { ScopeId } from "../model/address.js";
import type { Day, Month } from "../model/time.js";
import type { Tier } from "../model/work.js";
import type { KnownSummary, VerbatimDay } from "./catalogue.js";
import { tierOf } from "./tier.js";
import { targetKey, type TargetKey } from "./retries.js";

export interface OwedDay {
  day: Day;
  path: string;
  hash: string;
  messages: number;
}

export interface OwedSummary {
  target: TargetKey;
  tier: Tier;
  scope: ScopeId;
  date: Day | Month;
  /** Days to be covered that are not yet, oldest first. */
  days: OwedDay[];
}

export interface Coverage {
  owed: OwedSummary[];
  isCovered(scope: ScopeId, day: Day): boolean;
}

export function coverageOf(
  days: readonly VerbatimDay[],
  summaries: readonly KnownSummary[],
  today: Day,
  recentDays: number,
): Coverage {
  const covered = new Set<string>();
  const coveredByMonth = new Set<string>();
  for (const { scope, tier, covers } of summaries) {
    for (const { day, hash } of covers)
      (tier === "month" ? coveredByMonth : covered).add(`${scope}\u0000${day}\u0000${hash}`);
  }
  const open: (OwedDay & { tier: Tier; scope: ScopeId; date: Day | Month })[] = [];
  const uncovered = new Set<string>();
  for (const { scope, day, path, cover, messages } of days) {
    const tier = tierOf(day, today, recentDays);
    if (tier.to === "verbatim" || cover === undefined) continue;
    const mark = `${scope}\u0000${day}\u0000${cover}`;
    if (coveredByMonth.has(mark) || (tier.to === "day" && covered.has(mark))) continue;
    uncovered.add(`${scope}\u0000${day}`);
    open.push({ scope, day, path, messages, hash: cover, tier: tier.to, date: tier.date });
  }
  open.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
  const owed = [...groupBy(open, ({ scope, date }) => targetKey(scope, date))].map(
    ([target, group]): OwedSummary => {
      const [{ tier, scope, date }] = group as [(typeof group)[number]];
      return {
        target,
        tier,
        scope,
        date,
        days: group.map(({ day, path, hash, messages }) => ({ day, path, hash, messages })),
      };
    },
  );
  return { owed, isCovered: (scope, day) => !uncovered.has(`${scope}\u0000${day}`) };
}
