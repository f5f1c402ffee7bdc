/**
 * What holds the event loop up, told while it does, as no process can that stands still or is killed for it:
 * a thread of its own hears the loop's beats, and writes a line into the log when they stay away. The loop
 * says in shared memory what it has begun last; works beside one another take turns in it, so that is a hint
 * and no proof.
 */
import { Worker } from "node:worker_threads";
import type { Clock } from "./clock.js";
import type { Log } from "./log.js";
import { watchdogThread } from "./package-root.js";

export const BEAT_MS = 500;
/** Held up for two seconds at least, wherever between two beats that began. */
const HELD_MS = 2000 + BEAT_MS;
const MOST_BYTES = 64;
/** The thread reads 64 bytes and writes a line: it is to cost as little as that. */
const LIMITS = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 };

/** What the thread is given. */
export interface Watched {
  shared: SharedArrayBuffer;
  heldMs: number;
  /** The log, whose folder stands. */
  file: string;
  /** Of the clock that the log goes by, from the machine's. */
  offsetMs: number;
}

/** Memory that the loop and its watchdog share. */
export class Shared {
  readonly buffer: SharedArrayBuffer;
  /** Counts up. */
  readonly beats: Int32Array;
  /** What was begun last, and what that was when the loop was found held up; empty until it is. */
  readonly begun: SharedText;
  readonly held: SharedText;

  constructor(buffer?: SharedArrayBuffer) {
    const head = Int32Array.BYTES_PER_ELEMENT;
    this.buffer = buffer ?? new SharedArrayBuffer(head + 2 * MOST_BYTES);
    this.beats = new Int32Array(this.buffer, 0, 1);
    this.begun = new SharedText(new Uint8Array(this.buffer, head, MOST_BYTES));
    this.held = new SharedText(new Uint8Array(this.buffer, head + MOST_BYTES, MOST_BYTES));
  }
}

/** A short text; what is longer is cut. It is read while nobody writes. */
class SharedText {
  readonly #encoder = new TextEncoder();

  constructor(readonly bytes: Uint8Array) {}

  set(text: string): void {
    const { written } = this.#encoder.encodeInto(text, this.bytes.subarray(1));
    this.bytes[0] = written;
  }

  get(): string {
    const [length = 0] = this.bytes;
    return new TextDecoder().decode(this.bytes.slice(1, 1 + length));
  }
}

/** Watches from `watch` to `stop`, but while all is at rest; it keeps no process alive. */
export class Watchdog {
  readonly #shared = new Shared();
  #worker: Worker | undefined;
  #beating: NodeJS.Timeout | undefined;
  #begin: () => void = () => undefined;

  /** Cheap enough for whatever is begun. */
  readonly doing = (what: string): void => this.#shared.begun.set(what);

  watch(file: string, clock: Clock, log: Pick<Log, "write">): void {
    const { beats, buffer: shared, held } = this.#shared;
    const data: Watched = { shared, heldMs: HELD_MS, file, offsetMs: clock.now() - Date.now() };
    let lastMs: number;
    const beat = (): void => {
      const ms = clock.monotonicMs() - lastMs;
      lastMs += ms;
      Atomics.add(beats, 0, 1);
      Atomics.notify(beats, 0);
      const doing = held.get();
      if (doing === "") return;
      held.set("");
      log.write({ level: "warn", event: "loop_free", ms: Math.round(ms), doing });
    };
    this.#begin = () => {
      this.#worker = new Worker(watchdogThread(), {
        workerData: data,
        resourceLimits: LIMITS,
        env: {},
        execArgv: [],
      });
      this.#worker.unref();
      this.#worker.on("error", () => undefined);
      lastMs = clock.monotonicMs();
      this.#beating = setInterval(beat, BEAT_MS).unref();
    };
    this.#beginIfItCan();
  }

  /** While there is next to nothing to do it costs nothing. */
  rest(rests: boolean): void {
    if (rests) void this.#end();
    else if (this.#worker === undefined) this.#beginIfItCan();
  }

  /** A machine that gives no thread is worked on without. */
  #beginIfItCan(): void {
    try {
      this.#begin();
    } catch {
      this.#worker = undefined;
    }
  }

  async stop(): Promise<void> {
    this.#begin = () => undefined;
    await this.#end();
  }

  async #end(): Promise<void> {
    clearInterval(this.#beating);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}
