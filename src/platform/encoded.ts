/**
 * Long texts on their way to the disk: made, hashed and written a piece at a time, so
 * that what is long stands nowhere whole a second time.
 */
import type { Pace } from "../model/work.js";
import { isUtf8 } from "node:buffer";
import { contentHasher } from "./files.js";

export { isUtf8 };

/** Shorter ones are written at once. */
const PIECE_CHARS = 1024 * 1024;

/** UTF-8 of texts in order, made anew whenever it is gone through. */
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
    let bytes = 0;
    let texts: string[] = [];
    let chars = 0;
    const piece = (): Uint8Array => {
      const made = Buffer.from(texts.join(""));
      [texts, chars] = [[], 0];
      hasher.update(made);
      bytes += made.byteLength;
      return made;
    };
    for (const text of this.texts()) {
      texts.push(text);
      chars += text.length;
      await this.pace();
      if (chars >= PIECE_CHARS) yield piece();
    }
    if (texts.length > 0) yield piece();
    [this.bytes, this.hash] = [bytes, hasher.digest()];
  }

  /** Goes through it for its size and hash alone. */
  async measured(): Promise<Pick<Encoded, "bytes" | "hash">> {
    for await (const _piece of this);
    return { bytes: this.bytes, hash: this.hash };
  }
}
