/**
 * The real disk: the port in terms of the system's calls.
 *
 * The calls are given, so that tests can run this very code on a file system
 * that loses what was not fsynced.
 */
import { constants, type Dirent, type Stats } from "node:fs";
import fs, { type FileHandle } from "node:fs/promises";
import path from "node:path";
import { isMemdError } from "../model/errors.js";
import { systemRandom } from "./clock.js";
import {
  absentOr,
  attempt,
  diskError,
  fault,
  isDone,
  movedAway,
  rethrow,
  type DirEntry,
  type Disk,
  type FileStat,
  type OpenFile,
} from "./disk.js";
import { enclosable } from "./enclosed-disk.js";
import { hashOf, readWhole } from "./read-file.js";

const DIR_MODE = 0o700;
const FILE_MODE = 0o600;

/** What the disk is asked with. */
export type SystemCalls = Pick<
  typeof fs,
  "open" | "lstat" | "readdir" | "mkdir" | "rename" | "link" | "unlink" | "rmdir" | "realpath"
> &
  Partial<Pick<typeof fs, "opendir">> & { writeFileAtomic: WriteFileAtomic };

type WriteFileAtomic = (
  file: string,
  data: Buffer,
  options: { mode: number; fsync: boolean },
) => Promise<unknown>;

/** Loaded by the first who replaces a file: a hook does not. */
const writeFileAtomic: WriteFileAtomic = async (...given) =>
  (await import("write-file-atomic")).default(...given);

export const nodeDisk: Disk = diskOver({ ...fs, writeFileAtomic });

/** What a program writes with that owns no workspace: nobody need say that it still may. */
export const ownerless = { disk: nodeDisk, random: systemRandom, guard: () => Promise.resolve() };

/** For one that keeps a workspace open: a folder that was moved or removed meanwhile is not made again. */
export function diskBelow(root: string): Disk {
  return diskOver({ ...fs, writeFileAtomic }, root);
}

/**
 * A disk of one process: it remembers which folders' names it knows to be durable, and which it
 * failed to make so. `root`: the folder that is never made, whatever is made in it.
 */
