/**
 * Which summaries are owed, and when a pass is due.
 *
 * Read off the outputs alone: a day is covered when the summary of its tier lists
 * it with the hash of its present ids. So nothing that was published is asked for
 * again, whatever crashed.
 */
import type { ScopeId } from "../model/address.js";
import { groupBy } from "../model/collections.js";
import type { Settings } from "../model/settings.js";
import { type Day, type EpochMs, HOUR_MS, type Month } from "../model/time.js";
import type { Tier } from "../model/work.js";
import type { KnownSummary, VerbatimDay } from "./known-files.js";
import type { ArchiveContext } from "./context.js";
import { isWaiting, type Retry, targetKey, type TargetKey, tierOf } from "./retries.js";

interface OwedDay {
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

interface Coverage {
  owed: OwedSummary[];
  isCovered(scope: ScopeId, day: Day): boolean;
}

function coverageOf(
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
  const open: (OwedDay & Omit<OwedSummary, "target" | "days">)[] = [];
  const uncovered = new Set<string>();
  for (const { scope, day, path, cover, messages } of days) {
    const tier = tierOf(day, today, recentDays);
    if (tier.to === "verbatim" || cover === undefined) continue;
    const mark = `${scope}\u0000${day}\u0000${cover}`;
    if (coveredByMonth.has(mark) || (tier.to === "day" && covered.has(mark))) continue;
    uncovered.add(`${scope}\u0000${day}`);
    open.push({ scope, day, path, messages, hash: cover, tier: tier.to, date: tier.date });
  }
  open.sort((a, b) => a.day.localeCompare(b.day));
  const owed = [...groupBy(open, ({ scope, date }) => targetKey(scope, date))].map(
    ([target, days]): OwedSummary => {
      const [{ tier, scope, date }] = days as [(typeof open)[number]];
      return { target, tier, scope, date, days };
    },
  );
  return { owed, isCovered: (scope, day) => !uncovered.has(`${scope}\u0000${day}`) };
}

/** When a pass starts, and why. Pure. Source: seed 000. */
export type Reason = "asked" | "messages" | "limit" | "overflow" | "interval" | "summaries";

interface DueState {
  /** Messages without a block that may be tried now. */
  due: number;
  /** When the oldest of them was first filed. */
  oldestAt: EpochMs | undefined;
  overSoft: boolean;
  overflow: boolean;
  /** End of the last finished pass; undefined when there was none. */
  lastPassAt: EpochMs | undefined;
  now: EpochMs;
}

export function passReason(state: DueState, settings: Settings["archive"]): Reason | undefined {
  if (state.due === 0) return undefined;
  if (state.overflow) return "overflow";
  if (state.overSoft) return "limit";
  if (state.due > settings.trigger_messages) return "messages";
  const since = state.lastPassAt ?? state.oldestAt;
  // A clock that was set back must not put the next pass off for years.
  const waited = since === undefined ? 0 : Math.abs(state.now - since);
  return waited >= settings.interval_hours * HOUR_MS ? "interval" : undefined;
}

/** The summaries that are owed as of the last look at the outputs, and which of them are being made. */
export class OwedSummaries {
  #coverage: Coverage = { owed: [], isCovered: () => true };
  readonly #underWay = new Set<TargetKey>();

  constructor(
    readonly context: Pick<ArchiveContext, "catalogue" | "clock" | "zone" | "settings" | "retries">,
  ) {}

  /** Reads off the catalogue what is owed now. */
  refresh(): void {
    const { catalogue, zone, clock, settings } = this.context;
    const today = zone.dayOf(clock.now());
    const { recent_days: recentDays } = settings.archive;
    this.#coverage = coverageOf(catalogue.verbatimDays(), catalogue.summaries(), today, recentDays);
  }

  get all(): readonly OwedSummary[] {
    return this.#coverage.owed;
  }

  isCovered(scope: ScopeId, day: Day): boolean {
    return this.#coverage.isCovered(scope, day);
  }

  /** That may be tried now; `asked` ignores the retry. */
  due(asked: boolean): OwedSummary[] {
    const { clock, retries, settings } = this.context;
    const now = clock.now();
    return this.all.filter(({ target, scope, date }) => {
      if (this.#underWay.has(target)) return false;
      const nextAt = retries.get(scope, date)?.nextAt;
      return asked || nextAt === undefined || !isWaiting(nextAt, now, settings.archive);
    });
  }

  /** When the next retry step is; undefined when nothing waits. */
  nextRetry(): Retry | undefined {
    const waiting = this.all.flatMap(({ scope, date }) => this.context.retries.get(scope, date) ?? []);
    return waiting.sort((a, b) => a.nextAt - b.nextAt)[0];
  }

  isUnderWay(target: TargetKey): boolean {
    return this.#underWay.has(target);
  }

  begin(target: TargetKey): void {
    this.#underWay.add(target);
  }

  end(target: TargetKey): void {
    this.#underWay.delete(target);
    this.refresh();
  }
}
