/**
 * Everything in one partition in memory, and each part of it by itself: a part is
 * a segment like the whole, with its own statistics, so that what is asked of it
 * knows nothing of the others.
 */
import { addAll, entryOf } from "../../model/collections.js";
import type { Passage } from "../../model/passage.js";
import type { SpaceId } from "../../model/space.js";
import { NEIGHBOURS } from "./candidates.js";
import { type Document, indexedTermsOf } from "./document.js";
import { type OpenPartition, type Partition, type PartitionId, partOf } from "./partitions.js";
import { VectorStore } from "./vectors.js";

export class PartitionIndex {
  readonly whole = new Segment();
  readonly #parts = new Map<string, Segment>();

  constructor(readonly partition: Partition) {}

  /** What is open of it; undefined where nothing is. */
  openTo({ session }: OpenPartition): Segment | undefined {
    return session === undefined ? this.whole : this.#parts.get(session);
  }

  segments(): Segment[] {
    return [this.whole, ...this.#parts.values()];
  }

  add(entry: Entry): void {
    this.whole.add(entry);
    const part = partOf(entry.passage);
    if (part === undefined) return;
    entryOf(this.#parts, part, () => new Segment()).add(entry);
  }

  delete(entry: Entry): void {
    this.whole.delete(entry);
    const part = partOf(entry.passage);
    const segment = this.#partWith(entry);
    segment?.delete(entry);
    if (part !== undefined && segment?.entries.size === 0) this.#parts.delete(part);
  }

  /** A vector of the entry, or the word that it gets none. */
  setVector(space: SpaceId, entry: Entry, vector: Float32Array | undefined): void {
    this.whole.setVector(space, entry, vector);
    this.#partWith(entry)?.setVector(space, entry, vector);
  }

  forgetSpace(space: SpaceId): void {
    for (const { vectors } of this.segments()) vectors.delete(space);
  }

  #partWith({ passage }: Entry): Segment | undefined {
    const part = partOf(passage);
    return part === undefined ? undefined : this.#parts.get(part);
  }
}

/** One passage as it is kept in memory. */
export interface Entry {
  /** Replaced when only its lines moved. */
  passage: Passage;
  readonly document: Document;
  readonly partition: PartitionId;
  /** Names this version of the passage. */
  readonly key: string;
}

export class Segment {
  readonly entries = new Set<Entry>();
  readonly postings = new Postings<Entry>();
  /** How many turns each has. */
  readonly speakers = new Map<string, number>();
  /** Vectors of its entries by space; undefined for one that gets none. */
  readonly vectors = new Map<SpaceId, { store: VectorStore<Entry>; done: Set<Entry> }>();
  readonly #places = new Map<string, Map<number, Set<Entry>>>();
  /** Terms and windows in all passages together, without the names of those who speak. */
  length = 0;
  windows = 0;

  add(entry: Entry): void {
    this.entries.add(entry);
    this.postings.add(entry, termsHeldBy(entry));
    const { document } = entry;
    const { conversation, sequence } = document;
    this.length += document.length;
    this.windows += document.windows.length;
    this.#count(document.speaker, 1);
    if (conversation === undefined || sequence === undefined) return;
    const places = entryOf(this.#places, conversation, () => new Map<number, Set<Entry>>());
    // Two while a day stands in two files.
    entryOf(places, sequence, () => new Set()).add(entry);
  }

  delete(entry: Entry): void {
    this.entries.delete(entry);
    this.postings.delete(entry, termsHeldBy(entry));
    for (const { store, done } of this.vectors.values()) {
      store.delete(entry);
      done.delete(entry);
    }
    const { document } = entry;
    const { conversation, sequence } = document;
    this.length -= document.length;
    this.windows -= document.windows.length;
    this.#count(document.speaker, -1);
    if (conversation === undefined || sequence === undefined) return;
    const places = this.#places.get(conversation);
    const here = places?.get(sequence);
    if (here?.delete(entry) === true && here.size === 0) places?.delete(sequence);
    if (places?.size === 0) this.#places.delete(conversation);
  }

  /** Those next to it in the conversation. */
  around({ conversation, sequence }: Document): Entry[] {
    const places = conversation === undefined ? undefined : this.#places.get(conversation);
    if (places === undefined || sequence === undefined) return [];
    const found: Entry[] = [];
    for (let away = -NEIGHBOURS; away <= NEIGHBOURS; away++)
      if (away !== 0) addAll(found, places.get(sequence + away) ?? []);
    return found;
  }

  /** A vector of the entry, or the word that it gets none. */
  setVector(space: SpaceId, entry: Entry, vector: Float32Array | undefined): void {
    const { store, done } = entryOf(this.vectors, space, () => ({
      store: new VectorStore(),
      done: new Set(),
    }));
    done.add(entry);
    if (vector !== undefined) store.set(entry, vector);
  }

  #count(speaker: string | undefined, step: 1 | -1): void {
    if (speaker === undefined) return;
    const count = (this.speakers.get(speaker) ?? 0) + step;
    if (count === 0) this.speakers.delete(speaker);
    else this.speakers.set(speaker, count);
  }
}

/** Read off its text each time: a list for every passage would take more than all postings. */
function termsHeldBy({ passage, document }: Entry): Set<string> {
  return new Set(indexedTermsOf(passage, document.vector));
}

const NONE: readonly never[] = [];

/**
 * Which passages hold a term. How often is not kept: candidates are chosen by the rarity of what they hold,
 * and the scorer counts in the passage's own terms. Lists, since two terms of three are in one passage only.
 */
export class Postings<Key> {
  readonly #holding = new Map<string, Key[]>();

  /** Each once, in no promised order. */
  holding(term: string): readonly Key[] {
    return this.#holding.get(term) ?? NONE;
  }

  beginning(letters: string): string[] {
    return [...this.#holding.keys()].filter((term) => term.startsWith(letters));
  }

  /** `terms`: each once. */
  add(key: Key, terms: Iterable<string>): void {
    for (const term of terms) entryOf(this.#holding, term, () => []).push(key);
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
