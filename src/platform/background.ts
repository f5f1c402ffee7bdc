/**
 * Work beside the ticks of the loop. The loop polls each piece of it once a tick;
 * a poll begins what is due and returns at once, and what a model has answered is
 * written down between two ticks.
 */
import type { ListedMessage, Lists } from "../model/address.js";
import { isMemdError } from "../model/errors.js";
import type { FiledMessage } from "../model/message.js";
import type { Clock } from "./clock.js";

/** What history.json and inbox.json held when they were read; the same objects while they stand. */
export interface Listed {
  history: { messages: readonly ListedMessage[] };
  inbox: { messages: readonly ListedMessage[] };
}

/** What a poll is told of the tick it runs in. */
export interface Tick extends Listed {
  lists: Lists;
  /** The memory tree was looked at, as it is at the start, once a minute, and after a fault. */
  isRescan: boolean;
  /** The tick before it failed: what begins again need not be logged again. */
  isRetry: boolean;
}

export interface Background {
  readonly name: string;
  /** Begins what is due and not under way. True where this wrote files that index and prompts are made of. */
  poll(tick: Tick): Promise<boolean> | Promise<void> | void;
  /** Pieces of work under way. */
  readonly running: number;
  /** After how long it is to be polled though nothing has changed; undefined where there is nothing to wait for. */
  readonly nextMs?: number | undefined;
  /** Somebody waits for it: it is polled also where memd only reads. */
  readonly isAsked?: boolean;
  /** It met a fault and has not got past it: a tick that goes well says nothing about that. */
  readonly isHeldUp?: boolean;
  /** Trouble has begun: whoever waits is refused, and what is half done is planned again from the files. */
  refuse?(trouble: Error): void;
  /** These messages were forgotten: nothing that was read of them is kept. Runs when no tick does. */
  forget?(isGone: (filed: FiledMessage) => boolean): Promise<void> | void;
  /** Begins nothing more; settles when nothing is under way. */
  stop(): Promise<void>;
}

/** What background work may have the loop do. */
export interface Loop {
  /** Runs when no tick does, so that two writers never meet. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
  /** Work has ended: the next tick comes at once. `changed`: it wrote files that index and prompts are made of. */
  done(changed: boolean): void;
  /** Somebody else has changed the memory tree: the next tick looks at all of it. */
  rescan(): void;
  wake(): void;
  /** The disk refused, or a bug: nothing gets on until a tick goes well. */
  fault(error: unknown): void;
}

export function tickOf(
  { history, inbox }: Listed,
  flags: Partial<Pick<Tick, "isRescan" | "isRetry">> = {},
): Tick {
  return { history, inbox, lists: listsOf({ history, inbox }), isRescan: false, isRetry: false, ...flags };
}

export function listsOf({ history, inbox }: Listed): Lists {
  return {
    history: history.messages.map(({ filed }) => filed),
    inbox: inbox.messages.map(({ filed }) => filed),
  };
}

/** Writes between two ticks. False where nothing was written: memd stops, or what the job was made of was forgotten. */
export type Put = (work: () => Promise<unknown>) => Promise<boolean>;

type Ended = (changed: boolean) => Promise<void> | void;

/** What becomes of a job that threw. */
interface OnFailure {
  /** So long its key rests after a disk that refused. */
  restMs: number;
  /** What is no fault of the disk is this job's own affair; without it, it is a fault like any other. */
  failed?: (key: string, error: unknown) => void;
}

/**
 * Jobs under way beside the ticks: begun under a key, left alone for a while after a failure, over when memd
 * stops. It owns their lives, not their work. A job writes through its `put` alone, so nothing is written in
 * the middle of a tick, after a stop, or of what has been forgotten since the job began.
 */
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
    ended: Ended = (changed) => this.loop.done(changed),
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

  #failed(key: string, error: unknown, ended: Ended): Promise<void> | void {
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

/** What failed not long ago and is left alone for a while; by key where there are several. */
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

/** One work after the other, in the order in which they came. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** Whether somebody waits for the one that runs. */
  get isWanted(): boolean {
    return this.#waiting > 0;
  }

  /** What it gives or throws is the caller's; the next one runs in either case. */
  run<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    const mine = this.#last.then(() => {
      this.#waiting -= 1;
      return work();
    });
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  /** Settles when all that came until now has ended. */
  async over(): Promise<void> {
    await this.#last;
  }
}

/** Those who wait for something: all of them are told, or refused, together. */
export class Waiters<T> {
  #waiting: { resolve: (value: T) => void; reject: (error: unknown) => void }[] = [];

  get any(): boolean {
    return this.#waiting.length > 0;
  }

  wait(): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
  }

  tell(value: T): void {
    for (const { resolve } of this.#waiting.splice(0)) resolve(value);
  }

  refuse(error: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
