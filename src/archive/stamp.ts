/** Tells versions of a file apart without reading it. */
import type { FileStat } from "../platform/disk.js";

/** Of a file that is not there: `absent`. */
export function stampOf(stat: FileStat | undefined): string {
  return stat === undefined ? "absent" : `${stat.mtimeMs}:${stat.size}:${stat.ino}`;
}
