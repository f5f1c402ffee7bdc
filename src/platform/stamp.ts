/** Tells versions of a file apart without reading it: size, time and inode. */
import type { FileStat } from "./disk.js";

/** `120 1767225600000 42`; of a file that is not there `absent`. */
export function stampOf(stat: FileStat | undefined): string {
  return stat === undefined ? "absent" : `${stat.size} ${stat.mtimeMs} ${stat.ino}`;
}
