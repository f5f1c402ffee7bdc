/** Tells versions of a file apart without reading it. */
import type { FileStat } from "../platform/disk.js";

export function stampOf(stat: FileStat): string {
  return `${stat.mtimeMs}:${stat.size}:${stat.ino}`;
}
