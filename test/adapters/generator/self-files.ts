/** Opens generated files the plain way, so that a test can see whether they are what they claim to be. */
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { DatabaseSync } from "@photostructure/sqlite";
import { xxh64 } from "./xxh64.js";

interface Opened {
  /** Every string in it, or its whole text. */
  strings: string[];
  /** Lines that are no JSON. */
  unparsable: number;
}

/** Relative paths of all files below a folder, in order. */
export function filesBelow(dir: string): string[] {
  return fs
    .readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)))
    .sort();
}

export function open(file: string): Opened {
  if (file.endsWith(".sqlite")) return openSqlite(file);
  return openBytes(file, fs.readFileSync(file));
}

function openBytes(name: string, bytes: Buffer): Opened {
  if (name.endsWith(".zip")) return merged([...unzip(bytes)].map(([entry, data]) => openBytes(entry, data)));
  if (name.endsWith(".zst")) return openBytes(name.slice(0, -4), unzstd(bytes));
  const text = bytes.toString().replace(/^\ufeff/, "");
  if (/\.(?:json|af|canvas)$/.test(name)) return { strings: stringsOf(JSON.parse(text)), unparsable: 0 };
  if (/\.jsonl(?:$|\.deleted)/.test(name)) return openLines(text.split(/\r?\n/));
  return { strings: [text.replaceAll("\r\n", "\n")], unparsable: 0 };
}

function openLines(lines: readonly string[]): Opened {
  const opened: Opened = { strings: [], unparsable: 0 };
  for (const line of lines) {
    if (line === "") continue;
    try {
      opened.strings.push(...stringsOf(JSON.parse(line)));
    } catch {
      opened.unparsable += 1;
    }
  }
  return opened;
}

function openSqlite(file: string): Opened {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare("SELECT event_json FROM transcript_events ORDER BY session_id, seq").all();
  db.close();
  return openLines(rows.map((row) => String(row["event_json"])));
}

export function merged(all: readonly Opened[]): Opened {
  return {
    strings: all.flatMap((opened) => opened.strings),
    unparsable: all.reduce((sum, opened) => sum + opened.unparsable, 0),
  };
}

function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsOf);
}

/** By the central directory; checks each entry's sum. */
function unzip(bytes: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const end = bytes.lastIndexOf(Buffer.from("PK\u0005\u0006"));
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.subarray(at + 46, at + 46 + nameLength).toString();
    const local = bytes.readUInt32LE(at + 42);
    const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const packed = bytes.subarray(from, from + bytes.readUInt32LE(at + 20));
    const data = bytes.readUInt16LE(at + 10) === 8 ? zlib.inflateRawSync(packed) : packed;
    if (zlib.crc32(data) !== bytes.readUInt32LE(at + 16)) throw new Error(`wrong sum of ${name}`);
    if (!name.endsWith("/")) files.set(name, data);
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return files;
}

/** Frames whose blocks are raw, RLE, or literals alone. One that is cut short gives nothing. */
function unzstd(bytes: Buffer): Buffer {
  const frames: Buffer[] = [];
  try {
    for (let at = 0; at < bytes.length;) {
      if ((bytes.readUInt32LE(at) & 0xfffffff0) >>> 0 === 0x184d2a50) {
        at += 8 + bytes.readUInt32LE(at + 4);
        continue;
      }
      const { content, next } = frame(bytes, at);
      frames.push(content);
      at = next;
    }
  } catch (error) {
    if (error instanceof RangeError) return Buffer.alloc(0);
    throw error;
  }
  return Buffer.concat(frames);
}

function frame(bytes: Buffer, start: number): { content: Buffer; next: number } {
  if (bytes.readUInt32LE(start) !== 0xfd2fb528) throw new Error("no zstd frame");
  const descriptor = bytes.readUInt8(start + 4);
  const sized = (descriptor & 0x20) !== 0;
  let at = start + (sized ? 9 : 6);
  const blocks: Buffer[] = [];
  for (let last = false; !last;) {
    const header = bytes.readUIntLE(at, 3);
    const size = header >> 3;
    const type = (header >> 1) & 3;
    last = (header & 1) === 1;
    at += 3;
    const length = type === 1 ? 1 : size;
    if (at + length > bytes.length) throw new RangeError("cut");
    if (type === 1) blocks.push(Buffer.alloc(size, bytes.readUInt8(at)));
    else blocks.push(type === 2 ? bytes.subarray(at + 3, at + size - 1) : bytes.subarray(at, at + size));
    at += length;
  }
  const content = Buffer.concat(blocks);
  if (sized && bytes.readUInt32LE(start + 5) !== content.length) throw new Error("wrong size");
  if ((descriptor & 4) === 0) return { content, next: at };
  if (bytes.readUInt32LE(at) !== xxh64(content).readUInt32LE(0)) throw new Error("wrong sum");
  return { content, next: at + 4 };
}
