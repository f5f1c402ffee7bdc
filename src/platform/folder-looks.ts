/**
 * What stands in a folder, looked at again and again. Folders that are mostly still need not be: while nothing has
 * changed the same look is given, and it costs one question about the folder itself.
 *
 * A name that comes, goes or is replaced changes the folder's own time; a file that is written in place is told by a
 * watch, and where no watch can be had it is seen by the whole look that comes within the hour. Who quotes a file
 * looks at it again in any case.
 */
import { HOUR_MS, SECOND_MS } from "../model/time.js";
import type { Clock } from "./clock.js";
import type { DirEntry, Disk, FileStat } from "./disk.js";
import { join, stampOf } from "./files.js";

export interface FolderLook {
  /** All that stands there. */
  entries: readonly DirEntry[];
  /** Of what is no folder, and not hidden. */
  stats: ReadonlyMap<string, FileStat>;
  /** Names whose files could not be looked at, and why. */
  failed: ReadonlyMap<string, unknown>;
}

export interface FolderLooks {
  /** The same object as before where nothing has changed. Empty where there is no such folder; throws where it cannot be read. */
  look(dir: string): Promise<FolderLook>;
}

/** Calls `changed` for what is written in the folder, until the returned function is called. */
export type WatchFolder = (dir: string, changed: () => void) => () => void;

/** Times of folders may be so coarse: one that changed so lately may change again within the same time. */
const COARSE_MS = 3 * SECOND_MS;
const WHOLE_EACH_MS = HOUR_MS;

/** Looks at everything, each time. */
export function wholeLooks(disk: Disk): FolderLooks {
  return { look: (dir) => lookAt(disk, dir) };
}

interface Believed {
  look: FolderLook;
  stamp: string;
  /** When all of it is looked at again. */
  untilMs: number;
  unwatch: () => void;
}

export class StillFolders implements FolderLooks {
  readonly #believed = new Map<string, Believed>();
  /** Of the others, as they were. */
  readonly #lately = new Map<string, FolderLook>();

  /** `isStill`: folders that are believed; all others are looked at each time. */
  constructor(
    readonly disk: Disk,
    readonly clock: Clock,
    readonly isStill: (dir: string) => boolean,
    readonly watch: WatchFolder,
  ) {}

  async look(dir: string): Promise<FolderLook> {
    if (!this.isStill(dir)) return this.#lookEachTime(dir);
    const stat = await this.disk.stat(dir);
    const known = this.#believed.get(dir);
    const stamp = folderStamp(stat);
    const nowMs = this.clock.monotonicMs();
    if (known?.stamp === stamp && nowMs < known.untilMs) return known.look;
    this.#forget(dir);
    // Before it is looked at, so that nothing is missed between the two.
    let isWritten = false;
    const unwatch = this.watch(dir, () => {
      isWritten = true;
      this.#forget(dir);
    });
    const look = await lookAt(this.disk, dir).catch((error: unknown) => {
      unwatch();
      throw error;
    });
    const isSettled = stat !== undefined && Math.abs(this.clock.now() - stat.mtimeMs) > COARSE_MS;
    const isSame = known !== undefined && isAlike(known.look, look);
    if (isWritten || !isSettled || look.failed.size > 0) unwatch();
    else {
      // Not all of them in one minute of the hour.
      const untilMs = nowMs + WHOLE_EACH_MS * (0.5 + Math.random() / 2);
      this.#believed.set(dir, { look: isSame ? known.look : look, stamp, untilMs, unwatch });
    }
    return isSame ? known.look : look;
  }

  close(): void {
    for (const dir of [...this.#believed.keys()]) this.#forget(dir);
  }

  async #lookEachTime(dir: string): Promise<FolderLook> {
    const [before, look] = [this.#lately.get(dir), await lookAt(this.disk, dir)];
    if (before !== undefined && isAlike(before, look)) return before;
    this.#lately.set(dir, look);
    return look;
  }

  #forget(dir: string): void {
    this.#believed.get(dir)?.unwatch();
    this.#believed.delete(dir);
  }
}

async function lookAt(disk: Disk, dir: string): Promise<FolderLook> {
  const entries = await disk.list(dir);
  const names = entries.filter(({ name, kind }) => kind !== "dir" && !name.startsWith("."));
  const stats = new Map<string, FileStat>();
  const failed = new Map<string, unknown>();
  // At once: one after another would take most of the time of a start.
  const looked = await Promise.allSettled(names.map(({ name }) => disk.stat(join(dir, name))));
  for (const [at, { name }] of names.entries()) {
    const each = looked[at];
    if (each?.status === "rejected") failed.set(name, each.reason);
    else if (each?.value !== undefined) stats.set(name, each.value);
  }
  return { entries, stats, failed };
}

function folderStamp(stat: FileStat | undefined): string {
  return stat === undefined
    ? "absent"
    : `${stat.kind} ${stat.dev} ${stat.ino} ${stat.mtimeMs} ${stat.ctimeMs}`;
}

function isAlike(before: FolderLook, now: FolderLook): boolean {
  if (before.failed.size + now.failed.size > 0 || before.entries.length !== now.entries.length) return false;
  const isSameEntry = (entry: DirEntry, at: number): boolean =>
    before.entries[at]?.name === entry.name && before.entries[at].kind === entry.kind;
  if (!now.entries.every(isSameEntry) || before.stats.size !== now.stats.size) return false;
  for (const [name, stat] of now.stats) {
    const known = before.stats.get(name);
    // Links to a file change its times and nothing in it.
    if (stampOf(known) !== stampOf(stat) || known?.ctimeMs !== stat.ctimeMs) return false;
  }
  return true;
}
