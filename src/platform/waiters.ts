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
