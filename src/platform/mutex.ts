/** One work after the other, in the order in which they came. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /** What it gives or throws is the caller's; the next one runs in either case. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  /** Settles when all that came until now has ended. */
  async over(): Promise<void> {
    await this.#last;
  }
}
