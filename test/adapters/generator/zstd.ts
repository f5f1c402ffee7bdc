/**
 * Zstandard frames (RFC 8878) without compression worth the name: raw blocks, RLE blocks, and compressed
 * blocks whose literals are raw and which have no sequences. Every decoder must read them.
 */
import { xxh64 } from "./xxh64.js";
import type { Yard } from "./yard.js";

const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const SKIPPABLE = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 5, 0, 0, 0, ...Buffer.from("notes")]);
const MAX_BLOCK = 128 * 1024;
const RUN = Buffer.from("=".repeat(200));
/** Checksums are made in BigInt, which is slow. */
const MAX_CHECKED = 200_000;

type BlockType = 0 | 1 | 2;

export function zstdFrames(yard: Yard, content: Buffer): Buffer {
  const pieces: Buffer[] = [];
  if (yard.happens("skippable zstd frames", 0.1)) pieces.push(SKIPPABLE);
  const cut = yard.happens("several zstd frames in one file", 0.2) ? Math.floor(content.length / 3) : 0;
  if (cut > 0) pieces.push(...frame(yard, content.subarray(0, cut)));
  pieces.push(...frame(yard, content.subarray(cut)));
  return Buffer.concat(pieces);
}

function frame(yard: Yard, content: Buffer): Buffer[] {
  const checked = content.length < MAX_CHECKED && yard.happens("zstd checksums", 0.3);
  const sized = content.length < 2 ** 32 && yard.random.chance(0.5);
  const header = Buffer.alloc(sized ? 5 : 2);
  header[0] = (sized ? 0b1010_0000 : 0) | (checked ? 0b100 : 0);
  if (sized) header.writeUInt32LE(content.length, 1);
  // A window of 128 KB: 2 to the power of 10 + 7.
  else header[1] = 7 << 3;
  const maxBlock = sized ? Math.min(MAX_BLOCK, content.length) : MAX_BLOCK;
  const checksum = checked ? [xxh64(content).subarray(0, 4)] : [];
  return [MAGIC, header, ...blocks(yard, content, maxBlock), ...checksum];
}

function blocks(yard: Yard, content: Buffer, maxBlock: number): Buffer[] {
  const pieces: Buffer[] = [];
  let at = 0;
  do {
    const size = Math.min(content.length - at, yard.random.between(1, MAX_BLOCK));
    const run = content.subarray(at, at + size).indexOf(RUN);
    const length = run === 0 ? runLength(content, at, maxBlock) : run > 0 ? run : size;
    const last = at + length >= content.length;
    const piece = content.subarray(at, at + length);
    if (run === 0) pieces.push(blockHeader(1, length, last), piece.subarray(0, 1));
    else if (length + 4 <= maxBlock && yard.random.chance(0.4)) pieces.push(...literalBlock(piece, last));
    else pieces.push(blockHeader(0, length, last), piece);
    if (run === 0) yard.odd("RLE blocks");
    at += length;
  } while (at < content.length);
  return pieces;
}

function runLength(content: Buffer, at: number, maxBlock: number): number {
  let end = at;
  while (end < content.length && content[end] === content[at] && end - at < maxBlock) end += 1;
  return end - at;
}

function blockHeader(type: BlockType, size: number, last: boolean): Buffer {
  const header = Buffer.alloc(3);
  header.writeUIntLE((last ? 1 : 0) | (type << 1) | (size << 3), 0, 3);
  return header;
}

/** A compressed block that only has literals: raw, with a size of 20 bits, and then no sequences. */
function literalBlock(piece: Buffer, last: boolean): Buffer[] {
  const literals = Buffer.alloc(3);
  literals.writeUIntLE((3 << 2) | (piece.length << 4), 0, 3);
  return [blockHeader(2, piece.length + 4, last), literals, piece, Buffer.from([0])];
}
