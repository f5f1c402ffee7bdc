/**
 * The passages behind one wall, in memory: frozen segments and a small open
 * rest that is simply looked through.
 *
 * Counts of terms are kept for the whole shelf, so scores are comparable over
 * segments. Nothing is rebuilt by a search.
 */
import { freeze, type Entry, type Segment } from "./segment.js";

/** Freezing so much takes about 20 ms; looking through it, a tenth of one. */
const OPEN_ENTRIES = 256;
const OPEN_TERMS = 8_000;
/** Wink refuses fewer. */
const LEAST_FROZEN = 3;

export class Shelf<Content> {
  readonly #documentFrequencies = new Map<string, number>();
  readonly #living = new Set<Entry<Content>>();
  #open = new Set<Entry<Content>>();
  #segments: { segment: Segment<Content>; living: number }[] = [];
  #segmentOf = new Map<Entry<Content>, { segment: Segment<Content>; living: number }>();
  #length = 0;

  get passages(): number {
    return this.#living.size;
  }

  /** Terms in all passages together. */
  get length(): number {
    return this.#length;
  }

  entries(): Iterable<Entry<Content>> {
    return this.#living;
  }

  documentFrequency(term: string): number {
    return this.#documentFrequencies.get(term) ?? 0;
  }

  add(entry: Entry<Content>): void {
    this.#living.add(entry);
    this.#open.add(entry);
    this.#count(entry, 1);
  }

  delete(entry: Entry<Content>): void {
    if (!this.#living.delete(entry)) return;
    this.#count(entry, -1);
    this.#open.delete(entry);
    const frozen = this.#segmentOf.get(entry);
    if (frozen === undefined) return;
    this.#segmentOf.delete(entry);
    frozen.living -= 1;
    if (frozen.living * 2 < frozen.segment.entries.length) this.#thaw(frozen);
  }

  /** Freezes one full batch of the open rest; false when there is none. */
  tidy(): boolean {
    const batch: Entry<Content>[] = [];
    let terms = 0;
    for (const entry of this.#open) {
      batch.push(entry);
      terms += entry.length;
      if (batch.length >= LEAST_FROZEN && (batch.length === OPEN_ENTRIES || terms >= OPEN_TERMS)) break;
    }
    if (batch.length < OPEN_ENTRIES && (batch.length < LEAST_FROZEN || terms < OPEN_TERMS)) return false;
    const frozen = { segment: freeze(batch), living: batch.length };
    this.#segments.push(frozen);
    for (const entry of batch) {
      this.#open.delete(entry);
      this.#segmentOf.set(entry, frozen);
    }
    return true;
  }

  find(terms: readonly string[], accept: (entry: Entry<Content>) => boolean): Entry<Content>[] {
    const found = [...this.#open].filter(
      (entry) => terms.some((term) => entry.frequencies.has(term)) && accept(entry),
    );
    const alive = (entry: Entry<Content>): boolean => this.#living.has(entry) && accept(entry);
    for (const { segment } of this.#segments) found.push(...segment.find(terms, alive));
    return found;
  }

  #thaw(frozen: { segment: Segment<Content>; living: number }): void {
    this.#segments = this.#segments.filter((other) => other !== frozen);
    for (const entry of frozen.segment.entries) {
      if (this.#segmentOf.delete(entry)) this.#open.add(entry);
    }
  }

  #count(entry: Entry<Content>, step: 1 | -1): void {
    this.#length += step * entry.length;
    for (const term of entry.frequencies.keys()) {
      const count = this.documentFrequency(term) + step;
      if (count === 0) this.#documentFrequencies.delete(term);
      else this.#documentFrequencies.set(term, count);
    }
  }
}
