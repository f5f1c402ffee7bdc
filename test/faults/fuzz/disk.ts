/** A small disk in memory with one thing on it. */
import { dirname } from "../../../src/platform/files.js";
import { memoryDisk, type MemoryDisk } from "../../support/memory-disk.js";

export async function diskWith(...dirs: readonly string[]): Promise<MemoryDisk> {
  const disk = memoryDisk();
  for (const dir of dirs) await disk.makeDir(dir);
  return disk;
}

/** The file's bytes, whatever they are. */
export async function put(disk: MemoryDisk, file: string, bytes: Uint8Array): Promise<void> {
  await disk.makeDir(dirname(file));
  await disk.unlink(file);
  const out = await disk.create(file);
  await out?.write(bytes);
  await out?.close();
}
