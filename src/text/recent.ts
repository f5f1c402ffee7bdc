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

  constructor(
    readonly mostChars: number,
    /** What a short text takes beside itself counts as so many. */
    readonly leastChars = 0,
  ) {}

  of(text: string, make: (text: string) => T): T {
    if (text.length > this.mostChars) return make(text);
    const known = this.#young.get(text);
    if (known !== undefined) return known;
    // A piece of a long text would keep all of it.
    const kept = own(text);
    const made = this.#old.get(text) ?? make(kept);
    const chars = Math.max(text.length, this.leastChars);
    if (this.#chars + chars > this.mostChars) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#chars = 0;
    }
    this.#chars += chars;
    this.#young.set(kept, made);
    return made;
  }

  clear(): void {
    this.#old = new Map();
    this.#young = new Map();
    this.#chars = 0;
  }
}
