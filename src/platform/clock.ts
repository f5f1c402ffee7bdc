/**
 * Time as a port. The system clock can start elsewhere (MEMD_FAKE_NOW), and
 * tests drive theirs by hand.
 */
import { epochMs, later, type EpochMs } from "../model/time.js";

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

export interface HandClock extends Clock {
  /** Moves time on, firing what falls due in order and letting it finish. */
  advance(ms: number): Promise<void>;
  set(at: EpochMs): void;
}

export function handClock(start: EpochMs): HandClock {
  let now = start;
  let elapsedMs = 0;
  let timers: { at: number; run: () => void }[] = [];
  const after = (ms: number, run: () => void): Timer => {
    const timer = { at: elapsedMs + Math.max(ms, 0), run };
    timers.push(timer);
    return {
      cancel: () => {
        timers = timers.filter((other) => other !== timer);
      },
    };
  };
  const breathe = (): Promise<void> => new Promise((done) => setImmediate(done));
  return {
    now: () => now,
    monotonicMs: () => elapsedMs,
    after,
    sleep: (ms) => new Promise((done) => void after(ms, done)),
    breathe,
    set: (at) => {
      now = at;
    },
    advance: async (ms) => {
      const until = elapsedMs + ms;
      for (;;) {
        const due = timers.filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at)[0];
        const target = due?.at ?? until;
        now = later(now, target - elapsedMs);
        elapsedMs = target;
        if (due === undefined) return breathe();
        timers = timers.filter((timer) => timer !== due);
        due.run();
        await breathe();
      }
    },
  };
}

/**
 * A stop for long pure work: awaits a turn of the event loop whenever
 * `budgetMs` has passed since the last one, so that nothing else waits longer.
 */
export function pacer(clock: Clock, budgetMs = 8): () => Promise<void> | undefined {
  let last = clock.monotonicMs();
  return () => {
    if (clock.monotonicMs() - last < budgetMs) return undefined;
    return clock.breathe().then(() => {
      last = clock.monotonicMs();
    });
  };
}
