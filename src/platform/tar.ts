/**
 * `.tar.gz`, written and read as streams: a file is in memory while it is its turn, and no other.
 *
 * What is read was made by anybody. Here it is only taken apart, within limits; what a name may be
 * and where it is put is decided by whoever asks.
 */
import fs from "node:fs";
import { pipeline } from "node:stream/promises";
import zlib from "node:zlib";
import tar from "tar-stream";
import { MemdError, messageOf } from "../model/errors.js";

export interface Packed {
  /** Relative, with `/` between parts. */
  path: string;
  mtimeMs: number;
  bytes: Uint8Array;
}

export interface TarEntry {
  path: string;
  /** `other`: a link, a device, a pipe. */
  kind: "file" | "dir" | "other";
  size: number;
  /** To be asked for at once, or not at all. */
  bytes: () => Promise<Uint8Array>;
}

const FILE_MODE = 0o600;

/** The bytes of an archive of these files, in their order. */
export async function* tarGzOf(files: AsyncIterable<Packed>): AsyncGenerator<Uint8Array> {
  const pack = tar.pack();
  const gzip = zlib.createGzip();
  const piped = pipeline(pack, gzip);
  const filled = fill(pack, files).catch((error: unknown) => {
    pack.destroy(error instanceof Error ? error : new Error(messageOf(error)));
    throw error;
  });
  // Both are awaited below; what fails while nobody does is told there.
  for (const each of [piped, filled]) each.catch(() => undefined);
  try {
    for await (const piece of gzip) yield piece as Uint8Array;
  } catch (error) {
    await filled;
    throw error;
  }
  await Promise.all([filled, piped]);
}

async function fill(pack: tar.Pack, files: AsyncIterable<Packed>): Promise<void> {
  for await (const { path, mtimeMs, bytes } of files) {
    const header = { name: path, size: bytes.byteLength, mode: FILE_MODE, mtime: new Date(mtimeMs) };
    await new Promise<void>((resolve, reject) => {
      const done = (error?: Error | null): void => (error ? reject(error) : resolve());
      pack.entry(header, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), done);
    });
  }
  pack.finalize();
}

/** Texts shrink to a tenth, seldom to a fiftieth: what grows beyond that was made to fill a disk. */
const MOST_TIMES_LARGER = 200;
const ALWAYS_BYTES = 64 * 1024 * 1024;

/** What stands in an archive, in its order. Throws `import_invalid` where it is none, or grows beyond all measure. */
export async function* tarEntriesIn(file: string): AsyncGenerator<TarEntry> {
  const { size } = await fs.promises.stat(file);
  const most = Math.max(ALWAYS_BYTES, size * MOST_TIMES_LARGER);
  const counted = async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const piece of pieces) {
      bytes += piece.byteLength;
      if (bytes > most) throw new Error("it unpacks to far more than such files hold");
      yield piece;
    }
  };
  const extract = tar.extract();
  const piped = pipeline(fs.createReadStream(file), zlib.createGunzip(), counted, extract);
  piped.catch(() => undefined);
  try {
    for await (const entry of extract) {
      const { name, type, size: bytes = 0 } = entry.header;
      const kind =
        type === "file" || type === "contiguous-file" ? "file" : type === "directory" ? "dir" : "other";
      let isRead = false;
      yield {
        path: name,
        kind,
        size: bytes,
        bytes: async () => {
          isRead = true;
          return wholeOf(entry);
        },
      };
      if (!isRead) for await (const _piece of entry);
    }
    await piped;
  } catch (error) {
    if (error instanceof MemdError) throw error;
    throw new MemdError("import_invalid", `${file} cannot be unpacked: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

async function wholeOf(pieces: AsyncIterable<unknown>): Promise<Uint8Array> {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(piece as Buffer);
  return Buffer.concat(all);
}
