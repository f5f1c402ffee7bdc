/**
 * What failed in the work on topics, kind by kind: how long it rests, how often it failed in a row, and what is
 * told of it, once for each change. Pure but for the clock it is given.
 */
import { MINUTE_MS } from "../model/time.js";
import type { Resting } from "../platform/background.js";

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

  constructor(readonly resting: Resting) {}

  /** Whether it need not rest. */
  isRested(key: string): boolean {
    return this.resting.leftMs(key) === 0;
  }

  /** In a row. */
  times(key: string): number {
    return this.#failing.get(key)?.times ?? 0;
  }

  /** True where it is news: it went well before, or failed for another reason. */
  failed(key: string, reason: string): boolean {
    const before = this.#failing.get(key);
    const times = (before?.times ?? 0) + 1;
    this.#failing.set(key, { times, reason });
    this.resting.rest(LADDER_MS[Math.min(times, LADDER_MS.length) - 1] ?? MINUTE_MS, key);
    return before?.reason !== reason;
  }

  /** Words did it: models are asked once more the next time. */
  didWithout(key: string): void {
    const failing = this.#failing.get(key);
    if (failing !== undefined) this.#failing.set(key, { ...failing, times: FAILED_OFTEN - 1 });
    this.resting.end(key);
  }

  /** True where it had failed before. */
  went(key: string): boolean {
    this.resting.end(key);
    return this.#failing.delete(key);
  }

  /** Why the newest of what fails does. */
  get reason(): string | undefined {
    return [...this.#failing.values()].at(-1)?.reason;
  }
}
