import { own } from "./fold.js";

/**
 * What was made of texts lately, for texts that come again and again. Of two ages:
 * when the younger is full the older one goes, whole, so that what is asked for
 * stays and no more is kept than twice `mostChars`.
 */
export class Recent<T> {
  #young = new Map<string, T>();
  #old: ReadonlyMap<string, T> = new Map();
  #chars = 0;

  constructor(readonly mostChars: number) {}

  of(text: string, make: (text: string) => T): T {
    if (text.length > this.mostChars) return make(text);
    const known = this.#young.get(text);
    if (known !== undefined) return known;
    // A piece of a long text would keep all of it.
    const kept = own(text);
    const made = this.#old.get(text) ?? make(kept);
    if (this.#chars + text.length > this.mostChars) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#chars = 0;
    }
    this.#chars += text.length;
    this.#young.set(kept, made);
    return made;
  }

  clear(): void {
    this.#old = new Map();
    this.#young = new Map();
    this.#chars = 0;
  }
}