export function diskOver(system: SystemCalls, root?: string): Disk {
  const named = new Set<string>();
  const names = namesOver(system);
  return enclosable({
    read: (file) => absentOr(readWhole(system, file, 0), "read", file),
    readFrom: (file, offset) => absentOr(readWhole(system, file, offset), "read", file),
    hash: (file) => absentOr(hashOf(system, file), "read", file),
    stat: async (file) => absentOr(system.lstat(file).then(fileStat), "look at", file),
    list: async (dir, most) => {
      const entries = await absentOr(entriesIn(system, dir, most), "list", dir);
      return (entries ?? [])
        .map((entry): DirEntry => ({
          name: entry.name,
          kind: entry.isFile() ? "file" : entry.isDirectory() ? "dir" : "other",
        }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    makeDir: (dir) => makeDir(system, named, dir, root),
    create: async (file, mode) => {
      await names.settle();
      const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
      const handle = await attempt(system.open(file, flags, FILE_MODE), "create", file, "EEXIST");
      // Opened with it, it would lose what this process leaves out of every mode.
      if (mode !== undefined) await handle?.chmod(mode).catch(rethrow("set the mode of", file));
      return handle && openFile(handle, file);
    },
    openAppend: async (file) => {
      await names.settle();
      const access = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;
      const flags = access | constants.O_NOFOLLOW | constants.O_NONBLOCK;
      const handle = await system.open(file, flags, FILE_MODE).catch(rethrow("open", file));
      return openFile(handle, file);
    },
    rename: (from, to) => system.rename(from, to).catch(rethrow("replace", to)),
    link: (from, to) => isDone(system.link(from, to), "create", to, "EEXIST"),
    unlink: async (file) => {
      // Hidden ones are temporary: what clears them away after a failure must not fail for the same reason.
      if (!path.basename(file).startsWith(".")) await names.settle();
      return isDone(system.unlink(file), "remove", file, "ENOENT", "ENOTDIR");
    },
    removeDir: (dir) => isDone(system.rmdir(dir), "remove", dir, "ENOENT", "ENOTEMPTY", "EEXIST"),
    syncDir: (dir) => names.sync(dir),
    syncFile: async (file) => {
      const flags = constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
      const out = openFile(await system.open(file, flags).catch(rethrow("open", file)), file);
      await out.datasync().finally(() => out.close());
    },
    replaceDerived: async (file, bytes) => {
      // Its one fs.write may stop short on a full disk without an error: only a whole one gets the file's name.
      const made = `${file}.0`;
      // It would write through a link, to wherever that leads.
      for (const each of [file, made]) {
        const standing = await absentOr(system.lstat(each), "look at", each);
        if (standing?.isSymbolicLink() === true)
          throw diskError(fault("ELOOP", "it is a link"), "write", each);
      }
      try {
        await system.writeFileAtomic(made, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
          mode: FILE_MODE,
          fsync: false,
        });
        if ((await system.lstat(made)).size !== bytes.byteLength) throw fault("ENOSPC", "short write");
        await system.rename(made, file);
      } catch (error) {
        // The failure that counts is the first one; what cannot be removed now is made anew, or swept at the next start.
        await system.unlink(made).catch(() => undefined);
        throw diskError(error, "write", file);
      }
    },
    realPath: (file) => absentOr(system.realpath(file), "look at", file),
  });
}

/** A folder of millions is not held in memory for the sake of its first names. */
async function entriesIn(system: SystemCalls, dir: string, most?: number): Promise<Dirent[]> {
  if (most === undefined || system.opendir === undefined) return system.readdir(dir, { withFileTypes: true });
  const entries: Dirent[] = [];
  for await (const entry of await system.opendir(dir, { bufferSize: ENTRIES_AT_ONCE })) {
    entries.push(entry);
    if (entries.length >= most) break;
  }
  return entries;
}

const ENTRIES_AT_ONCE = 1024;

/**
 * A folder that stands may have been made by a process that died, or failed,
 * before its name was on the disk: so each is seen to once, with its parents.
 * `named`: those that are known to be on the disk, with all above them.
 */
async function makeDir(system: SystemCalls, named: Set<string>, dir: string, root?: string): Promise<void> {
  const isBelow = root !== undefined && `${dir}${path.sep}`.startsWith(`${root}${path.sep}`);
  const making = isBelow
    ? makeBelow(system, root, dir)
    : system
        .mkdir(dir, { recursive: true, mode: DIR_MODE })
        // On a read-only disk Node says ENOENT for the recursive form; the plain one says why.
        .catch((error: NodeJS.ErrnoException) =>
          error.code === "ENOENT" ? system.mkdir(dir, { mode: DIR_MODE }) : Promise.reject(error),
        );
  const made = await making.catch(rethrow("create", dir));
  const synced: string[] = [];
  for (let at = path.resolve(dir); at !== path.dirname(at); at = path.dirname(at)) {
    const isNew = made !== undefined && at.length >= made.length;
    if (!isNew && named.has(at)) break;
    const above = path.dirname(at);
    await syncDir(system, above).catch((error: unknown) => {
      // Where another user's folders begin, nothing of ours is to be made durable.
      if (isNew || !isMemdError(error, "disk_denied")) throw error;
    });
    synced.push(at);
  }
  for (const folder of synced) named.add(folder);
}

/**
 * The first folder that it made. One after another from `root`, which is not made: looking whether it
 * stands and then making all of them would make it again where it goes in between.
 */
async function makeBelow(system: SystemCalls, root: string, dir: string): Promise<string | undefined> {
  if ((await absentOr(system.lstat(dir), "look at", dir))?.isDirectory() === true) return undefined;
  if (dir === root) throw movedAway(root);
  let first: string | undefined;
  let at = root;
  for (const part of path.relative(root, dir).split(path.sep)) {
    const above = at;
    at = path.join(above, part);
    try {
      await system.mkdir(at, { mode: DIR_MODE });
      first ??= at;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT" && above === root) throw movedAway(root, error);
      // A file in its place is met by whoever writes there.
      if (code !== "EEXIST") throw error;
    }
  }
  return first;
}

interface Names {
  /** Makes the names in a folder durable. */
  sync(dir: string): Promise<void>;
  /** Makes durable what an earlier `sync` could not; nothing else is written or removed before that. */
  settle(): Promise<void>;
}

/**
 * A file that got its name stands there for whoever tries again after a failed
 * fsync of its folder, as if nothing were left to do. So that folder is tried
 * again, through a new descriptor, before the next thing.
 */
function namesOver(system: SystemCalls): Names {
  const owed = new Set<string>();
  const sync = async (dir: string): Promise<void> => {
    // Another one that is under way may have begun before the names that this is for.
    const wasOwed = owed.has(dir);
    await syncDir(system, dir).catch((error: unknown) => {
      owed.add(dir);
      throw error;
    });
    if (wasOwed) owed.delete(dir);
  };
  const settle = async (): Promise<void> => {
    for (const dir of owed) {
      const stands = await absentOr(system.lstat(dir), "look at", dir);
      if (stands === undefined) owed.delete(dir);
      else await sync(dir);
    }
  };
  return { sync, settle };
}

async function syncDir(system: SystemCalls, dir: string): Promise<void> {
  const handle = await system.open(dir, constants.O_RDONLY).catch(rethrow("sync", dir));
  try {
    await handle.sync();
  } catch (error) {
    // Some systems cannot fsync a folder at all (Windows, a few network mounts): there is nothing stronger to do.
    const errno = (error as { code?: string }).code;
    if (errno !== "EINVAL" && errno !== "EISDIR" && errno !== "ENOTSUP") throw diskError(error, "sync", dir);
  } finally {
    await handle.close().catch(rethrow("sync", dir));
  }
}

function openFile(handle: FileHandle, file: string): OpenFile {
  return {
    write: async (bytes) => {
      let offset = 0;
      while (offset < bytes.byteLength) {
        const { bytesWritten } = await handle
          .write(bytes, offset, bytes.byteLength - offset, null)
          .catch(rethrow("write", file));
        if (bytesWritten === 0) throw diskError(fault("ENOSPC", "nothing written"), "write", file);
        offset += bytesWritten;
      }
    },
    sync: () => handle.sync().catch(rethrow("sync", file)),
    datasync: () => handle.datasync().catch(rethrow("sync", file)),
    truncate: (size) => handle.truncate(size).catch(rethrow("cut back", file)),
    stat: () => handle.stat().then(fileStat).catch(rethrow("look at", file)),
    close: () => handle.close().catch(rethrow("close", file)),
  };
}

function fileStat(stat: Stats): FileStat {
  const kind = stat.isFile() ? "file" : stat.isDirectory() ? "dir" : "other";
  const { size, mtimeMs, ctimeMs, ino, dev, mode, nlink } = stat;
  return { kind, size, mtimeMs, ctimeMs, ino, dev, mode, nlink };
}
