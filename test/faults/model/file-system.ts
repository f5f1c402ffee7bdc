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
import { bufferOf, copyOf, EMPTY, ROOT_INO, wordOf, type Content, type Image } from "./image.js";

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

type Op =
  | "open"
  | "lstat"
  | "readdir"
  | "mkdir"
  | "rename"
  | "link"
  | "unlink"
  | "rmdir"
  | "realpath"
  | "writeFileAtomic"
  | "write"
  | "sync"
  | "datasync"
  | "stat"
  | "readFile"
  | "read"
  | "truncate"
  | "close";

/** A call as it is made. */
export interface Asked {
  op: Op;
  args: readonly unknown[];
  /** An open file: by the order of opening, from 0. */
  on?: number;
}

interface ModelStat {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
  size: number;
  mtimeMs: number;
  ctimeMs: number;
  ino: number;
  dev: number;
  mode: number;
  nlink: number;
}

interface ModelEntry {
  name: string;
  isFile(): boolean;
  isDirectory(): boolean;
}

interface Handle {
  ino: number;
  path: string;
  isFolder: boolean;
}

const INOS_OF_A_LIFE = 1_000_000;
const FIRST_LIFE_MS = 1_700_000_000_000;
const TIME_OF_A_LIFE_MS = 1e8;

export class ModelFs {
  readonly log: Effect[] = [];
  /** For each effect, who asked for it; only where somebody wants to know. */
  readonly places: string[] = [];
  trouble: Trouble | undefined;
  /** Told of each call and, in words, of all that its answer says. */
  heard: ((asked: Asked, answer: string) => void) | undefined;
  readonly #handles: Handle[] = [];
  #nextIno: number;
  #mtimeMs: number;

  /** `life`: counts up from disk to disk that stand on each other's images; it makes inodes and times other ones. */
  constructor(
    readonly image: Image,
    readonly life: number,
    readonly placeOf?: () => string,
  ) {
    this.#nextIno = life * INOS_OF_A_LIFE;
    this.#mtimeMs = FIRST_LIFE_MS + life * TIME_OF_A_LIFE_MS;
  }

  /** As after the first `count` effects of another one's log, with all that is not durable still pending. */
  static replayed(base: Image, log: readonly Effect[], count: number, life: number): ModelFs {
    const fs = new ModelFs(copyOf(base), life);
    for (const effect of log.slice(0, count)) fs.#note(effect);
    return fs;
  }

  get calls(): SystemCalls {
    return new Calls(this) as unknown as SystemCalls;
  }

  /** Done at once; what the system would answer, or refuse. Opening gives the number of the handle. */
  ask(asked: Asked): unknown {
    if (this.heard === undefined) return this.#do(asked);
    let answer: unknown;
    try {
      answer = this.#do(asked);
    } catch (error) {
      this.heard(asked, (error as { code: string }).code);
      throw error;
    }
    this.heard(asked, answer instanceof Refusal ? answer.code : wordsOf(asked, answer));
    return answer;
  }

