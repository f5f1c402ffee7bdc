/** What is packed, unpacked: zip and Zstandard. Pure. */
import { unzipSync } from "fflate";
import { decompress } from "fzstd";

export interface Unpacked {
  /** Relative, with `/` between parts. */
  path: string;
  bytes: Uint8Array;
}

/** Of one file of a zip: what is longer once unpacked is no conversation. */
const LONGEST_BYTES = 512 * 1024 * 1024;

/** The files of a zip that are wanted. Throws what is wrong with it. */
export function unzipped(bytes: Uint8Array, isWanted: (path: string) => boolean): Unpacked[] {
  const files = unzipSync(bytes, {
    filter: ({ name, originalSize }) => isWanted(name) && originalSize <= LONGEST_BYTES,
  });
  return Object.entries(files)
    .map(([path, content]) => ({ path, bytes: content }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** Throws what is wrong with it. */
export function unzstandarded(bytes: Uint8Array): Uint8Array {
  return decompress(bytes);
}
