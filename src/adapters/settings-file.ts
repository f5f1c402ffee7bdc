/**
 * Settings of another agent on the disk, which may be running and write them itself.
 *
 * They are replaced whole, with the mode they have and through a link that stands in their place, and only as
 * they were read: what changed meanwhile is read again. Killed anywhere, the old file stands or the new one;
 * what was left of an attempt goes with the next.
 */
import { MemdError, messageOf } from "../model/errors.js";
import { MINUTE_MS } from "../model/time.js";
import type { Disk } from "../platform/disk.js";
import { basename, dirname, join } from "../platform/files.js";
import { type FileWriter, isTempName, REMOVED, rewriteFile, textIn } from "../protocol/publish.js";
import { Unusable } from "./unusable.js";

/** Undefined where it is not there. Throws `host_settings` for what is no text. */
export async function readSettingsText(disk: Disk, path: string): Promise<string | undefined> {
  return inWords(path, await disk.read((await placeOf(disk, path)).place));
}

type Outcome = "same" | "written" | "removed";

/** `change` gives what is to stand, and undefined for no file; it runs again where the file changed meanwhile. */
export async function rewriteSettings(
  writer: FileWriter,
  path: string,
  change: (text: string | undefined) => Promise<string | undefined>,
): Promise<Outcome> {
  const { disk } = writer;
  const { place, isLinked } = await placeOf(disk, path);
  const create: Disk["create"] = async (temp) => {
    const mode = (await disk.stat(place))?.mode;
    return disk.create(temp, mode === undefined ? undefined : mode & ALL_RIGHTS);
  };
  let outcome: Outcome = "same";
  const isChanged = await rewriteFile({ ...writer, disk: { ...disk, create } }, place, async (bytes) => {
    const next = await change(inWords(path, bytes));
    outcome = next === undefined ? "removed" : "written";
    // A link is its owner's: behind it an empty file stays, not none.
    if (next === undefined) return bytes === undefined ? undefined : isLinked ? "" : REMOVED;
    return next;
  });
  await sweepOwn(disk, place);
  return isChanged ? outcome : "same";
}

const ALL_RIGHTS = 0o7777;

/** Runs what throws `Unusable`, and says of which file it does. */
export function ofFile<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    const line = error.line === undefined ? "" : `, line ${error.line}`;
    throw new MemdError("host_settings", `${path}${line}: ${messageOf(error).replace(/\.$/, "")}.`, {
      cause: error,
    });
  }
}

function inWords(path: string, bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  const text = textIn(bytes);
  return ofFile(path, () => {
    if (text === undefined) throw new Unusable("it is not UTF-8 text");
    return text;
  });
}

/** The file itself, behind every link. */
async function placeOf(disk: Disk, path: string): Promise<{ place: string; isLinked: boolean }> {
  const stat = await disk.stat(path);
  const place = await disk.realPath(path);
  if (stat !== undefined && place === undefined)
    throw new MemdError("host_settings", `${path} is a link to a file that is not there.`);
  return { place: place ?? path, isLinked: stat?.kind === "other" };
}

/** What is so much older than the file is no attempt that is under way. */
const LEFT_MS = MINUTE_MS;

async function sweepOwn(disk: Disk, place: string): Promise<void> {
  const folder = dirname(place);
  const before = (await disk.stat(place))?.mtimeMs ?? 0;
  for (const { name } of await disk.list(folder)) {
    if (!name.startsWith(`.${basename(place)}.`) || !isTempName(name)) continue;
    const temp = join(folder, name);
    const stat = await disk.stat(temp);
    if (stat?.kind === "file" && stat.mtimeMs < before - LEFT_MS) await disk.unlink(temp);
  }
}
