/** What publishing needs, on any disk, with a guard that lets everything through. */
import type { Locks } from "../../src/platform/lock.js";
import type { Disk } from "../../src/platform/disk.js";
import { systemRandom } from "../../src/platform/clock.js";
import type { FileWriter } from "../../src/protocol/publish.js";
import type { Workspace } from "../../src/protocol/workspace.js";
import { memoryLocks } from "./memory-locks.js";
import { memoryDisk, type DiskOperation, type MemoryDisk } from "./memory-disk.js";

export const WORKSPACE: Workspace = { root: "/w" };

export function pressOn(disk: Disk): FileWriter & { locks: Locks } {
  return { disk, random: systemRandom, guard: () => Promise.resolve(), locks: memoryLocks() };
}

/** A workspace on a disk in memory, with the files named. */
export async function memoryWorkspace(
  files: Record<string, string> = {},
): Promise<{ disk: MemoryDisk; writer: FileWriter & { locks: Locks } }> {
  const disk = memoryDisk();
  await disk.makeDir("/w");
  for (const [name, text] of Object.entries(files)) {
    await disk.makeDir(`/w/${name}`.replace(/\/[^/]*$/, ""));
    disk.writeInPlace(`/w/${name}`, text);
  }
  return { disk, writer: pressOn(disk) };
}

export function errno(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** The next such operation fails once with this errno. */
export function failOnce(disk: MemoryDisk, operation: DiskOperation, code: string, where = ""): void {
  let failed = false;
  disk.before((at, path) => {
    if (failed || at !== operation || !path.includes(where)) return;
    failed = true;
    throw errno(code);
  });
}
