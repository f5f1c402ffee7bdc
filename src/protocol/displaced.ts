/**
 * `.memd/displaced/`: inodes that memd replaced, kept for a minute.
 *
 * An editor that opened a file before memd renamed a new one over it saves into
 * the old inode. Its name holds the hash of what memd had read, so a late save
 * is noticed, after a restart too.
 */
import { contentHash } from "../platform/hash.js";
import { MINUTE_MS, type EpochMs } from "../model/time.js";
import { basename } from "../platform/path.js";
import type { Press } from "./publish.js";
import { at, FILES, type Workspace } from "./workspace.js";

const KEEP_MS = MINUTE_MS;
const NAME = /^(.+)\.([0-9a-f]{16})\.[a-z0-9]{8}$/;

/** Gives the inode a second name; undefined when it is gone already. */
export async function displace(
  press: Press,
  workspace: Workspace,
  file: string,
  read: Uint8Array,
): Promise<string | undefined> {
  const { disk, random } = press;
  await disk.makeDir(at(workspace, FILES.displaced));
  const name = at(workspace, `${FILES.displaced}/${basename(file)}.${contentHash(read)}.${random.name(8)}`);
  try {
    if (await disk.link(file, name)) return name;
  } catch (error) {
    // It may have gone at this very moment; any other failure is one.
    if ((await disk.stat(file)) !== undefined) throw error;
    return undefined;
  }
  return displace(press, workspace, file, read);
}

export interface LateSave {
  /** `history.json`, `inbox.json`. */
  file: string;
  bytes: Uint8Array;
}

/** What was saved into replaced inodes since; inodes older than a minute are let go after a last look. */
export async function lateSaves(
  press: Press,
  workspace: Workspace,
  seen: Map<string, { hash: string; since: EpochMs; mtimeMs: number }>,
  now: EpochMs,
): Promise<LateSave[]> {
  const { disk } = press;
  const saves: LateSave[] = [];
  const dir = at(workspace, FILES.displaced);
  for (const entry of await disk.list(dir)) {
    const named = NAME.exec(entry.name);
    const path = `${dir}/${entry.name}`;
    const stat = named === null ? undefined : await disk.stat(path);
    if (named === null || stat === undefined) continue;
    const known = seen.get(entry.name) ?? { hash: named[2] ?? "", since: now, mtimeMs: -1 };
    const isLastLook = now - known.since > KEEP_MS || now < known.since;
    // Two saves within one tick of the disk's clock look the same from outside: the last look reads in any case.
    if (isLastLook || known.mtimeMs !== stat.mtimeMs) {
      const bytes = await disk.read(path);
      const hash = bytes === undefined ? known.hash : contentHash(bytes);
      if (bytes !== undefined && hash !== known.hash) saves.push({ file: named[1] ?? "", bytes });
      seen.set(entry.name, { hash, since: known.since, mtimeMs: stat.mtimeMs });
    }
    if (isLastLook) {
      await disk.unlink(path);
      seen.delete(entry.name);
    }
  }
  return saves;
}
