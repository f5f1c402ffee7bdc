/**
 * What stands on a modelled disk: folders by inode, contents by inode.
 *
 * Contents are never changed in place, so images share them; the hash of a tree
 * tells its names and contents, not its inodes.
 */

export interface Content {
  readonly bytes: Uint8Array;
  readonly mtimeMs: number;
  hash?: { a: number; b: number };
  buffer?: Buffer;
}

/** The same one each time: who remembers what some bytes say need not look at them again. */
export function bufferOf(content: Content): Buffer {
  const { bytes } = content;
  return (content.buffer ??= Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

const words = new WeakMap<Buffer, string>();

/** Tells one buffer's bytes from another's. */
export function wordOf(buffer: Buffer): string {
  let word = words.get(buffer);
  if (word === undefined) {
    const { a, b } = bytesHash(buffer);
    word = `${buffer.length} ${a} ${b}`;
    words.set(buffer, word);
  }
  return word;
}

export interface Image {
  /** Of each folder, the names in it. */
  names: Map<number, Map<string, number>>;
  files: Map<number, Content>;
}

export const ROOT_INO = 1;
export const EMPTY: Content = { bytes: new Uint8Array(), mtimeMs: 0 };

export function emptyImage(): Image {
  return { names: new Map([[ROOT_INO, new Map()]]), files: new Map() };
}

/** A copy that shares contents and no folder; what cannot be reached any more is left behind. */
export function copyOf({ names, files }: Image): Image {
  const copy: Image = { names: new Map(), files: new Map() };
  const visit = (dir: number, entries: ReadonlyMap<string, number>): void => {
    copy.names.set(dir, new Map(entries));
    for (const ino of entries.values()) {
      const below = names.get(ino);
      if (below !== undefined) visit(ino, below);
      else copy.files.set(ino, files.get(ino) ?? EMPTY);
    }
  };
  visit(ROOT_INO, names.get(ROOT_INO) ?? new Map());
  return copy;
}

/** Calls back for every file that can be reached, with its absolute path. */
export function eachFile({ names, files }: Image, found: (path: string, content: Content) => void): void {
  const visit = (dir: number, prefix: string): void => {
    for (const [name, ino] of names.get(dir) ?? []) {
      if (names.has(ino)) visit(ino, `${prefix}${name}/`);
      else found(prefix + name, files.get(ino) ?? EMPTY);
    }
  };
  visit(ROOT_INO, "/");
}

/**
 * 53 bits over names and contents of the tree, empty folders included. With
 * `meaningOf`, over what it gives for each file; undefined leaves a file out. It
 * is told the folder at the top of the workspace in which the file stands.
 */
export function treeHash(
  { names, files }: Image,
  meaningOf?: (top: string, content: Content) => Content | undefined,
): number {
  let a = 0;
  let b = 0;
  const visit = (dir: number, pathA: number, pathB: number, top: string, depth: number): void => {
    for (const [name, ino] of names.get(dir) ?? []) {
      const own = nameHash(name);
      const x = mix(pathA ^ own.a, own.b);
      const y = mix(pathB ^ own.b, own.a);
      const here = depth === TOP_DEPTH ? name : top;
      const isFolder = names.has(ino);
      const file = isFolder ? undefined : (files.get(ino) ?? EMPTY);
      const meaning = file === undefined || meaningOf === undefined ? file : meaningOf(here, file);
      if (isFolder || meaning !== undefined) {
        const content = meaning === undefined ? FOLDER : hashOf(meaning);
        // Order does not matter: each file counts for itself.
        a = (a + mix(x ^ Math.imul(content.a, 0x9e3779b1), content.b)) | 0;
        b = (b + mix(y ^ Math.imul(content.b, 0x85ebca6b), content.a)) | 0;
      }
      if (isFolder) visit(ino, x, y, here, depth + 1);
    }
  };
  visit(ROOT_INO, 1, 2, "", 0);
  return (a >>> 0) * 0x200000 + (b >>> 11);
}

/** `/w/journal`: the workspace's own folder is the first. */
const TOP_DEPTH = 1;
const FOLDER = { a: 0x5bd1e995, b: 0x1b873593 };
const known = new Map<string, { a: number; b: number }>();

function nameHash(name: string): { a: number; b: number } {
  let hash = known.get(name);
  if (hash === undefined) {
    hash = bytesHash(new TextEncoder().encode(name));
    // Names with random parts would fill the memory in the end.
    if (known.size > 100_000) known.clear();
    known.set(name, hash);
  }
  return hash;
}

function hashOf(content: Content): { a: number; b: number } {
  return (content.hash ??= bytesHash(content.bytes));
}

function bytesHash(bytes: Uint8Array): { a: number; b: number } {
  let a = 0x811c9dc5 ^ bytes.length;
  let b = 0xc2b2ae35;
  for (const byte of bytes) {
    a = Math.imul(a ^ byte, 0x01000193);
    b = Math.imul(b ^ byte, 0x5bd1e995);
    b ^= b >>> 15;
  }
  return { a: mix(a, b), b: mix(b, a) };
}

function mix(x: number, y: number): number {
  let h = Math.imul(x ^ (x >>> 16), 0x7feb352d) ^ y;
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return h ^ (h >>> 16);
}
