/**
 * Threads that end together once nobody has asked any of them for a while: what they hold in memory is read again
 * for who asks next. Each begins when it is first asked.
 */
import { giveBackMemory } from "./process.js";
import type { Thread } from "./thread.js";

interface Begun {
  begin: () => Thread;
  /** Has it close what it holds open, so that nothing is left behind when it ends. */
  closing: unknown;
}

export class RestingThreads<N extends string> {
  readonly #running = new Map<N, Thread>();
  #asking = 0;
  #resting: NodeJS.Timeout | undefined;
  #ending: Promise<void> | undefined;
  #isClosed = false;

  /** `threads`: in the order in which they end. `onRest`: told that all have ended for now, and that one has begun. */
  constructor(
    readonly threads: Readonly<Record<N, Begun>>,
    readonly restsAfterMs: number,
    readonly onRest: (rests: boolean) => void = () => undefined,
  ) {}

  isRunning(name: N): boolean {
    return this.#ending === undefined && this.#running.has(name);
  }

  /** Rejects with an error of the thread's words, and where it has died or all are closed. */
  async ask(name: N, message: unknown, given?: Uint8Array): Promise<unknown> {
    clearTimeout(this.#resting);
    this.#asking += 1;
    try {
      await this.#ending;
      if (this.#isClosed) throw new Error("The thread has ended.");
      return await this.#begun(name).ask(message, given);
    } finally {
      this.#asking -= 1;
      if (this.#asking === 0) this.#resting = setTimeout(() => void this.#rest(), this.restsAfterMs).unref();
    }
  }

  /** Whether none has died by itself. */
  isAlive(): boolean {
    return !this.#isClosed && [...this.#running.values()].every((thread) => thread.isAlive());
  }

  /** For good. */
  async close(): Promise<void> {
    clearTimeout(this.#resting);
    // Who waits until they have ended begins none any more.
    this.#isClosed = true;
    await this.#end();
  }

  async #rest(): Promise<void> {
    if (this.#isClosed || this.#running.size === 0) return;
    await this.#end();
    if (this.#asking > 0) return;
    this.onRest(true);
    // What they answered is of no use any more either. A machine that gives nothing back is worked on without.
    await giveBackMemory().catch(() => undefined);
  }

  #begun(name: N): Thread {
    const running = this.#running.get(name);
    if (running !== undefined) return running;
    if (this.#running.size === 0) this.onRest(false);
    const thread = this.threads[name].begin();
    this.#running.set(name, thread);
    return thread;
  }

  #end(): Promise<void> {
    this.#ending ??= this.#ended().finally(() => (this.#ending = undefined));
    return this.#ending;
  }

  async #ended(): Promise<void> {
    for (const name of Object.keys(this.threads) as N[]) {
      const thread = this.#running.get(name);
      // One that has died holds nothing any more.
      await thread?.ask(this.threads[name].closing).catch(() => undefined);
      await thread?.end();
      this.#running.delete(name);
    }
  }
}
