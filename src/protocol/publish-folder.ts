/**
 * Publishing a folder: it stands under its name whole, or not at all. It is filled under a hidden
 * name beside its own, made durable, and renamed.
 */
import { HOUR_MS, later, type EpochMs } from "../model/time.js";
import type { Disk } from "../platform/disk.js";
import { basename, dirname, join } from "../platform/files.js";
import { type FileWriter, isTempName } from "./publish.js";

/** What `fill` gives. `folder` is not there yet, or empty. */
export async function publishFolder<T>(
  writer: FileWriter,
  folder: string,
  fill: (temp: string) => Promise<T>,
): Promise<T> {
  const { disk } = writer;
  return withTempFolder(writer, folder, async (temp) => {
    const made = await fill(temp);
    await disk.makeDir(temp);
    await syncAll(disk, temp);
    // An empty one gives way; what has come into it meanwhile makes the renaming fail.
    await disk.removeDir(folder);
    await disk.rename(temp, folder);
    await disk.syncDir(dirname(folder));
    return made;
  });
}

/** A hidden name beside `of` for a folder that `use` makes and that is gone afterwards, unless it has another name by then. */
export async function withTempFolder<T>(
  { disk, random }: Pick<FileWriter, "disk" | "random">,
  of: string,
  use: (temp: string) => Promise<T>,
): Promise<T> {
  const temp = join(dirname(of), `.${basename(of)}.${random.name(8)}.tmp`);
  try {
    return await use(temp);
  } finally {
    await removeAll(disk, temp);
  }
}

/** What killed processes have left of folders that were to be `of`. */
export async function sweepTempFolders(disk: Disk, of: string, now: EpochMs): Promise<void> {
  const prefix = `.${basename(of)}.`;
  for (const { kind, name } of await disk.list(dirname(of))) {
    if (kind !== "dir" || !name.startsWith(prefix) || !isTempName(name)) continue;
    const folder = join(dirname(of), name);
    const stat = await disk.stat(folder);
    if (stat !== undefined && stat.mtimeMs < later(now, -HOUR_MS)) await removeAll(disk, folder);
  }
}

/** With all that is in it; links go, and what they lead to stays. */
async function removeAll(disk: Disk, folder: string): Promise<void> {
  if ((await disk.stat(folder))?.kind !== "dir") return;
  for (const { kind, name } of await disk.list(folder)) {
    if (kind === "dir") await removeAll(disk, join(folder, name));
    else await disk.unlink(join(folder, name));
  }
  await disk.removeDir(folder);
}

const SYNCED_AT_ONCE = 8;

async function syncAll(disk: Disk, folder: string): Promise<void> {
  const entries = await disk.list(folder);
  for (let from = 0; from < entries.length; from += SYNCED_AT_ONCE)
    await Promise.all(
      entries.slice(from, from + SYNCED_AT_ONCE).map(({ kind, name }) => {
        const path = join(folder, name);
        return kind === "dir" ? syncAll(disk, path) : disk.syncFile(path);
      }),
    );
  await disk.syncDir(folder);
}
