/** The summaries that are owed as of the last look at the outputs, and which of them are being made. */
import type { ScopeId } from "../model/address.js";
import type { Day } from "../model/time.js";
import { isWaiting } from "./backoff.js";
import type { ArchiveContext } from "./context.js";
import { coverageOf, type Coverage, type OwedSummary } from "./owed.js";
import type { Retry, TargetKey } from "./retries.js";

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
