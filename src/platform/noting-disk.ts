/** A disk that tells of each file that was written, given another name or removed on it. */
import type { Disk } from "./disk.js";

/** `note` gets absolute paths, once the change is made. */
export function notingDisk(disk: Disk, note: (path: string) => void): Disk {
  const after = async <T>(work: Promise<T>, path: string): Promise<T> => {
    const done = await work;
    if (done !== false) note(path);
    return done;
  };
  return {
    ...disk,
    openAppend: async (path) => {
      const out = await disk.openAppend(path);
      return { ...out, close: () => after(out.close(), path) };
    },
    rename: async (from, to) => {
      await after(disk.rename(from, to), to);
      note(from);
    },
    link: (from, to) => after(disk.link(from, to), to),
    unlink: (path) => after(disk.unlink(path), path),
    replaceDerived: (path, bytes) => after(disk.replaceDerived(path, bytes), path),
  };
}
