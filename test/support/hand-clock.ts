/** A clock that is driven by hand. */
import { later, type EpochMs } from "../../src/model/time.js";
import type { Clock, Timer } from "../../src/platform/clock.js";

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
