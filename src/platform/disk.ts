/**
 * The disk as a port: the operations whose order decides what a crash can
 * leave behind, one method each, so that tests can log, fail and reorder them.
 *
 * Paths are absolute. What is not there is a value, not an error; every other
 * failure is a MemdError of a disk code. Symbolic links are never followed at
 * the last part of a path, and below a workspace at no part of it.
 */
import path from "node:path";
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
  stat(path: string): Promise<FileStat | undefined>;
  /** Sorted by name; empty when the folder is not there. `most`: so many are enough, whichever they are. */
  list(dir: string, most?: number): Promise<DirEntry[]>;
  /** With its parents, 0700; returns once the new entries are durable. */
  makeDir(dir: string): Promise<void>;
  /** A new file, 0600; undefined when the name is taken. */
  create(path: string): Promise<OpenFile | undefined>;
  /** For appending; made with 0600 when it is not there. */
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

/** A folder that was found to be one is looked at again after this. */
const BELIEVED_MS = 1000;
const MOST_BELIEVED = 10_000;
/** A link to nothing under such a name is that of a file. */
const FILE_NAME = /\.(?:md|jsonl?|txt|toml)$/;

/** A disk whose workspaces are reached through their own folders alone; `disk` says of a link that it is of another kind. */
export function enclosable(disk: Omit<Disk, "enclose">): Disk {
  const ways = new Ways(disk);
  const within =
    <A extends unknown[], T>(work: (dir: string, ...rest: A) => Promise<T>) =>
    async (dir: string, ...rest: A): Promise<T> => {
      await ways.pass(dir);
      return work(dir, ...rest);
    };
  const beside =
    <A extends unknown[], T>(work: (file: string, ...rest: A) => Promise<T>) =>
    async (file: string, ...rest: A): Promise<T> => {
      await ways.pass(path.dirname(file));
      return work(file, ...rest);
    };
  const between =
    <T>(work: (from: string, to: string) => Promise<T>) =>
    async (from: string, to: string): Promise<T> => {
      await ways.pass(path.dirname(from));
      await ways.pass(path.dirname(to));
      return work(from, to);
    };
  return {
    read: beside(disk.read),
    readFrom: beside(disk.readFrom),
    stat: beside(async (file) => {
      const stat = await disk.stat(file);
      const to = stat?.kind === "other" ? await ways.followed(file) : undefined;
      return to === undefined ? stat : disk.stat(to);
    }),
    list: within(async (dir, most) => {
      const entries = await disk.list(dir, most);
      if (entries.every(({ kind }) => kind !== "other")) return entries;
      return Promise.all(
        entries.map(async ({ name, kind }): Promise<DirEntry> => {
          const to = kind === "other" ? await ways.expected(path.join(dir, name)) : undefined;
          return { name, kind: to === undefined ? kind : "dir" };
        }),
      );
    }),
    makeDir: within(disk.makeDir),
    create: beside(disk.create),
    openAppend: beside(disk.openAppend),
    rename: between(disk.rename),
    link: between(disk.link),
    unlink: beside(disk.unlink),
    removeDir: beside(disk.removeDir),
    syncDir: within(disk.syncDir),
    syncFile: beside(disk.syncFile),
    replaceDerived: beside(disk.replaceDerived),
    realPath: disk.realPath,
    enclose: (root, enclosure) => ways.enclose(root, enclosure),
  };
}

/** The folders on the way to a file. A link among them that no owner has named is led by nowhere. */
class Ways {
  readonly #enclosures = new Map<string, Enclosure>();
  readonly #named = new Set<string>();
  readonly #believed = new Map<string, number>();

  constructor(readonly disk: Pick<Disk, "stat" | "realPath">) {}

  enclose(root: string, enclosure: Enclosure): void {
    this.#enclosures.set(root, enclosure);
  }

  /** Throws `folder_linked` where a link stands on the way to `dir`, or in its place. */
  async pass(dir: string): Promise<void> {
    for (const [root] of this.#around(dir)) await this.#walk(root, dir);
  }

  /** Where a link leads that its owner has named; undefined for all else. */
  async followed(file: string): Promise<string | undefined> {
    const behind = this.#around(file).length === 0 ? undefined : await this.#behind(file);
    if (behind === undefined) return undefined;
    for (const [root] of this.#around(file)) if (await this.#isNamed(root, file)) return this.#way(root, file);
    return undefined;
  }

  /** The same, and where a folder of memd's own should be it throws `folder_linked`. */
  async expected(file: string): Promise<string | undefined> {
    for (const [root, { isOwn }] of this.#around(file)) {
      const behind = isOwn(inside(root, file)) ? await this.#behind(file) : undefined;
      if (behind !== undefined && (behind.to !== undefined || !FILE_NAME.test(file))) return this.#way(root, file);
    }
    return this.followed(file);
  }

  async #walk(root: string, dir: string): Promise<void> {
    const now = performance.now();
    const since = this.#believed.get(dir);
    if (since !== undefined && now - since < BELIEVED_MS) return;
    const above = path.dirname(dir);
    if (above !== root) await this.#walk(root, above);
    const stat = await this.disk.stat(dir);
    if (stat === undefined) return;
    if (stat.kind === "other") await this.#way(root, dir);
    if (this.#believed.size >= MOST_BELIEVED) this.#believed.clear();
    this.#believed.set(dir, now);
  }

  async #way(root: string, dir: string): Promise<string | undefined> {
    const behind = await this.#behind(dir);
    if (behind === undefined) return undefined;
    const isNamed = await this.#isNamed(root, dir);
    if (isNamed && behind.to !== undefined) return behind.to;
    const what = `${inside(root, dir)} in ${root} is a link to ${behind.to ?? "what is not there"}`;
    if (isNamed) throw new MemdError("disk_fault", `${what}.`);
    throw new MemdError("folder_linked", `${what}.`);
  }

  /** The folder that a link leads to, `{}` where it leads nowhere; undefined for a link to a file, a pipe, a device. */
  async #behind(file: string): Promise<{ to?: string } | undefined> {
    const to = await this.disk.realPath(file);
    if (to === undefined) return {};
    return (await this.disk.stat(to))?.kind === "dir" ? { to } : undefined;
  }

  async #isNamed(root: string, dir: string): Promise<boolean> {
    if (this.#named.has(dir)) return true;
    const linked = (await this.#enclosures.get(root)?.linked()) ?? [];
    for (const each of linked) this.#named.add(path.resolve(root, each));
    return this.#named.has(dir);
  }

  #around(file: string): [root: string, Enclosure][] {
    return [...this.#enclosures].filter(([root]) => file.startsWith(root + path.sep));
  }
}

function inside(root: string, file: string): string {
  return path.relative(root, file).split(path.sep).join("/");
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
