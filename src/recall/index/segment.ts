/** What stands together in one partition in memory: its passages, who speaks there, and who stands next to whom. */
import type { Passage } from "../../model/passage.js";
import { NEIGHBOURS } from "./candidates.js";
import type { SpaceId } from "../../model/space.js";
import type { Document } from "./document.js";
import { indexedTermsOf } from "./indexed-terms.js";
import { Postings } from "./postings.js";
import { VectorStore } from "./vectors.js";
import type { PartitionId } from "./partitions.js";

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
    const places = this.#places.get(conversation) ?? new Map<number, Set<Entry>>();
    // Two while a day stands in two files.
    const here = places.get(sequence) ?? new Set();
    this.#places.set(conversation, places.set(sequence, here.add(entry)));
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
    for (let away = -NEIGHBOURS; away <= NEIGHBOURS; away++) {
      if (away !== 0) found.push(...(places.get(sequence + away) ?? []));
    }
    return found;
  }

  /** A vector of the entry, or the word that it gets none. */
  setVector(space: SpaceId, entry: Entry, vector: Float32Array | undefined): void {
    const known = this.vectors.get(space) ?? { store: new VectorStore(), done: new Set() };
    this.vectors.set(space, known);
    known.done.add(entry);
    if (vector !== undefined) known.store.set(entry, vector);
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
