/**
 * Everything behind one wall in memory, and each part of it by itself: a part is
 * a room like the whole, with its own statistics, so that what is asked of it
 * knows nothing of the others.
 */
import type { SpaceId } from "../../model/space.js";
import { Room, type Entry } from "./room.js";
import { partOf, type OpenWall, type Wall } from "./walls.js";

export class Hall {
  readonly whole = new Room();
  readonly #parts = new Map<string, Room>();

  constructor(readonly wall: Wall) {}

  /** What is open of it; undefined where nothing is. */
  openTo({ session }: OpenWall): Room | undefined {
    return session === undefined ? this.whole : this.#parts.get(session);
  }

  rooms(): Room[] {
    return [this.whole, ...this.#parts.values()];
  }

  add(entry: Entry): void {
    this.whole.add(entry);
    const part = partOf(entry.passage);
    if (part === undefined) return;
    const room = this.#parts.get(part) ?? new Room();
    this.#parts.set(part, room);
    room.add(entry);
  }

  delete(entry: Entry): void {
    this.whole.delete(entry);
    const part = partOf(entry.passage);
    const room = part === undefined ? undefined : this.#parts.get(part);
    room?.delete(entry);
    if (part !== undefined && room?.entries.size === 0) this.#parts.delete(part);
  }

  /** A vector of the entry, or the word that it gets none. */
  setVector(space: SpaceId, entry: Entry, vector: Float32Array | undefined): void {
    this.whole.setVector(space, entry, vector);
    this.#partWith(entry)?.setVector(space, entry, vector);
  }

  forgetSpace(space: SpaceId): void {
    for (const { vectors } of this.rooms()) vectors.delete(space);
  }

  #partWith({ passage }: Entry): Room | undefined {
    const part = partOf(passage);
    return part === undefined ? undefined : this.#parts.get(part);
  }
}
