/**
 * Everything in one partition in memory, and each part of it by itself: a part is
 * a segment like the whole, with its own statistics, so that what is asked of it
 * knows nothing of the others.
 */
import type { SpaceId } from "../../model/space.js";
import { Segment, type Entry } from "./segment.js";
import { partOf, type OpenPartition, type Partition } from "./partitions.js";

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
    const segment = this.#parts.get(part) ?? new Segment();
    this.#parts.set(part, segment);
    segment.add(entry);
  }

  delete(entry: Entry): void {
    this.whole.delete(entry);
    const part = partOf(entry.passage);
    const segment = part === undefined ? undefined : this.#parts.get(part);
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
