/** Reading plain files: whole, or for their hash in pieces, and never through a link. */
import { constants, type Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { fault } from "./disk.js";
import { contentHasher } from "./files.js";

interface Opening {
  open(file: string, flags: number): Promise<FileHandle>;
}

async function withFile<T>(
  system: Opening,
  file: string,
  work: (handle: FileHandle, stat: Stats) => Promise<T>,
): Promise<T> {
  const handle = await system.open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = await handle.stat();
    // A pipe or a device would give whatever it likes, for as long as it likes.
    if (!stat.isFile()) throw fault("EISDIR", "it is not a plain file");
    return await work(handle, stat);
  } finally {
    await handle.close();
  }
}

/** From so many bytes on they are worth being given back before the collector comes. */
const LONG_BYTES = 4 * 1024 * 1024;

export function readWhole(system: Opening, file: string, offset: number): Promise<Uint8Array> {
  return withFile(system, file, async (handle, { size }) => {
    const wanted = Math.max(0, size - offset);
    if (offset === 0 && wanted < LONG_BYTES) return await handle.readFile();
    const room = wanted < LONG_BYTES ? Buffer.alloc(wanted) : releasable(wanted);
    return room.subarray(0, await filled(handle, room, offset));
  });
}

function releasable(bytes: number): Buffer {
  return Buffer.from(new ArrayBuffer(bytes, { maxByteLength: bytes }), 0, bytes);
}

/** Gives back at once what a long file takes in memory, which nobody may look at any more; of a short one it does nothing. */
export function release({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.resizable) buffer.resize(0);
}

/** What a stream gives, in memory that can be given back with `release`; no more than `mostBytes` may come. */
export async function readStream(stream: AsyncIterable<Uint8Array>, mostBytes: number): Promise<Uint8Array> {
  const room = new ArrayBuffer(0, { maxByteLength: mostBytes });
  for await (const piece of stream) {
    const from = room.byteLength;
    room.resize(from + piece.byteLength);
    new Uint8Array(room).set(piece, from);
  }
  return new Uint8Array(room, 0, room.byteLength);
}

const PIECE_BYTES = 1024 * 1024;

export function hashOf(system: Opening, file: string): Promise<string> {
  return withFile(system, file, async (handle, { size }) => {
    const hasher = contentHasher();
    const piece = Buffer.alloc(Math.min(size, PIECE_BYTES) + 1);
    for (let at = 0, bytes = -1; bytes !== 0; at += bytes) {
      bytes = await filled(handle, piece, at);
      hasher.update(piece.subarray(0, bytes));
    }
    return hasher.digest();
  });
}

/** How many bytes there were, up to what there is room for. */
async function filled(handle: FileHandle, room: Buffer, from: number): Promise<number> {
  let bytes = 0;
  while (bytes < room.length) {
    const { bytesRead } = await handle.read(room, bytes, room.length - bytes, from + bytes);
    if (bytesRead === 0) break;
    bytes += bytesRead;
  }
  return bytes;
}