  #do({ op, args, on = -1 }: Asked): unknown {
    const handle = this.#handles[on];
    const [path, more, options] = args as [string, unknown, unknown];
    if (handle === undefined) {
      switch (op) {
        case "open": {
          const handle = this.#open(path, more as number);
          return handle instanceof Refusal ? handle : this.#handles.push(handle) - 1;
        }
        case "lstat": {
          const ino = this.find(path);
          return ino === undefined ? ABSENT : this.#stat(ino);
        }
        case "readdir":
          return this.#list(path);
        case "mkdir":
          return this.#makeFolder(path, (more as { recursive?: boolean }).recursive === true);
        case "rename":
          return this.#rename(path, more as string);
        case "link":
          return this.#link(path, more as string);
        case "unlink":
          return this.#unlink(path);
        case "rmdir":
          return this.#removeFolder(path);
        case "realpath":
          return (this.#need(path), path);
        case "writeFileAtomic":
          return this.#replace(path, more as Uint8Array, (options as { fsync?: boolean }).fsync !== false);
        default:
          throw new Error(`${op} needs an open file`);
      }
    }
    switch (op) {
      case "write":
        return this.#write(handle, ...(args as [Uint8Array, number, number]));
      case "sync":
      case "datasync":
        return this.#sync(handle);
      case "stat":
        return this.#stat(handle.ino);
      case "readFile":
        return this.#content(handle);
      case "read":
        return this.#read(handle, ...(args as [Uint8Array, number, number, number]));
      case "truncate":
        return this.#truncate(handle, args[0] as number);
      case "close":
        return undefined;
      default:
        throw new Error(`${op} is not done to an open file`);
    }
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
    const content = text === undefined ? undefined : this.#contentOf(new TextEncoder().encode(text));
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
      content: this.#contentOf(new TextEncoder().encode(text)),
    });
  }

  find(path: string): number | undefined {
    let ino: number | undefined = ROOT_INO;
    for (const name of partsOf(path)) {
      ino = this.image.names.get(ino)?.get(name);
      if (ino === undefined) return undefined;
    }
    return ino;
  }

  #note(effect: Effect): void {
    applyTo(this.image, effect);
    this.log.push(effect);
    if (this.placeOf !== undefined) this.places.push(this.placeOf());
  }

  #contentOf(bytes: Uint8Array): Content {
    return { bytes, mtimeMs: this.#mtimeMs++ };
  }

  #need(path: string): number {
    return this.find(path) ?? fail("ENOENT");
  }

  #folder(path: string): number {
    const ino = this.#need(path);
    return this.image.names.has(ino) ? ino : fail("ENOTDIR");
  }

  #open(path: string, flags: number): Handle | Refusal {
    let ino = this.find(path);
    if (ino !== undefined && (flags & constants.O_EXCL) !== 0) fail("EEXIST");
    if (ino === undefined) {
      if ((flags & constants.O_CREAT) === 0) return ABSENT;
      this.trouble?.("open", path);
      ino = this.#nextIno++;
      this.#note({ is: "enter", dir: this.#folder(dirname(path)), name: basename(path), ino, folder: false });
    }
    return { ino, path, isFolder: this.image.names.has(ino) };
  }

  #write({ ino, path }: Handle, from: Uint8Array, offset: number, length: number) {
    this.trouble?.("write", path);
    const before = this.#bytes(ino);
    const after = new Uint8Array(before.length + length);
    after.set(before);
    after.set(from.subarray(offset, offset + length), before.length);
    this.#note({ is: "write", ino, content: this.#contentOf(after), before: before.length });
    return { bytesWritten: length, buffer: from };
  }

  #truncate({ ino, path }: Handle, length: number): void {
    this.trouble?.("write", path);
    const before = this.#bytes(ino);
    const content = this.#contentOf(before.slice(0, length));
    this.#note({ is: "write", ino, content, before: length });
  }

  #sync({ ino, path, isFolder }: Handle): void {
    try {
      this.trouble?.(isFolder ? "syncDir" : "sync", path);
    } catch (error) {
      if (!isFolder) this.#note({ is: "sync failed", ino });
      throw error;
    }
    this.#note(isFolder ? { is: "sync folder", dir: ino } : { is: "sync", ino });
  }

  #content({ ino, isFolder }: Handle): Buffer {
    return isFolder ? fail("EISDIR") : bufferOf(this.image.files.get(ino) ?? EMPTY);
  }

  #read({ ino }: Handle, into: Uint8Array, at: number, length: number, position: number) {
    const part = this.#bytes(ino).subarray(position, position + length);
    into.set(part, at);
    return { bytesRead: part.length, buffer: into };
  }

  #bytes(ino: number): Uint8Array {
    return (this.image.files.get(ino) ?? EMPTY).bytes;
  }

  #stat(ino: number): ModelStat {
    const content = this.image.files.get(ino);
    const folder = this.image.names.has(ino);
    return {
      isFile: () => !folder,
      isDirectory: () => folder,
      isSymbolicLink: () => false,
      size: content?.bytes.length ?? 0,
      mtimeMs: content?.mtimeMs ?? 0,
      ctimeMs: content?.mtimeMs ?? 0,
      ino,
      dev: 1,
      mode: folder ? 0o40700 : 0o100600,
      // What is appended to here never has two.
      nlink: 1,
    };
  }

  /** In the order of names, so that the answer does not depend on how they came to stand there. */
  #list(path: string): ModelEntry[] | Refusal {
    const ino = this.find(path);
    if (ino === undefined) return ABSENT;
    const names = this.image.names.get(ino) ?? fail("ENOTDIR");
    return [...names.keys()].sort().map((name) => {
      const isFolder = this.image.names.has(names.get(name) ?? -1);
      return { name, isFile: () => !isFolder, isDirectory: () => isFolder };
    });
  }

  #makeFolder(path: string, recursive: boolean): string | undefined {
    if (this.find(path) !== undefined) return recursive ? undefined : fail("EEXIST");
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
    if (standing !== undefined && this.image.names.has(standing)) fail("EISDIR");
    this.trouble?.("rename", to);
    this.#note({ is: "move", dir, from: basename(from), to: basename(to), ino });
  }

  #link(from: string, to: string): void {
    const ino = this.#need(from);
    const dir = this.#folder(dirname(to));
    if (this.find(to) !== undefined) fail("EEXIST");
    this.trouble?.("link", to);
    this.#note({ is: "enter", dir, name: basename(to), ino, folder: false });
  }

  #unlink(path: string): Refusal | undefined {
    const ino = this.find(path);
    if (ino === undefined) return ABSENT;
    if (this.image.names.has(ino)) fail("EISDIR");
    this.trouble?.("unlink", path);
    this.#note({ is: "leave", dir: this.#folder(dirname(path)), name: basename(path) });
    return undefined;
  }

  #removeFolder(path: string): void {
    const ino = this.#folder(path);
    if ((this.image.names.get(ino)?.size ?? 0) > 0) fail("ENOTEMPTY");
    this.trouble?.("rmdir", path);
    this.#note({ is: "leave", dir: this.#folder(dirname(path)), name: basename(path) });
  }

  /** As write-file-atomic does it: its own temporary name, fsync, rename, and nothing for the folder. */
  #replace(path: string, bytes: Uint8Array, isSynced: boolean): void {
    this.trouble?.("write", path);
    const dir = this.#folder(dirname(path));
    const temp = `${basename(path)}.${1_000_000 + this.#nextIno}`;
    const ino = this.#nextIno++;
    this.#note({ is: "enter", dir, name: temp, ino, folder: false });
    this.#note({ is: "write", ino, content: this.#contentOf(bytes.slice()), before: 0 });
    if (isSynced) this.#note({ is: "sync", ino });
    this.#note({ is: "move", dir, from: temp, to: basename(path), ino });
  }
}

