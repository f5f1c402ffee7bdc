/**
 * Bytes as text, in pieces of whole lines. A line that is no UTF-8 is counted and left out:
 * a text is not taken in as other characters than it was written in.
 */
import { isUtf8 } from "../platform/encoded.js";
import type { Skipped } from "./told.js";

/** Longer strings are given memory of their own from the system, and that takes longer than to read them. */
const PIECE_BYTES = 32 * 1024;
const NEWLINE = 0x0a;

export function* piecesOf(bytes: Uint8Array, skipped: Skipped): Generator<string> {
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(NEWLINE, Math.min(from + PIECE_BYTES, bytes.length));
    const piece = bytes.subarray(from, end === -1 ? bytes.length : end + 1);
    from += piece.length;
    const text = textOf(piece);
    if (text === undefined) yield* linesOf(piece, skipped);
    else yield text;
  }
}

function* linesOf(piece: Uint8Array, skipped: Skipped): Generator<string> {
  for (let from = 0; from < piece.length;) {
    const end = piece.indexOf(NEWLINE, from);
    const line = piece.subarray(from, end === -1 ? piece.length : end + 1);
    from += line.length;
    const text = textOf(line);
    if (text === undefined) skipped.note("lines that are no UTF-8 text");
    else yield text;
  }
}

/** A mark in front stays. */
function textOf(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString() : undefined;
}
