/** What stands together behind one wall in memory: its shelf, who speaks there, and who stands next to whom. */
import type { Passage } from "../../model/passage.js";
import { NEIGHBOURS } from "./candidates.js";
import type { SpaceId } from "../../model/space.js";
import type { Document } from "./document.js";
import type { Entry } from "./segment.js";
import { Shelf } from "./shelf.js";
import { VectorShelf } from "./vectors.js";
import type { WallId } from "./walls.js";

/** What an entry holds; the passage is replaced when only its lines moved. */
export interface Content {
  passage: Passage;
  document: Document;
  wall: WallId;
  /** Names this version of the passage. */
  key: string;
}

export class Room {
  readonly shelf = new Shelf<Content>();
  /** How many turns each has. */
  readonly speakers = new Map<string, number>();
  /** Vectors of its entries by space; undefined for one that gets none. */
  readonly vectors = new Map<SpaceId, { shelf: VectorShelf<Entry<Content>>; done: Set<Entry<Content>> }>();
  readonly #places = new Map<string, Map<number, Set<Entry<Content>>>>();
  /** Terms and windows in all passages together, without the names of those who speak. */
  length = 0;
  windows = 0;

  add(entry: Entry<Content>): void {
    this.shelf.add(entry);
    const { document } = entry.content;
    const { conversation, sequence } = document;
    this.length += document.length;
    this.windows += document.windows.length;
    this.#count(document.speaker, 1);
    if (conversation === undefined || sequence === undefined) return;
    const places = this.#places.get(conversation) ?? new Map<number, Set<Entry<Content>>>();
    // Two while a day stands in two files.
    const here = places.get(sequence) ?? new Set();
    this.#places.set(conversation, places.set(sequence, here.add(entry)));
  }

  delete(entry: Entry<Content>): void {
    this.shelf.delete(entry);
    for (const { shelf, done } of this.vectors.values()) {
      shelf.delete(entry);
      done.delete(entry);
    }
    const { document } = entry.content;
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
  around({ conversation, sequence }: Document): Entry<Content>[] {
    const places = conversation === undefined ? undefined : this.#places.get(conversation);
    if (places === undefined || sequence === undefined) return [];
    const found: Entry<Content>[] = [];
    for (let away = -NEIGHBOURS; away <= NEIGHBOURS; away++) {
      if (away !== 0) found.push(...(places.get(sequence + away) ?? []));
    }
    return found;
  }

  /** A vector of the entry, or the word that it gets none. */
  setVector(space: SpaceId, entry: Entry<Content>, vector: Float32Array | undefined): void {
    const known = this.vectors.get(space) ?? { shelf: new VectorShelf(), done: new Set() };
    this.vectors.set(space, known);
    known.done.add(entry);
    if (vector !== undefined) known.shelf.set(entry, vector);
  }

  #count(speaker: string | undefined, step: 1 | -1): void {
    if (speaker === undefined) return;
    const count = (this.speakers.get(speaker) ?? 0) + step;
    if (count === 0) this.speakers.delete(speaker);
    else this.speakers.set(speaker, count);
  }
}
