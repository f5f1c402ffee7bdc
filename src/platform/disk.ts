/**
 * The disk as a port: the operations whose order decides what a crash can
 * leave behind, one method each, so that tests can log, fail and reorder them.
 *
 * Paths are absolute. What is not there is a value, not an error; every other
 * failure is a MemdError of a disk code. Symbolic links are never followed at
 * the last part of a path, and below a workspace at no part of it.
 */
import { MemdError, messageOf } from "../model/errors.js";

export interface FileStat {
  kind: "file" | "dir" | "other";
  size: number;
  mtimeMs: number;
  /** When it, or its names, last changed; nobody can set it. */
  ctimeMs: number;
  ino: number;
  dev: number;
  mode: number;
  /** How many names the file has. */
  nlink: number;
}

export interface DirEntry {
  name: string;
  kind: "file" | "dir" | "other";
}

export interface OpenFile {
  /** All the bytes, or an error. */
  write(bytes: Uint8Array): Promise<void>;
  sync(): Promise<void>;
  datasync(): Promise<void>;
  /** Only so many bytes stay. */
  truncate(size: number): Promise<void>;
  stat(): Promise<FileStat>;
  close(): Promise<void>;
}

export interface Disk {
  /** The whole file; undefined when it is not there. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Bytes from `offset` to the end; undefined when it is not there. */
  readFrom(path: string, offset: number): Promise<Uint8Array | undefined>;
  /** `contentHash` of the whole file, of which no more than a piece is held; undefined when it is not there. */
  hash(path: string): Promise<string | undefined>;
  stat(path: string): Promise<FileStat | undefined>;
  /** Sorted by name; empty when the folder is not there. `most`: so many are enough, whichever they are. */
  list(dir: string, most?: number): Promise<DirEntry[]>;
  /** With its parents, 0700; returns once the new entries are durable. */
  makeDir(dir: string): Promise<void>;
  /** A new file, 0600 unless another mode is given; undefined when the name is taken. */
  create(path: string, mode?: number): Promise<OpenFile | undefined>;
  /** For appending; made with 0600 when it is not there. One that has another name is replaced by a copy first: under that nothing is written. */
  openAppend(path: string): Promise<OpenFile>;
  rename(from: string, to: string): Promise<void>;
  /** A second name for the file; false when `to` is taken. */
  link(from: string, to: string): Promise<boolean>;
  /** False when it was not there. */
  unlink(path: string): Promise<boolean>;
  /** An empty folder; false when it was not there or not empty. */
  removeDir(dir: string): Promise<boolean>;
  syncDir(dir: string): Promise<void>;
  /** What stands in the file is durable afterwards; its name is by `syncDir`. */
  syncFile(path: string): Promise<void>;
  /**
   * Whole-file replacement of something that can be made again: temp, write,
   * rename. It is in place before it is durable; `syncFile` comes after.
   */
  replaceDerived(path: string, bytes: Uint8Array): Promise<void>;
  /** With links resolved; undefined when it is not there. */
  realPath(path: string): Promise<string | undefined>;
  /** From now on what is below `root` is reached through no link; throws `folder_linked` where one would lead. */
  enclose(root: string, enclosure: Enclosure): void;
}

/** Of a workspace; folders are relative, with `/` between parts. */
export interface Enclosure {
  /** Whether memd keeps its own things there: then a link in its place is never taken for nothing. */
  isOwn: (dir: string) => boolean;
  /** Those that their owner has linked elsewhere on purpose. Asked where a link leads to a folder that was not named before. */
  linked: () => Promise<readonly string[]>;
}

const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
const DENIED = new Set(["EACCES", "EPERM", "EROFS"]);

/** The MemdError for a failed disk operation. */
export function diskError(error: unknown, doing: string, path: string): MemdError {
  if (error instanceof MemdError) return error;
  const errno = (error as { code?: string } | undefined)?.code ?? "";
  if (FULL.has(errno))
    return new MemdError("disk_full", `No room on the disk to ${doing} ${path}.`, { cause: error });
  if (DENIED.has(errno))
    return new MemdError("disk_denied", `Not allowed to ${doing} ${path}.`, { cause: error });
  return new MemdError("disk_fault", `Could not ${doing} ${path}: ${messageOf(error)}.`, { cause: error });
}

/** What a memd ends with that finds its workspace gone, and whoever else has one open. */
export function movedAway(root: string, cause?: unknown): MemdError {
  const message = `${root} is not the folder any more that memd works in: it was moved, removed or replaced.`;
  return new MemdError("workspace_moved", message, { cause });
}

/** An error as the system would give it. */
export function fault(code: string, what: string): Error {
  return Object.assign(new Error(what), { code });
}

export function rethrow(doing: string, file: string): (error: unknown) => never {
  return (error) => {
    throw diskError(error, doing, file);
  };
}

/** Undefined where it failed with one of the expected codes. */
export async function attempt<T>(
  work: Promise<T>,
  doing: string,
  file: string,
  ...expected: string[]
): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (expected.includes((error as { code?: string }).code ?? "")) return undefined;
    throw diskError(error, doing, file);
  }
}

export function absentOr<T>(work: Promise<T>, doing: string, file: string): Promise<T | undefined> {
  return attempt(work, doing, file, "ENOENT", "ENOTDIR");
}

/** False where it failed as expected. */
export async function isDone(
  work: Promise<void>,
  doing: string,
  file: string,
  ...expected: string[]
): Promise<boolean> {
  return (
    (await attempt(
      work.then(() => true),
      doing,
      file,
      ...expected,
    )) ?? false
  );
}
