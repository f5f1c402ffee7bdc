/**
 * Which passages hold a term, in memory.
 *
 * How often one holds it is not kept: candidates are chosen by the rarity of
 * what they hold, and the scorer counts in the passage's own terms. Lists and
 * not sets, since two terms of three are in one passage only.
 */

const NONE: readonly never[] = [];

export class Postings<Key> {
  readonly #holding = new Map<string, Key[]>();

  /** Each once, in no promised order. */
  holding(term: string): readonly Key[] {
    return this.#holding.get(term) ?? NONE;
  }

  /** `terms`: each once. */
  add(key: Key, terms: Iterable<string>): void {
    for (const term of terms) {
      const keys = this.#holding.get(term);
      if (keys === undefined) this.#holding.set(term, [key]);
      else keys.push(key);
    }
  }

  /** `terms`: those it was added with. */
  delete(key: Key, terms: Iterable<string>): void {
    for (const term of terms) {
      const keys = this.#holding.get(term);
      // From the end: what changes is mostly what came last.
      const at = keys?.lastIndexOf(key) ?? -1;
      if (keys === undefined || at === -1) continue;
      const last = keys.pop();
      if (last !== undefined && at < keys.length) keys[at] = last;
      if (keys.length === 0) this.#holding.delete(term);
    }
  }
}
