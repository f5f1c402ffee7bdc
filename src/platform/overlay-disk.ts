/**
 * A disk over one that is only read: what is written, renamed and removed is so in
 * memory, and gone with the process. For asking a copy that cannot be written.
 */
import path from "node:path";
import { contentHash } from "./files.js";
import { diskError, fault, type Disk, type DirEntry, type FileStat, type OpenFile } from "./disk.js";

interface File {
  kind: "file";
  ino: number;
  data: Uint8Array;
  mtimeMs: number;
}
/** `undefined` in the tree: it stands below, and is gone here. */
type Node = File | { kind: "dir"; ino: number; mtimeMs: number };

/** Larger than what a disk numbers, so that no version of a file is taken for another. */
const FIRST_INO = 2 ** 52;

export function overlayDisk(below: Disk): Disk {
  const tree = new Map<string, Node | undefined>();
  let nextIno = FIRST_INO;
  const fresh = (data: Uint8Array = new Uint8Array()): File => {
    return { kind: "file", ino: nextIno++, data, mtimeMs: Date.now() };
  };
  const stat = async (file: string): Promise<FileStat | undefined> => {
    const node = tree.get(file);
    return tree.has(file) ? node && statOf(node) : below.stat(file);
  };
  const dataOf = (file: string): Uint8Array | undefined => {
    const node = tree.get(file);
    if (node?.kind === "dir") throw refused("EISDIR", "read", file);
    return node?.data;
  };
  const folderOf = async (file: string, doing: string): Promise<void> => {
    if ((await stat(path.dirname(file)))?.kind !== "dir") throw refused("ENOENT", doing, file);
  };
  /** As it stands, taken up into memory; undefined where it does not stand. */
  const taken = async (file: string, doing: string): Promise<File | undefined> => {
    const kind = (await stat(file))?.kind;
    if (kind === undefined) return undefined;
    if (kind !== "file") throw refused("EISDIR", doing, file);
    const standing = tree.get(file);
    if (standing?.kind === "file") return standing;
    const copy = fresh((await below.read(file)) ?? new Uint8Array());
    tree.set(file, copy);
    return copy;
  };
  const moved = async (from: string, to: string, doing: string): Promise<File> => {
    await folderOf(to, doing);
    const node = await taken(from, doing);
    if (node === undefined) throw refused("ENOENT", doing, from);
    return node;
  };
  const list = async (dir: string): Promise<DirEntry[]> => {
    const entries = (await below.list(dir)).filter(({ name }) => !tree.has(path.join(dir, name)));
    for (const [file, node] of tree)
      if (node !== undefined && path.dirname(file) === dir && file !== dir)
        entries.push({ name: path.basename(file), kind: node.kind });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  };
  return {
    read: async (file) => (tree.has(file) ? dataOf(file)?.slice() : below.read(file)),
    readFrom: async (file, at) => (tree.has(file) ? dataOf(file)?.slice(at) : below.readFrom(file, at)),
    hash: async (file) => {
      const data = tree.has(file) ? dataOf(file) : undefined;
      return tree.has(file) ? data && contentHash(data) : below.hash(file);
    },
    stat,
    list: async (dir, most) => (await list(dir)).slice(0, most),
    makeDir: async (dir) => {
      const kind = (await stat(dir))?.kind;
      if (kind === "dir") return;
      // A link to a folder is left to whoever reads through it.
      if (kind !== undefined && (await below.stat(`${dir}/.`))?.kind === "dir") return;
      if (kind !== undefined) throw refused("ENOTDIR", "create", dir);
      await made(dir);
    },
    create: async (file) => {
      await folderOf(file, "create");
      if ((await stat(file)) !== undefined) return undefined;
      const node = fresh();
      tree.set(file, node);
      return openOn(node);
    },
    openAppend: async (file) => {
      await folderOf(file, "open");
      const node = (await taken(file, "open")) ?? fresh();
      tree.set(file, node);
      return openOn(node);
    },
    rename: async (from, to) => {
      const node = await moved(from, to, "replace");
      if ((await stat(to))?.kind === "dir") throw refused("EISDIR", "replace", to);
      // Two names of one file: both stay, as on a disk.
      if (tree.get(to) === node) return;
      tree.set(to, node);
      tree.set(from, undefined);
    },
    link: async (from, to) => {
      const node = await moved(from, to, "create");
      if ((await stat(to)) !== undefined) return false;
      tree.set(to, node);
      return true;
    },
    unlink: async (file) => {
      const kind = (await stat(file))?.kind;
      if (kind === "dir") throw refused("EISDIR", "remove", file);
      if (kind !== undefined) tree.set(file, undefined);
      return kind !== undefined;
    },
    removeDir: async (dir) => {
      const kind = (await stat(dir))?.kind;
      if (kind !== undefined && kind !== "dir") throw refused("ENOTDIR", "remove", dir);
      if (kind === undefined || (await list(dir)).length > 0) return false;
      tree.set(dir, undefined);
      return true;
    },
    syncDir: async (dir) => {
      if ((await stat(dir)) === undefined) throw refused("ENOENT", "sync", dir);
    },
    syncFile: async (file) => {
      if ((await stat(file)) === undefined) throw refused("ENOENT", "open", file);
    },
    replaceDerived: async (file, bytes) => {
      await folderOf(file, "write");
      const kind = (await stat(file))?.kind;
      if (kind !== undefined && kind !== "file") throw refused("EISDIR", "write", file);
      tree.set(file, fresh(bytes.slice()));
    },
    enclose: (root, enclosure) => below.enclose(root, enclosure),
    realPath: async (file) => (tree.get(file) === undefined ? below.realPath(file) : file),
  };

  async function made(dir: string): Promise<void> {
    const above = path.dirname(dir);
    const kind = (await stat(above))?.kind;
    if (kind === "file") throw refused("ENOTDIR", "create", dir);
    if (kind === undefined) await made(above);
    tree.set(dir, { kind: "dir", ino: nextIno++, mtimeMs: Date.now() });
  }
}

function openOn(node: File): OpenFile {
  const done = (): Promise<void> => Promise.resolve();
  const becomes = (data: Uint8Array): Promise<void> => {
    Object.assign(node, { data, mtimeMs: Date.now() });
    return done();
  };
  return {
    write: (bytes) => becomes(Buffer.concat([node.data, bytes])),
    truncate: (size) => becomes(node.data.slice(0, size)),
    sync: done,
    datasync: done,
    stat: () => Promise.resolve(statOf(node)),
    close: done,
  };
}

const PRIVATE = { dir: 0o40700, file: 0o100600 } as const;

function statOf(node: Node): FileStat {
  const { kind, ino, mtimeMs } = node;
  const size = kind === "file" ? node.data.byteLength : 0;
  return { kind, ino, mtimeMs, ctimeMs: mtimeMs, nlink: 1, dev: 0, mode: PRIVATE[kind], size };
}

function refused(code: string, doing: string, file: string): Error {
  return diskError(fault(code, code), doing, file);
}
