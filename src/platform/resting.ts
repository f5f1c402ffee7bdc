/** What failed not long ago and is left alone for a while; by key where there are several. */
import type { Clock } from "./clock.js";

export class Resting {
  readonly #untilMs = new Map<string, number>();

  constructor(readonly clock: Clock) {}

  rest(ms: number, key = ""): void {
    this.#untilMs.set(key, this.clock.monotonicMs() + ms);
  }

  /** 0 where it may be tried. */
  leftMs(key = ""): number {
    return Math.max(0, (this.#untilMs.get(key) ?? 0) - this.clock.monotonicMs());
  }

  end(key = ""): void {
    this.#untilMs.delete(key);
  }
}
