/**
 * The system's calls on a real folder, counted, with one that fails as told.
 *
 * It keeps book of what a sound program must not do: fsync a descriptor again
 * after that failed, give a file its name before its bytes are on the disk,
 * remove or settle something while a new name is not there yet. A failed fsync
 * loses what was not synced before and is told once only, as on Linux. Each call
 * is done at once: thousands of lives are lived, and a thread for each would be
 * most of the time.
 */
import fs, { constants } from "node:fs";
import path from "node:path";
import writeFileAtomic from "write-file-atomic";
import type { SystemCalls } from "../../../src/platform/node-disk.js";
import type { Asked, Call, Ruling } from "./kinds.js";

export interface FailingSystem {
  calls: SystemCalls;
  /** How many were asked for. */
  operations: number;
  /** The last one that is answered: a loop that does not end stands still there. */
  most: number;
  openHandles: number;
  retriedSyncs: number;
  /** Lines of the journal that a failed fsync lost. */
  lostLines: string[];
  /** Broken rules, in words. */
  broken: string[];
}

/** What is known of one file's bytes, whatever it is called. */
interface Bytes {
  synced: number;
  pending: boolean;
}

const WRITES = constants.O_WRONLY | constants.O_RDWR;

/** `rule` is asked before each call; undefined lets it be. */
export function failingSystem(root: string, rule: (asked: Asked) => Ruling | undefined): FailingSystem {
  const files = new Map<string, Bytes>();
  /** Folders that have a name which no fsync has reached. */
  const unsure = new Set<string>();
  const state: Omit<FailingSystem, "calls"> = {
    operations: 0,
    most: Infinity,
    openHandles: 0,
    retriedSyncs: 0,
    lostLines: [],
    broken: [],
  };
  const relative = (file: string): string => path.relative(root, file);

  /** Asks the rule, then does the call. */
  const call = async <T>(
    name: Call,
    file: string,
    more: Partial<Asked>,
    work: (ruling: Ruling | undefined) => T,
  ): Promise<T> => {
    const n = state.operations++;
    if (n > state.most) return new Promise<never>(() => undefined);
    const ruling = rule({ call: name, file: relative(file), creates: false, ...more, n });
    if (ruling?.errno !== undefined && name !== "close" && !name.endsWith("sync"))
      throw failure(ruling.errno);
    return work(ruling);
  };

  /** A name for bytes that are not on the disk could stand for nothing after a power cut. */
  const name = (from: string, to: string): void => {
    const bytes = files.get(from);
    if (bytes?.pending === true)
      state.broken.push(`${relative(to)} got its name before its bytes were synced`);
    if (bytes !== undefined) files.set(to, bytes);
    if (!relative(to).startsWith(".memd/")) unsure.add(path.dirname(to));
  };

  const mayRemove = (file: string): void => {
    if (/^inbox\.d\/[^.].*\.json$/.test(relative(file)) && unsure.has(root))
      state.broken.push(`${relative(file)} was removed before the lists' names were synced`);
  };

  const maySettle = (): void => {
    for (const dir of unsure) {
      if (/^memory(?!\/(?:scopes\/[^/]+\/)?summary)/.test(relative(dir)))
        state.broken.push(`blocks were settled before the names in ${relative(dir)} were synced`);
    }
  };

  const lose = (fd: number, file: string, bytes: Bytes): void => {
    const lost = fs.readFileSync(file).subarray(bytes.synced).toString();
    if (relative(file).startsWith("journal/")) state.lostLines.push(...lost.split("\n").filter(Boolean));
    fs.ftruncateSync(fd, bytes.synced);
  };

  /** `bytes` is undefined for a folder and for what is only read. */
  const opened = (fd: number, file: string, bytes: Bytes | undefined) => {
    const folder = bytes === undefined;
    let refused = false;
    let settles = false;
    const sync = (name: "sync" | "datasync") => () =>
      call(name, file, { folder }, (ruling) => {
        if (refused) state.retriedSyncs++;
        if (ruling?.errno !== undefined) {
          refused = true;
          // The kernel forgets the pages and says so once; what comes after is written as if they were there.
          if (bytes?.pending === true) lose(fd, file, bytes);
          if (bytes !== undefined) bytes.pending = false;
          throw failure(ruling.errno);
        }
        fs.fsyncSync(fd);
        if (bytes === undefined) unsure.delete(file);
        else Object.assign(bytes, { pending: false, synced: fs.fstatSync(fd).size });
        if (settles) maySettle();
        settles = false;
      });
    state.openHandles++;
    return {
      write: (buffer: Uint8Array, offset: number, length: number, position: number | null) =>
        call("write", file, { length }, (ruling) => {
          const given = ruling?.bytes === undefined ? length : Math.min(length, ruling.bytes);
          if (bytes !== undefined) bytes.pending = true;
          if (Buffer.from(buffer).includes('"op":"settled"')) settles = true;
          return { bytesWritten: fs.writeSync(fd, buffer, offset, given, position), buffer };
        }),
      sync: sync("sync"),
      datasync: sync("datasync"),
      truncate: (length: number) => call("truncate", file, {}, () => fs.ftruncateSync(fd, length)),
      stat: () => call("fstat", file, {}, () => fs.fstatSync(fd)),
      readFile: () => call("readFile", file, {}, () => fs.readFileSync(fd)),
      read: (buffer: Uint8Array, offset: number, length: number, position: number) =>
        call("read", file, {}, () => ({
          bytesRead: fs.readSync(fd, buffer, offset, length, position),
          buffer,
        })),
      close: () =>
        call("close", file, {}, (ruling) => {
          // The descriptor is gone, whatever close says.
          state.openHandles--;
          fs.closeSync(fd);
          if (ruling?.errno !== undefined) throw failure(ruling.errno);
        }),
    };
  };

  const calls = {
    open: (file: string, flags: number, mode?: number) => {
      const writes = (flags & WRITES) !== 0;
      const creates = writes && !stands(file);
      return call("open", file, { creates, writes }, () => {
        const fd = fs.openSync(file, flags, mode);
        if (!writes) return opened(fd, file, undefined);
        const known = creates ? undefined : files.get(file);
        const bytes = known ?? { synced: fs.fstatSync(fd).size, pending: false };
        files.set(file, bytes);
        return opened(fd, file, bytes);
      });
    },
    lstat: (file: string) => call("lstat", file, {}, () => fs.lstatSync(file)),
    readdir: (dir: string) => call("readdir", dir, {}, () => fs.readdirSync(dir, { withFileTypes: true })),
    mkdir: (dir: string, options: object) =>
      call("mkdir", dir, { creates: !stands(dir) }, () => fs.mkdirSync(dir, options)),
    rename: (from: string, to: string) =>
      call("rename", to, {}, () => {
        fs.renameSync(from, to);
        name(from, to);
        files.delete(from);
      }),
    link: (from: string, to: string) =>
      call("link", to, { creates: true }, () => {
        fs.linkSync(from, to);
        name(from, to);
      }),
    unlink: (file: string) =>
      call("unlink", file, {}, () => {
        mayRemove(file);
        fs.unlinkSync(file);
        files.delete(file);
      }),
    rmdir: (dir: string) => call("rmdir", dir, {}, () => fs.rmdirSync(dir)),
    realpath: (file: string) => call("realpath", file, {}, () => fs.realpathSync(file)),
    writeFileAtomic: (file: string, data: Buffer, options: object) =>
      call("writeFileAtomic", file, { creates: true, length: data.byteLength }, (ruling) =>
        // Its one write may stop short, and it says nothing.
        writeFileAtomic.sync(file, data.subarray(0, ruling?.bytes), options),
      ),
  };
  return Object.assign(state, { calls: calls as unknown as SystemCalls });
}

function failure(errno: string): Error {
  return Object.assign(new Error(`${errno}: put there by the test`), { code: errno });
}

function stands(file: string): boolean {
  return fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}
