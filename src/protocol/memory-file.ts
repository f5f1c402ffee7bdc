/**
 * Rewriting `memory.md`: memd changes lines of it, people edit it at the same time.
 *
 * It is replaced only after it has stood unchanged for a second, since an editor
 * may be in the middle of a save; what memd itself wrote last needs no such wait.
 * Everything outside the change stays byte for byte. What an editor saves into
 * the replaced file is merged by archive/late-saves.ts.
 */
import { MemdError } from "../model/errors.js";
import { SECOND_MS } from "../model/time.js";
import type { Clock } from "../platform/clock.js";
import { type Disk, type FileStat } from "../platform/disk.js";
import { stampOf } from "../platform/files.js";
import type { Locks } from "../platform/lock.js";
import { setAside } from "./conflicts.js";
import { textIn, type FileWriter } from "./publish.js";
import { rewriteShared } from "./shared-file.js";
import { at, FILES, type Workspace } from "./workspace.js";

const REST_MS = SECOND_MS;
/** Somebody writes it all the time: give way and say so. */
const PATIENCE_MS = 15 * SECOND_MS;
/** A timer may fire a little early; it must not fire for nothing over and over. */
const SHORTEST_WAIT_MS = 10;

/** What memd wrote last on a disk: nobody's unfinished save. */
const ownStamps = new WeakMap<Disk, string>();

/** Runs each try; what waits for the file to rest is outside of it, so that others get on meanwhile. */
type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

type TextChange = (text: string) => string | undefined | Promise<string | undefined>;

/**
 * Gives `change` the text ("" when there is no file) and writes what it returns;
 * undefined or the same text leaves the file. True when it was rewritten. `change`
 * runs again when the file changed meanwhile. Throws `file_contended` when the
 * file never rests, `file_unreadable` when it is no text.
 */
export async function rewriteMemory(
  writer: FileWriter & { locks: Locks },
  workspace: Workspace,
  clock: Clock,
  change: TextChange,
  inTurn: InTurn = (work) => work(),
): Promise<boolean> {
  const file = at(workspace, FILES.memory);
  const startedMs = clock.monotonicMs();
  let seen = { stamp: stampOf(await writer.disk.stat(file)), sinceMs: startedMs };
  for (;;) {
    const isRested = clock.monotonicMs() - seen.sinceMs >= REST_MS;
    const rested = isRested ? seen.stamp : undefined;
    const end = await inTurn(() => tryRewriteMemory(writer, workspace, change, rested));
    if (end.is !== "restless") return end.is === "rewritten";
    if (clock.monotonicMs() - startedMs > PATIENCE_MS)
      throw new MemdError("file_contended", `${file} is being changed all the time.`);
    if (end.stamp !== seen.stamp) seen = { stamp: end.stamp, sinceMs: clock.monotonicMs() };
    const unseenMs = REST_MS - (clock.monotonicMs() - seen.sinceMs);
    await clock.sleep(Math.max(Math.min(end.waitMs, unseenMs), SHORTEST_WAIT_MS));
  }
}

export type MemoryRewrite =
  | { is: "rewritten" }
  | { is: "left" }
  /** Changed less than a second ago, and by somebody else: to be tried again in `waitMs`. */
  | { is: "restless"; stamp: string; waitMs: number };

/** The same at once or not at all; `rested` is the stamp of a file that was seen standing for a second. */
export async function tryRewriteMemory(
  writer: FileWriter & { locks: Locks },
  workspace: Workspace,
  change: TextChange,
  rested?: string,
): Promise<MemoryRewrite> {
  const { disk } = writer;
  const file = at(workspace, FILES.memory);
  let end: MemoryRewrite = { is: "left" };
  const written = await rewriteShared(writer, workspace, file, async (present) => {
    const stat = await disk.stat(file);
    const stamp = stampOf(stat);
    end = { is: "left" };
    if (stamp !== rested && stamp !== ownStamps.get(disk)) {
      const waitMs = REST_MS - (await ageMs(writer, workspace, stat));
      if (waitMs > 0) {
        end = { is: "restless", stamp, waitMs };
        return undefined;
      }
    }
    const text = present === undefined ? "" : await textOf(writer, workspace, present);
    const next = await change(text);
    return next === undefined || next === text ? undefined : new TextEncoder().encode(next);
  });
  if (written === undefined) return end;
  ownStamps.set(disk, stampOf(written));
  return { is: "rewritten" };
}

/**
 * How long ago it was written, by the clock of the disk: that of a network mount,
 * or a memd that was told another time, may be far from ours. A time ahead is as
 * good as one long past; that a file is not there says nothing of since when.
 */
async function ageMs(writer: FileWriter, workspace: Workspace, stat: FileStat | undefined): Promise<number> {
  if (stat === undefined) return 0;
  const { disk, random } = writer;
  await disk.makeDir(at(workspace, FILES.derived));
  const probe = at(workspace, `${FILES.derived}/.now.${random.name(8)}.tmp`);
  const out = await disk.create(probe);
  if (out === undefined) return 0;
  try {
    return Math.abs((await out.stat()).mtimeMs - stat.mtimeMs);
  } finally {
    await out.close();
    await disk.unlink(probe);
  }
}

/** Text with a byte order mark, if it has one; a file that is none is left to its owner, with a copy for a person. */
async function textOf(writer: FileWriter, workspace: Workspace, bytes: Uint8Array): Promise<string> {
  const text = decoded(bytes);
  if (text !== undefined) return text;
  await setAside(writer, workspace, FILES.memory, bytes, "unreadable");
  throw new MemdError("file_unreadable", `${FILES.memory} is not UTF-8 text; it was left as it is.`);
}

/** Undefined when it is no UTF-8. UTF-16 often passes for it, but no text has a zero byte. */
export function decoded(bytes: Uint8Array): string | undefined {
  return bytes.includes(0) ? undefined : textIn(bytes);
}
