/**
 * How often a prompt may be written again: two changes at once, then one a
 * second, so that a burst of them costs a few rewrites and the last one counts.
 */
import { SECOND_MS } from "../model/time.js";

const AT_ONCE = 2;
const EACH_MS = SECOND_MS;

export class PromptPace {
  #left = AT_ONCE;
  #asOfMs: number | undefined;

  /** Until the next rewrite may be; 0 for now. What can wait leaves one for what cannot. */
  waitMs(nowMs: number, canWait = false): number {
    this.#refill(nowMs);
    const needed = canWait ? AT_ONCE : 1;
    return this.#left >= needed ? 0 : Math.ceil((needed - this.#left) * EACH_MS);
  }

  wrote(nowMs: number): void {
    this.#refill(nowMs);
    this.#left = Math.max(0, this.#left - 1);
  }

  #refill(nowMs: number): void {
    const passedMs = nowMs - (this.#asOfMs ?? nowMs);
    this.#left = Math.min(AT_ONCE, this.#left + passedMs / EACH_MS);
    this.#asOfMs = nowMs;
  }
}
