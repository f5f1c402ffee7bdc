/**
 * How often a prompt that nobody waits for may be written again: one a second,
 * so that a burst of changes costs a few rewrites and the last one counts.
 */
import { SECOND_MS } from "../model/time.js";

const EACH_MS = SECOND_MS;

export class PromptPace {
  #wroteAtMs = -EACH_MS;

  /** Until the next rewrite may be; 0 for now. */
  waitMs(nowMs: number): number {
    return Math.max(0, Math.ceil(this.#wroteAtMs + EACH_MS - nowMs));
  }

  wrote(nowMs: number): void {
    this.#wroteAtMs = nowMs;
  }
}
