/**
 * One archive pass: from the verbatim copy to the last summary that was due.
 *
 * The loop drives it, so that intake and prompts go on while workers write; this
 * only keeps count, and sums up when it is over.
 */
import type { Reason } from "./due.js";
import type { OwedSummary } from "./owed.js";
import type { TargetKey } from "./retries.js";
import type { SummaryEnd } from "./summarise.js";

export interface PassReport {
  reason: Reason;
  messages: number;
  made: number;
  failed: { scope: string; date: string; reason: string }[];
  ms: number;
}

/** A summary whose sources keep changing is left to the next pass after so many tries. */
const MOST_TRIES = 5;

export class Pass {
  readonly made: TargetKey[] = [];
  readonly failed: PassReport["failed"] = [];
  readonly #tries = new Map<TargetKey, number>();
  messages = 0;

  constructor(
    readonly reason: Reason,
    readonly startedMs: number,
  ) {}

  /** Asked for by a person: each summary is tried once, whatever its retry says. */
  get isAsked(): boolean {
    return this.reason === "asked";
  }

  mayTry(target: TargetKey): boolean {
    return (this.#tries.get(target) ?? 0) < MOST_TRIES;
  }

  count({ target, scope, date }: OwedSummary, end: SummaryEnd): void {
    switch (end.to) {
      case "made":
        this.made.push(target);
        this.#tries.delete(target);
        return;
      case "failed":
        this.failed.push({ scope, date, reason: end.reason });
        this.#tries.set(target, MOST_TRIES);
        return;
      case "changed":
        this.#tries.set(target, (this.#tries.get(target) ?? 0) + 1);
        return;
      default:
        return end satisfies never;
    }
  }

  report(nowMs: number): PassReport {
    const { reason, messages, failed } = this;
    return { reason, messages, made: this.made.length, failed, ms: Math.round(nowMs - this.startedMs) };
  }
}
