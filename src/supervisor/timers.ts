/** Timers by name: setting one again replaces it, and all end together. */
import type { Clock, Timer } from "../platform/clock.js";

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

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }
}
