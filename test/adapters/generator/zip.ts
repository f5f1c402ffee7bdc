/** Zip files written by hand: stored and deflated entries, some with their sizes after the data. */
import zlib from "node:zlib";
import type { Yard } from "./yard.js";

interface Entry {
  name: Buffer;
  flags: number;
  method: number;
  crc: number;
  packed: number;
  size: number;
  offset: number;
}

const UTF8_NAME = 0x0800;
const SIZES_AFTER = 0x0008;
/** 2026-05-01, noon, as MS-DOS has it. */
const TIME = 12 << 11;
const DATE = ((2026 - 1980) << 9) | (5 << 5) | 1;

/** `files` by name; a name that ends with a slash is a folder. */
export function zipOf(yard: Yard, files: Readonly<Record<string, string | Buffer>>): Buffer[] {
  const pieces: Buffer[] = [];
  const entries: Entry[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const data = Buffer.from(content);
    const deflated = data.length > 0 && yard.random.chance(0.6);
    const after = deflated && yard.happens("zip entries with their sizes after the data", 0.4);
    yard.odd(`zip entries ${deflated ? "deflated" : "stored"}`);
    const packed = deflated ? zlib.deflateRawSync(data, { level: 1 }) : data;
    const entry: Entry = {
      name: Buffer.from(name),
      flags: UTF8_NAME | (after ? SIZES_AFTER : 0),
      method: deflated ? 8 : 0,
      crc: zlib.crc32(data),
      packed: packed.length,
      size: data.length,
      offset,
    };
    const written = [localHeader(entry, after), entry.name, packed, ...(after ? [descriptor(entry)] : [])];
    pieces.push(...written);
    entries.push(entry);
    offset += written.reduce((sum, piece) => sum + piece.length, 0);
  }
  const directory = entries.flatMap((entry) => [centralHeader(entry), entry.name]);
  const size = directory.reduce((sum, piece) => sum + piece.length, 0);
  return [...pieces, ...directory, endOf(entries.length, size, offset)];
}

function localHeader(entry: Entry, after: boolean): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  writeShared(header, 6, after ? { ...entry, crc: 0, packed: 0, size: 0 } : entry);
  return header;
}

function centralHeader(entry: Entry): Buffer {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(20, 6);
  writeShared(header, 8, entry);
  header.writeUInt32LE(entry.offset, 42);
  return header;
}

function writeShared(header: Buffer, from: number, entry: Entry): void {
  header.writeUInt16LE(entry.flags, from);
  header.writeUInt16LE(entry.method, from + 2);
  header.writeUInt16LE(TIME, from + 4);
  header.writeUInt16LE(DATE, from + 6);
  header.writeUInt32LE(entry.crc, from + 8);
  header.writeUInt32LE(entry.packed, from + 12);
  header.writeUInt32LE(entry.size, from + 16);
  header.writeUInt16LE(entry.name.length, from + 20);
}

function descriptor(entry: Entry): Buffer {
  const after = Buffer.alloc(16);
  after.writeUInt32LE(0x08074b50, 0);
  after.writeUInt32LE(entry.crc, 4);
  after.writeUInt32LE(entry.packed, 8);
  after.writeUInt32LE(entry.size, 12);
  return after;
}

function endOf(count: number, size: number, offset: number): Buffer {
  const comment = Buffer.from("an export");
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([end, comment]);
}