const parts = new Map<string, readonly string[]>();

/** The names on the way to a path, remembered: the same few hundred paths are asked for in every state. */
function partsOf(path: string): readonly string[] {
  let known = parts.get(path);
  if (known === undefined) {
    if (parts.size > 20_000) parts.clear();
    known = path.split("/").filter((name) => name !== "");
    parts.set(path, known);
  }
  return known;
}

/** That something is not there is answered all the time: as a value, since throwing would be most of the cost. */
class Refusal {
  constructor(readonly code: string) {}
}

const ABSENT = new Refusal("ENOENT");

/** All that an answer says to whoever asked. */
function wordsOf({ op, args }: Asked, answer: unknown): string {
  switch (op) {
    case "lstat":
    case "stat": {
      const { size, mtimeMs, ino, mode } = answer as ModelStat;
      return `${mode} ${size} ${mtimeMs} ${ino}`;
    }
    case "readdir":
      return (answer as ModelEntry[]).map((entry) => (entry.isFile() ? entry.name : `${entry.name}/`)).join();
    case "readFile":
      return wordOf(answer as Buffer);
    case "read": {
      const [into, at, length] = args as [Uint8Array, number, number];
      const { bytesRead } = answer as { bytesRead: number };
      return Buffer.from(into.subarray(at, at + Math.min(length, bytesRead))).toString("latin1");
    }
    case "mkdir":
      return String(answer);
    default:
      return "";
  }
}

/** What a program calls. Done at once. */
class Calls {
  constructor(readonly fs: ModelFs) {}

  open(...args: unknown[]) {
    return soon(this.fs, { op: "open", args }).then((on) => new OpenedFile(this.fs, on as number));
  }
  lstat(...args: unknown[]) {
    return soon(this.fs, { op: "lstat", args });
  }
  readdir(...args: unknown[]) {
    return soon(this.fs, { op: "readdir", args });
  }
  mkdir(...args: unknown[]) {
    return soon(this.fs, { op: "mkdir", args });
  }
  rename(...args: unknown[]) {
    return soon(this.fs, { op: "rename", args });
  }
  link(...args: unknown[]) {
    return soon(this.fs, { op: "link", args });
  }
  unlink(...args: unknown[]) {
    return soon(this.fs, { op: "unlink", args });
  }
  rmdir(...args: unknown[]) {
    return soon(this.fs, { op: "rmdir", args });
  }
  realpath(...args: unknown[]) {
    return soon(this.fs, { op: "realpath", args });
  }
  writeFileAtomic(...args: unknown[]) {
    return soon(this.fs, { op: "writeFileAtomic", args });
  }
}

class OpenedFile {
  constructor(
    readonly fs: ModelFs,
    readonly on: number,
  ) {}

  write(...args: unknown[]) {
    return soon(this.fs, { op: "write", args, on: this.on });
  }
  sync() {
    return soon(this.fs, { op: "sync", args: [], on: this.on });
  }
  datasync() {
    return soon(this.fs, { op: "datasync", args: [], on: this.on });
  }
  stat() {
    return soon(this.fs, { op: "stat", args: [], on: this.on });
  }
  readFile() {
    return soon(this.fs, { op: "readFile", args: [], on: this.on });
  }
  read(...args: unknown[]) {
    return soon(this.fs, { op: "read", args, on: this.on });
  }
  truncate(...args: unknown[]) {
    return soon(this.fs, { op: "truncate", args, on: this.on });
  }
  close() {
    return soon(this.fs, { op: "close", args: [], on: this.on });
  }
}

/** A failure is told a moment later, as a real one is: by then somebody listens. */
function soon(fs: ModelFs, asked: Asked): Promise<unknown> {
  let failure: unknown;
  try {
    const answer = fs.ask(asked);
    if (!(answer instanceof Refusal)) return Promise.resolve(answer);
    failure = errorOf(answer.code);
  } catch (error) {
    failure = error;
  }
  return Promise.resolve().then(() => {
    throw failure;
  });
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

function errorOf(code: string): Error {
  let error = errors.get(code);
  if (error === undefined) {
    error = Object.assign(new Error(code), { code });
    errors.set(code, error);
  }
  return error;
}

function fail(code: string): never {
  throw errorOf(code);
}
