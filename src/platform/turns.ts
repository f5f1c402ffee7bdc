/** Work that must not overlap, one piece after another in the order in which it was asked for. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** What fails is the asker's alone: the next piece runs all the same. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  /** Settles when all that was asked for until now has ended. */
  async over(): Promise<void> {
    await this.#last;
  }
}
