/**
 * Which words one index file holds, a bit for each: most of those that are asked for in place of another
 * stand nowhere, and to ask the file of each takes longer than the question itself.
 *
 * A cache over one index file, as the postings are. Words are read by their first letter, once enough of
 * them were asked for in vain to be worth it: the first question waits for none. What is gone keeps its
 * bit, and costs a look.
 */
import type { Database } from "../../../platform/sqlite.js";
import { termHash } from "../document.js";

/** So many bits for each word: one word in so many that nobody says is looked up all the same. */
const BITS_PER_WORD = 32;
const LEAST_BITS = 2 ** 10;
/** To read the words of a letter takes as long as to look for some hundred of them. */
const WORTH_READING = 100;
/** Which words begin so is kept for as many beginnings. */
const MOST_BEGINNINGS = 100;
const LATIN = /^[a-z]/;
const BEHIND_ALL = "\u{10ffff}";

export class Vocabulary {
  /** By first letter; a number where it was not read yet: how many were looked for. */
  readonly #letters = new Map<string, Int32Array | number>();
  readonly #beginning = new Map<string, Set<string>>();

  constructor(readonly db: Database) {
    db.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab('main', 'words', 'row')");
  }

  /** False only where nothing says it. */
  mayHold(term: string): boolean {
    if (!LATIN.test(term)) return true;
    const bits = this.#bitsOf(term.charAt(0));
    if (bits === undefined) return true;
    const hash = placeIn(bits, term);
    return ((bits[hash >>> 5] ?? 0) & (1 << (hash & 31))) !== 0;
  }

  /** Terms that begin with these letters, and some that did. */
  beginning(letters: string): string[] {
    const known = this.#beginning.get(letters);
    if (known !== undefined) return [...known];
    const found = this.#wordsWith(letters);
    const [oldest] = this.#beginning.keys();
    if (this.#beginning.size >= MOST_BEGINNINGS && oldest !== undefined) this.#beginning.delete(oldest);
    this.#beginning.set(letters, new Set(found));
    return found;
  }

  add(terms: readonly string[]): void {
    for (const term of terms) {
      const bits = this.#letters.get(term.charAt(0));
      if (bits instanceof Int32Array) mark(bits, term);
      for (const [letters, words] of this.#beginning) if (term.startsWith(letters)) words.add(term);
    }
  }

  #bitsOf(letter: string): Int32Array | undefined {
    const known = this.#letters.get(letter) ?? 0;
    if (known instanceof Int32Array) return known;
    this.#letters.set(letter, known + 1);
    if (known < WORTH_READING) return undefined;
    const words = this.#wordsWith(letter);
    let size = LEAST_BITS;
    while (size < words.length * BITS_PER_WORD) size *= 2;
    const bits = new Int32Array(size / 32);
    for (const word of words) mark(bits, word);
    this.#letters.set(letter, bits);
    return bits;
  }

  /** One long text is read several times as fast as many rows. */
  #wordsWith(beginning: string): string[] {
    const found = this.db
      .prepare("SELECT group_concat(term, ' ') AS terms FROM temp.vocabulary WHERE term >= ? AND term < ?")
      .get(beginning, `${beginning}${BEHIND_ALL}`);
    const terms = found?.["terms"];
    return typeof terms === "string" ? terms.split(" ") : [];
  }
}

function mark(bits: Int32Array, term: string): void {
  const hash = placeIn(bits, term);
  bits[hash >>> 5] = (bits[hash >>> 5] ?? 0) | (1 << (hash & 31));
}

function placeIn(bits: Int32Array, term: string): number {
  return termHash(term) & (bits.length * 32 - 1);
}
