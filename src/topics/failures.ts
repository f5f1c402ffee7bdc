/**
 * What failed in the work on topics, kind by kind: how long it rests, how often it failed in a row, and what is
 * told of it, once for each change.
 */
import { MINUTE_MS } from "../model/time.js";
import type { Resting } from "../platform/background.js";
import type { Log } from "../platform/log.js";

/** How long work rests after so many failures in a row; after more, as after the last. */
const LADDER_MS = [MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS] as const;
/** From so many on a split is done by words. */
export const FAILED_OFTEN = 3;

interface Failing {
  times: number;
  reason: string;
}

export class Failures {
  readonly #failing = new Map<string, Failing>();

  constructor(
    readonly resting: Resting,
    readonly log: Log,
  ) {}

  /** Whether it need not rest. */
  isRested(key: string): boolean {
    return this.resting.leftMs(key) === 0;
  }

  /** In a row. */
  times(key: string): number {
    return this.#failing.get(key)?.times ?? 0;
  }

  /** Told where it is news: it went well before, or failed for another reason. */
  failed(key: string, kind: string, reason: string): void {
    const before = this.#failing.get(key);
    const times = (before?.times ?? 0) + 1;
    this.#failing.set(key, { times, reason });
    this.resting.rest(LADDER_MS[Math.min(times, LADDER_MS.length) - 1] ?? MINUTE_MS, key);
    if (before?.reason !== reason) this.log.write({ level: "warn", event: "job_failed", kind, reason });
  }

  /** Words did it: models are asked once more the next time. */
  didWithout(key: string): void {
    const failing = this.#failing.get(key);
    if (failing !== undefined) this.#failing.set(key, { ...failing, times: FAILED_OFTEN - 1 });
    this.resting.end(key);
  }

  /** Told where it had failed before. */
  went(key: string, kind: string): void {
    this.resting.end(key);
    if (this.#failing.delete(key)) this.log.write({ level: "info", event: "job_recovered", kind });
  }

  /** Why the newest of what fails does. */
  get reason(): string | undefined {
    return [...this.#failing.values()].at(-1)?.reason;
  }
}
