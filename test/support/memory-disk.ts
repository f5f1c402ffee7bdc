/**
 * A disk in memory with inodes, hard links and open files, for tests.
 *
 * Same promises as the real one (one conformance suite runs on both); nothing
 * survives the process. `before` lets a test be the bad luck.
 */
import path from "node:path";
import { contentHash } from "../../src/platform/files.js";
import {
  diskError,
  type Disk,
  type DirEntry,
  type FileStat,
  type OpenFile,
} from "../../src/platform/disk.js";

interface Inode {
  kind: "file" | "dir";
  ino: number;
  data: Uint8Array;
  mtimeMs: number;
  ctimeMs: number;
}

export type DiskOperation = keyof Disk | "write" | "sync" | "datasync" | "truncate" | "close";

export interface MemoryDisk extends Disk {
  /** Runs before each operation; throw an object with an errno `code` to make it fail. */
  before(hook: (operation: DiskOperation, path: string) => void | Promise<void>): void;
  /** Every file by path, for assertions. */
  files(): Record<string, string>;
  /** What an editor that saves in place does: same inode, new content. */
  writeInPlace(file: string, text: string): void;
}

export function memoryDisk(nowMs: () => number = () => 0): MemoryDisk {
  const tree = new Map<string, Inode>([
    ["/", { kind: "dir", ino: 1, data: new Uint8Array(), mtimeMs: 0, ctimeMs: 0 }],
  ]);
  let nextIno = 2;
  let hook: (operation: DiskOperation, path: string) => void | Promise<void> = () => undefined;

  const enter = async (operation: DiskOperation, file: string): Promise<void> => {
    try {
      await hook(operation, file);
    } catch (error) {
      throw diskError(error, operation, file);
    }
  };
  const fail = (code: string, doing: string, file: string): never => {
    throw diskError(Object.assign(new Error(code), { code }), doing, file);
  };
  const parentOf = (file: string, doing: string): void => {
    if (tree.get(path.dirname(file))?.kind !== "dir") fail("ENOENT", doing, file);
  };
  const fresh = (kind: "file" | "dir"): Inode => ({
    kind,
    ino: nextIno++,
    data: new Uint8Array(),
    mtimeMs: nowMs(),
    ctimeMs: nowMs(),
  });
  const written = (node: Inode): void => {
    node.mtimeMs = nowMs();
    node.ctimeMs = nowMs();
  };
  /** Another file takes its name, or none: it may have others. */
  const renamed = (name: string): void => {
    const node = tree.get(name);
    if (node !== undefined) node.ctimeMs = nowMs();
  };
  const statOf = (node: Inode): FileStat => ({
    kind: node.kind,
    size: node.data.byteLength,
    mtimeMs: node.mtimeMs,
    ctimeMs: node.ctimeMs,
    ino: node.ino,
    dev: 1,
    mode: node.kind === "dir" ? 0o40700 : 0o100600,
    nlink: node.kind === "dir" ? 1 : [...tree.values()].filter((each) => each === node).length,
  });
  const fileAt = (file: string): Inode | undefined => {
    const node = tree.get(file);
    if (node?.kind === "dir") fail("EISDIR", "read", file);
    return node;
  };
  const openOn = (node: Inode, file: string): OpenFile => ({
    write: async (bytes) => {
      await enter("write", file);
      const joined = new Uint8Array(node.data.byteLength + bytes.byteLength);
      joined.set(node.data);
      joined.set(bytes, node.data.byteLength);
      node.data = joined;
      written(node);
    },
    sync: () => enter("sync", file),
    datasync: () => enter("datasync", file),
    truncate: async (size) => {
      await enter("truncate", file);
      node.data = node.data.slice(0, size);
      written(node);
    },
    stat: async () => statOf(node),
    close: () => enter("close", file),
  });

  const disk: MemoryDisk = {
    before: (next) => {
      hook = next;
    },
    files: () =>
      Object.fromEntries(
        [...tree]
          .filter(([, node]) => node.kind === "file")
          .map(([file, node]) => [file, new TextDecoder().decode(node.data)]),
      ),
    writeInPlace: (file, text) => {
      const node = tree.get(file) ?? fresh("file");
      node.data = new TextEncoder().encode(text);
      written(node);
      tree.set(file, node);
    },
    read: async (file) => {
      await enter("read", file);
      return fileAt(file)?.data.slice();
    },
    readFrom: async (file, offset) => {
      await enter("readFrom", file);
      return fileAt(file)?.data.slice(offset);
    },
    hash: async (file) => {
      await enter("read", file);
      const node = fileAt(file);
      return node && contentHash(node.data);
    },
    stat: async (file) => {
      await enter("stat", file);
      const node = tree.get(file);
      return node && statOf(node);
    },
    list: async (dir) => {
      await enter("list", dir);
      const prefix = dir === "/" ? "/" : `${dir}/`;
      return [...tree]
        .filter(
          ([file]) => file.startsWith(prefix) && file !== prefix && !file.slice(prefix.length).includes("/"),
        )
        .map(([file, node]): DirEntry => ({ name: file.slice(prefix.length), kind: node.kind }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    makeDir: async (dir) => {
      await enter("makeDir", dir);
      const parts = dir.split("/").filter((part) => part !== "");
      for (let depth = 1; depth <= parts.length; depth++) {
        const at = `/${parts.slice(0, depth).join("/")}`;
        const found = tree.get(at);
        if (found?.kind === "file") fail("ENOTDIR", "create", dir);
        if (found === undefined) tree.set(at, fresh("dir"));
      }
    },
    create: async (file) => {
      await enter("create", file);
      parentOf(file, "create");
      if (tree.has(file)) return undefined;
      const node = fresh("file");
      tree.set(file, node);
      return openOn(node, file);
    },
    openAppend: async (file) => {
      await enter("openAppend", file);
      parentOf(file, "open");
      const node = fileAt(file) ?? fresh("file");
      tree.set(file, node);
      return openOn(node, file);
    },
    rename: async (from, to) => {
      await enter("rename", to);
      parentOf(to, "replace");
      const node = tree.get(from) ?? fail("ENOENT", "replace", from);
      if (tree.get(to)?.kind === "dir") fail("EISDIR", "replace", to);
      // Two names of one file: POSIX leaves both.
      if (tree.get(to) === node) return;
      tree.delete(from);
      renamed(to);
      tree.set(to, node);
      node.ctimeMs = nowMs();
    },
    link: async (from, to) => {
      await enter("link", to);
      parentOf(to, "create");
      const node = tree.get(from) ?? fail("ENOENT", "create", from);
      if (tree.has(to)) return false;
      tree.set(to, node);
      node.ctimeMs = nowMs();
      return true;
    },
    unlink: async (file) => {
      await enter("unlink", file);
      fileAt(file);
      renamed(file);
      return tree.delete(file);
    },
    removeDir: async (dir) => {
      await enter("removeDir", dir);
      if (tree.get(dir)?.kind === "file") fail("ENOTDIR", "remove", dir);
      if ((await disk.list(dir)).length > 0) return false;
      return tree.delete(dir);
    },
    syncDir: async (dir) => {
      await enter("syncDir", dir);
      if (tree.get(dir)?.kind !== "dir") fail("ENOENT", "sync", dir);
    },
    syncFile: async (file) => {
      await enter("syncFile", file);
      if (fileAt(file) === undefined) fail("ENOENT", "open", file);
    },
    replaceDerived: async (file, bytes) => {
      await enter("replaceDerived", file);
      parentOf(file, "write");
      fileAt(file);
      tree.set(file, { ...fresh("file"), data: bytes.slice() });
    },
    realPath: async (file) => {
      await enter("realPath", file);
      return tree.has(file) ? file : undefined;
    },
    enclose: () => undefined,
  };
  return disk;
}
