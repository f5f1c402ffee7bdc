/**
 * The system's calls on a disk that is only modelled: what memd's real disk
 * port is run on here.
 *
 * Every call that changes something is noted as an effect, in order, so that
 * cuts.ts can say what a loss of power after any of them may leave.
 */
import { constants } from "node:fs";
import { dirname, basename } from "node:path";
import type { SystemCalls } from "../../../src/platform/node-disk.js";
import { copyOf, EMPTY, ROOT_INO, type Content, type Image } from "./image.js";

export type Effect =
  /** The file's content is `content` now; `before` bytes of it stood there already. */
  | { is: "write"; ino: number; content: Content; before: number }
  | { is: "sync"; ino: number }
  /** The bytes may never get to the disk, whatever is synced later. */
  | { is: "sync failed"; ino: number }
  | { is: "enter"; dir: number; name: string; ino: number; folder: boolean }
  | { is: "leave"; dir: number; name: string }
  | { is: "move"; dir: number; from: string; to: string; ino: number }
  | { is: "sync folder"; dir: number }
  /** Somebody else's save, durable at once with all that waits in its folder. */
  | { is: "outside"; dir: number; name: string; ino: number | undefined; content: Content | undefined };

export type Call = "open" | "write" | "sync" | "rename" | "link" | "unlink" | "mkdir" | "rmdir" | "syncDir";

/** Throws, to make the call fail. */
export type Trouble = (call: Call, path: string) => void;

export class ModelFs {
  readonly log: Effect[] = [];
  /** For each effect, who asked for it; only where somebody wants to know. */
  readonly places: string[] = [];
  trouble: Trouble | undefined;
  #nextIno: number;
  #mtimeMs: number;

  constructor(
    readonly image: Image,
    readonly placeOf?: () => string,
  ) {
    this.#nextIno = 1 + Math.max(ROOT_INO, ...image.names.keys(), ...image.files.keys());
    this.#mtimeMs = 1_700_000_000_000 + this.#nextIno * 1000;
  }

  /** As after the first `count` effects of another one's log, with all that is not durable still pending. */
  static replayed(base: Image, log: readonly Effect[], count: number, placeOf?: () => string): ModelFs {
    const fs = new ModelFs(copyOf(base), placeOf);
    for (const effect of log.slice(0, count)) fs.#note(effect);
    for (const effect of fs.log)
      if ("ino" in effect && effect.ino !== undefined) fs.#nextIno = Math.max(fs.#nextIno, effect.ino + 1);
    fs.#mtimeMs += 1_000_000;
    return fs;
  }

