/**
 * Long texts on their way to the disk: made, hashed and written a piece at a time, so
 * that what is long stands nowhere whole a second time.
 */
import type { Pace } from "../model/work.js";
import { isUtf8 } from "node:buffer";
import { contentHasher } from "./files.js";

export { isUtf8 };

const PIECE_BYTES = 1024 * 1024;
/** Most texts are no longer than the first piece. */
const FIRST_BYTES = 64 * 1024;
/** Of one character. */
const MOST_BYTES = 4;

const encoder = new TextEncoder();

/** UTF-8 of texts in order, made anew whenever it is gone through. A piece is true until the next one is asked for. */
export class Encoded implements AsyncIterable<Uint8Array> {
  /** Of the last time it was gone through, to its end. */
  bytes = 0;
  /** `contentHash` of the same. */
  hash = "";

  constructor(
    readonly texts: () => Iterable<string>,
    /** Awaited between texts. */
    readonly pace: Pace,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const hasher = contentHasher();
    let room = new Uint8Array(FIRST_BYTES);
    let [bytes, filled] = [0, 0];
    const piece = (): Uint8Array => {
      const made = room.subarray(0, filled);
      hasher.update(made);
      bytes += filled;
      filled = 0;
      return made;
    };
    for (const text of this.texts()) {
      for (let at = 0; at < text.length;) {
        const { read, written } = encoder.encodeInto(at === 0 ? text : text.slice(at), room.subarray(filled));
        at += read;
        filled += written;
        if (room.length - filled >= MOST_BYTES) continue;
        yield piece();
        if (room.length < PIECE_BYTES) room = new Uint8Array(PIECE_BYTES);
      }
      await this.pace();
    }
    if (filled > 0) yield piece();
    [this.bytes, this.hash] = [bytes, hasher.digest()];
  }

  /** Goes through it for its size and hash alone. */
  async measured(): Promise<Pick<Encoded, "bytes" | "hash">> {
    for await (const _piece of this);
    return { bytes: this.bytes, hash: this.hash };
  }
}
