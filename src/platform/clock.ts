/** Time as a port. The system clock can start elsewhere (MEMD_FAKE_NOW). */
import type { Pace } from "../model/work.js";
import { randomBytes } from "node:crypto";
import { epochMs, type EpochMs } from "../model/time.js";

export interface Timer {
  cancel(): void;
}

export interface Clock {
  now(): EpochMs;
  /** Milliseconds that never jump; for durations. */
  monotonicMs(): number;
  after(ms: number, run: () => void): Timer;
  sleep(ms: number): Promise<void>;
  /** Lets other work of this process run. */
  breathe(): Promise<void>;
}

/** Node's timers fire at once beyond this. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's clock; with `startAt`, one that starts there and runs on at the same pace. */
export function systemClock(startAt?: EpochMs): Clock {
  const offsetMs = startAt === undefined ? 0 : startAt - Date.now();
  const after = (ms: number, run: () => void): Timer => {
    const handle = setTimeout(run, Math.min(Math.max(ms, 0), LONGEST_TIMER_MS));
    return { cancel: () => clearTimeout(handle) };
  };
  return {
    now: () => epochMs(Date.now() + offsetMs),
    monotonicMs: () => performance.now(),
    after,
    sleep: (ms) => new Promise((done) => void after(ms, done)),
    breathe: () => new Promise((done) => setImmediate(done)),
  };
}

/**
 * A stop for long pure work: awaits a turn of the event loop whenever
 * `budgetMs` has passed since the last one, so that nothing else waits longer.
 */
export function pacer(clock: Clock, budgetMs = 8): Pace {
  let last = clock.monotonicMs();
  return () => {
    if (clock.monotonicMs() - last < budgetMs) return undefined;
    return clock.breathe().then(() => {
      last = clock.monotonicMs();
    });
  };
}

/** Randomness as a port: names of new things, jitter. */
export interface Random {
  /** `length` characters of a-z0-9. */
  name(length: number): string;
}

const ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";

export const systemRandom: Random = {
  name: (length) => Array.from(randomBytes(length), (byte) => ALPHABET[byte % ALPHABET.length]).join(""),
};

/** Timers by name: setting one again replaces it, and all end together. */
export class Timers {
  readonly #timers = new Map<string, Timer>();
  #closed = false;

  constructor(readonly clock: Clock) {}

  once(name: string, ms: number, run: () => void): void {
    this.#timers.get(name)?.cancel();
    if (!this.#closed) this.#timers.set(name, this.clock.after(ms, run));
  }

  repeat(name: string, ms: number, run: () => void): void {
    this.once(name, ms, () => {
      run();
      this.repeat(name, ms, run);
    });
  }

  cancel(name: string): void {
    this.#timers.get(name)?.cancel();
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }
}