  get calls(): SystemCalls {
    const calls = {
      open: async (path: string, flags: number) => this.#open(path, flags),
      lstat: async (path: string) => this.#stat(this.#need(path), path),
      readdir: async (path: string) => this.#list(path),
      mkdir: async (path: string, options: { recursive?: boolean }) =>
        this.#makeFolder(path, options.recursive === true),
      rename: async (from: string, to: string) => this.#rename(from, to),
      link: async (from: string, to: string) => this.#link(from, to),
      unlink: async (path: string) => this.#unlink(path),
      rmdir: async (path: string) => this.#removeFolder(path),
      realpath: async (path: string) => (this.#need(path), path),
      writeFileAtomic: async (path: string, bytes: Uint8Array) => this.#replace(path, bytes),
    };
    return calls as unknown as SystemCalls;
  }

  read(path: string): string | undefined {
    const ino = this.find(path);
    const content = ino === undefined ? undefined : this.image.files.get(ino);
    return content && new TextDecoder().decode(content.bytes);
  }

  /** Another program saves a file whole, durably: under a new inode, or (`inPlace`) into the one that is there. */
  outside(path: string, text: string | undefined, inPlace = false): void {
    const dir = this.#need(dirname(path));
    const name = basename(path);
    const standing = this.image.names.get(dir)?.get(name);
    const ino =
      text === undefined ? undefined : inPlace && standing !== undefined ? standing : this.#nextIno++;
    const content = text === undefined ? undefined : this.#content(new TextEncoder().encode(text));
    this.#note({ is: "outside", dir, name, ino, content });
  }

  outsideFolder(path: string): void {
    const ino = this.#nextIno++;
    const dir = this.#need(dirname(path));
    this.#note({ is: "enter", dir, name: basename(path), ino, folder: true });
    this.#note({ is: "sync folder", dir });
  }

  /** Another program saves into a file that it holds open, whatever its names are by now. */
  outsideInto(ino: number, text: string): void {
    this.#note({
      is: "outside",
      dir: 0,
      name: "",
      ino,
      content: this.#content(new TextEncoder().encode(text)),
    });
  }

  find(path: string): number | undefined {
    let ino = ROOT_INO;
    for (let from = 1; from < path.length;) {
      const slash = path.indexOf("/", from);
      const end = slash === -1 ? path.length : slash;
      const below = this.image.names.get(ino)?.get(path.slice(from, end));
      if (below === undefined) return undefined;
      ino = below;
      from = end + 1;
    }
    return ino;
  }

  #note(effect: Effect): void {
    applyTo(this.image, effect);
    this.log.push(effect);
    if (this.placeOf !== undefined) this.places.push(this.placeOf());
  }

  #content(bytes: Uint8Array): Content {
    return { bytes, mtimeMs: this.#mtimeMs++ };
  }

  #need(path: string): number {
    return this.find(path) ?? fail("ENOENT", path);
  }

  #folder(path: string): number {
    const ino = this.#need(path);
    return this.image.names.has(ino) ? ino : fail("ENOTDIR", path);
  }

  #open(path: string, flags: number) {
    let ino = this.find(path);
    if (ino !== undefined && (flags & constants.O_EXCL) !== 0) fail("EEXIST", path);
    if (ino === undefined) {
      if ((flags & constants.O_CREAT) === 0) fail("ENOENT", path);
      this.trouble?.("open", path);
      ino = this.#nextIno++;
      this.#note({ is: "enter", dir: this.#folder(dirname(path)), name: basename(path), ino, folder: false });
    }
    return this.#handle(ino, path);
  }

  #handle(ino: number, path: string) {
    const isFolder = this.image.names.has(ino);
    const bytes = (): Uint8Array => (this.image.files.get(ino) ?? EMPTY).bytes;
    const sync = async (): Promise<void> => {
      try {
        this.trouble?.(isFolder ? "syncDir" : "sync", path);
      } catch (error) {
        if (!isFolder) this.#note({ is: "sync failed", ino });
        throw error;
      }
      this.#note(isFolder ? { is: "sync folder", dir: ino } : { is: "sync", ino });
    };
    return {
      write: async (from: Uint8Array, offset: number, length: number) => {
        this.trouble?.("write", path);
        const before = bytes();
        const after = new Uint8Array(before.length + length);
        after.set(before);
        after.set(from.subarray(offset, offset + length), before.length);
        this.#note({ is: "write", ino, content: this.#content(after), before: before.length });
        return { bytesWritten: length, buffer: from };
      },
      sync,
      datasync: sync,
      stat: async () => this.#stat(ino, path),
      readFile: async () => (isFolder ? fail("EISDIR", path) : Buffer.from(bytes())),
      read: async (into: Uint8Array, at: number, length: number, position: number) => {
        const part = bytes().subarray(position, position + length);
        into.set(part, at);
        return { bytesRead: part.length, buffer: into };
      },
      close: async () => undefined,
    };
  }

  #stat(ino: number, _path: string) {
    const content = this.image.files.get(ino);
    const folder = this.image.names.has(ino);
    return {
      isFile: () => !folder,
      isDirectory: () => folder,
      isSymbolicLink: () => false,
      size: content?.bytes.length ?? 0,
      mtimeMs: content?.mtimeMs ?? 0,
      ino,
      dev: 1,
      mode: folder ? 0o40700 : 0o100600,
    };
  }

  #list(path: string) {
    const folder = this.#folder(path);
    return [...(this.image.names.get(folder) ?? [])].map(([name, ino]) => {
      const isFolder = this.image.names.has(ino);
      return { name, isFile: () => !isFolder, isDirectory: () => isFolder };
    });
  }

  #makeFolder(path: string, recursive: boolean): string | undefined {
    if (this.find(path) !== undefined) return recursive ? undefined : fail("EEXIST", path);
    this.trouble?.("mkdir", path);
    const above = dirname(path);
    const first = recursive && above !== path ? this.#makeFolder(above, true) : undefined;
    const dir = this.#folder(above);
    this.#note({ is: "enter", dir, name: basename(path), ino: this.#nextIno++, folder: true });
    return first ?? path;
  }

  #rename(from: string, to: string): void {
    const dir = this.#folder(dirname(to));
    const ino = this.#need(from);
    if (dirname(from) !== dirname(to)) throw new Error("a rename across folders is not modelled");
    const standing = this.find(to);
    if (standing === ino) return;
    if (standing !== undefined && this.image.names.has(standing)) fail("EISDIR", to);
    this.trouble?.("rename", to);
    this.#note({ is: "move", dir, from: basename(from), to: basename(to), ino });
  }

  #link(from: string, to: string): void {
    const ino = this.#need(from);
    const dir = this.#folder(dirname(to));
    if (this.find(to) !== undefined) fail("EEXIST", to);
    this.trouble?.("link", to);
    this.#note({ is: "enter", dir, name: basename(to), ino, folder: false });
  }

  #unlink(path: string): void {
    const ino = this.#need(path);
    if (this.image.names.has(ino)) fail("EISDIR", path);
    this.trouble?.("unlink", path);
    this.#note({ is: "leave", dir: this.#folder(dirname(path)), name: basename(path) });
  }

  #removeFolder(path: string): void {
    const ino = this.#folder(path);
    if ((this.image.names.get(ino)?.size ?? 0) > 0) fail("ENOTEMPTY", path);
    this.trouble?.("rmdir", path);
    this.#note({ is: "leave", dir: this.#folder(dirname(path)), name: basename(path) });
  }

  /** As write-file-atomic does it: its own temporary name, fsync, rename, and nothing for the folder. */
  #replace(path: string, bytes: Uint8Array): void {
    this.trouble?.("write", path);
    const dir = this.#folder(dirname(path));
    const temp = `${basename(path)}.${1_000_000 + this.#nextIno}`;
    const ino = this.#nextIno++;
    this.#note({ is: "enter", dir, name: temp, ino, folder: false });
    this.#note({ is: "write", ino, content: this.#content(bytes.slice()), before: 0 });
    this.#note({ is: "sync", ino });
    this.#note({ is: "move", dir, from: temp, to: basename(path), ino });
  }
}

