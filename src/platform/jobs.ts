/**
 * Jobs under way beside the ticks: begun under a key, left alone for a while
 * after a failure, over when memd stops.
 *
 * It owns their lives, not their work. A job writes through its `put` alone, so
 * nothing is written in the middle of a tick, after a stop, or of what has been
 * forgotten since the job began.
 */
import { isMemdError } from "../model/errors.js";
import type { Loop } from "./background.js";
import type { Clock } from "./clock.js";
import { Resting } from "./resting.js";

/** Writes between two ticks. False where nothing was written: memd stops, or what the job was made of was forgotten. */
export type Put = (work: () => Promise<unknown>) => Promise<boolean>;

/** What becomes of a job that threw. */
export interface OnFailure {
  /** So long its key rests after a disk that refused. */
  restMs: number;
  /** What is no fault of the disk is this job's own affair; without it, it is a fault like any other. */
  failed?: (key: string, error: unknown) => void;
}

export class Jobs {
  readonly resting: Resting;
  readonly #running = new Map<string, Promise<void>>();
  #stopping = false;

  /** `forgotten.epoch` counts up with everything that is forgotten. */
  constructor(
    readonly parts: { clock: Clock; forgotten?: { readonly epoch: number } },
    readonly loop: Pick<Loop, "exclusive" | "done" | "fault">,
    readonly onFailure: OnFailure,
  ) {
    this.resting = new Resting(parts.clock);
  }

  get running(): number {
    return this.#running.size;
  }

  get keys(): ReadonlySet<string> {
    return new Set(this.#running.keys());
  }

  get isStopping(): boolean {
    return this.#stopping;
  }

  /** Neither under way nor resting. */
  isFree(key: string): boolean {
    return !this.#stopping && !this.#running.has(key) && this.resting.leftMs(key) === 0;
  }

  /** `work` says whether it changed files; without a word it did. `ended` then says so to the loop, unless memd stops. */
  start(
    key: string,
    work: (put: Put) => Promise<boolean | void>,
    ended: (changed: boolean) => Promise<void> | void = (changed) => this.loop.done(changed),
  ): void {
    const done = work(this.put())
      .then((changed) => () => ended(changed !== false))
      .catch((error: unknown) => () => this.#failed(key, error, ended))
      .then((end) => {
        this.#running.delete(key);
        return this.#stopping ? undefined : end();
      });
    this.#running.set(key, done);
  }

  /** Of what is known now: what is forgotten from here on is not written through it. */
  put(): Put {
    const epoch = this.#epoch();
    return (work) =>
      this.loop.exclusive(async () => {
        if (this.#stopping || epoch !== this.#epoch()) return false;
        await work();
        return true;
      });
  }

  /** Settles when none is under way. */
  async over(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.over();
  }

  #failed(
    key: string,
    error: unknown,
    ended: (changed: boolean) => Promise<void> | void,
  ): Promise<void> | void {
    const { restMs, failed } = this.onFailure;
    if (failed !== undefined && !isMemdError(error)) {
      failed(key, error);
      return ended(true);
    }
    this.resting.rest(restMs, key);
    return this.loop.fault(error);
  }

  #epoch(): number {
    return this.parts.forgotten?.epoch ?? 0;
  }
}
