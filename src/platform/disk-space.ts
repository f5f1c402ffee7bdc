/** How much room a disk has. */
import fs from "node:fs/promises";

export interface DiskSpace {
  /** That this user may fill. */
  freeBytes: number;
  totalBytes: number;
}

/** Undefined where the disk does not say. */
export async function diskSpace(path: string): Promise<DiskSpace | undefined> {
  const stat = await fs.statfs(path).catch(() => undefined);
  return stat && { freeBytes: stat.bavail * stat.bsize, totalBytes: stat.blocks * stat.bsize };
}