/** What a running program sees afterwards. */
export function applyTo(image: Image, effect: Effect): void {
  switch (effect.is) {
    case "write":
      image.files.set(effect.ino, effect.content);
      return;
    case "sync":
    case "sync failed":
    case "sync folder":
      return;
    case "enter":
      image.names.get(effect.dir)?.set(effect.name, effect.ino);
      if (effect.folder) {
        if (!image.names.has(effect.ino)) image.names.set(effect.ino, new Map());
      } else if (!image.files.has(effect.ino)) image.files.set(effect.ino, EMPTY);
      return;
    case "leave":
      image.names.get(effect.dir)?.delete(effect.name);
      return;
    case "move": {
      const dir = image.names.get(effect.dir);
      dir?.delete(effect.from);
      dir?.set(effect.to, effect.ino);
      if (!image.files.has(effect.ino)) image.files.set(effect.ino, EMPTY);
      return;
    }
    case "outside":
      if (effect.ino === undefined) image.names.get(effect.dir)?.delete(effect.name);
      else {
        // Into an open file: its names stay what they are.
        if (effect.name !== "") image.names.get(effect.dir)?.set(effect.name, effect.ino);
        if (effect.content !== undefined) image.files.set(effect.ino, effect.content);
      }
      return;
    default:
      effect satisfies never;
  }
}

/** One error of each kind: what is absent is asked for all the time, and making them would be most of the cost. */
const errors = new Map<string, Error>();

function fail(code: string, _path: string): never {
  let error = errors.get(code);
  if (error === undefined) {
    error = Object.assign(new Error(code), { code });
    errors.set(code, error);
  }
  throw error;
}
