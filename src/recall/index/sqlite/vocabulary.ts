/**
 * Which words one index file holds, a bit for each: most of those that are asked for in place of another
 * stand nowhere, and to ask the file of each takes longer than the question itself.
 *
 * A cache over one index file, as the postings are. What is gone keeps its bit, and costs a look.
 */
import type { Database } from "../../../platform/sqlite.js";
import { termHash } from "../document.js";

/** So many bits for each word: one word in so many that nobody says is looked up all the same. */
const BITS_PER_WORD = 32;
const LEAST_BITS = 2 ** 15;
/** Which words begin so is kept for as many beginnings. */
const MOST_BEGINNINGS = 100;
const LATIN = /^[a-z]/;
const BEHIND_LATIN = "{";

export class Vocabulary {
  readonly #bits: Int32Array;
  readonly #beginning = new Map<string, Set<string>>();

  constructor(readonly db: Database) {
    db.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab('main', 'words', 'row')");
    const words = this.#between("a", BEHIND_LATIN);
    let size = LEAST_BITS;
    while (size < words.length * BITS_PER_WORD) size *= 2;
    this.#bits = new Int32Array(size / 32);
    for (const word of words) this.#mark(word);
  }

  /** False only where nothing says it. */
  mayHold(term: string): boolean {
    const hash = this.#placeOf(term);
    return !LATIN.test(term) || ((this.#bits[hash >>> 5] ?? 0) & (1 << (hash & 31))) !== 0;
  }

  /** Terms that begin with these letters, and some that did. */
  beginning(letters: string): string[] {
    const known = this.#beginning.get(letters);
    if (known !== undefined) return [...known];
    const found = this.#between(letters, `${letters}\u{10ffff}`);
    const [oldest] = this.#beginning.keys();
    if (this.#beginning.size >= MOST_BEGINNINGS && oldest !== undefined) this.#beginning.delete(oldest);
    this.#beginning.set(letters, new Set(found));
    return found;
  }

  add(terms: readonly string[]): void {
    for (const term of terms) {
      this.#mark(term);
      for (const [letters, words] of this.#beginning) if (term.startsWith(letters)) words.add(term);
    }
  }

  /** One long text is read several times as fast as many rows. */
  #between(from: string, until: string): string[] {
    const found = this.db
      .prepare("SELECT group_concat(term, ' ') AS terms FROM temp.vocabulary WHERE term >= ? AND term < ?")
      .get(from, until);
    const terms = found?.["terms"];
    return typeof terms === "string" ? terms.split(" ") : [];
  }

  #mark(term: string): void {
    const hash = this.#placeOf(term);
    this.#bits[hash >>> 5] = (this.#bits[hash >>> 5] ?? 0) | (1 << (hash & 31));
  }

  #placeOf(term: string): number {
    return termHash(term) & (this.#bits.length * 32 - 1);
  }
}
