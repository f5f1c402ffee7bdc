/**
 * JSON lines: the only files that are appended to.
 *
 * An append returns once its lines are durable. A torn last line (a crash, a
 * full disk) is set aside in `conflicts/` and ended, so that the next line is
 * whole; after a failed fsync the caller takes a new file.
 */
import { isMemdError, MemdError } from "../model/errors.js";
import { type Disk } from "../platform/disk.js";
import { dirname } from "../platform/files.js";
import { setAside } from "./conflicts.js";
import { type FileWriter, ifReadable } from "./publish.js";
import type { Workspace } from "./workspace.js";

const NEWLINE = 0x0a;
const CHUNK_CHARS = 512 * 1024;
const PIECE_BYTES = 256 * 1024;
const BEGINS_VALUE = /^(?:[[{"]|-?\d|true|false|null)/;
const BYTE_ORDER_MARKS = /^\ufeff+/;

/** Written, but perhaps not durable: nobody knows what the file holds now, so it is not appended to again. */
export class NotSynced extends MemdError {
  constructor(file: string, cause: unknown) {
    super(
      isMemdError(cause) ? cause.code : "disk_fault",
      `What was written to ${file} may not be on the disk.`,
      { cause },
    );
  }
}

/** Appends whole lines; throws, with nothing acknowledged, when they may not be durable. True when a torn line was ended first. */
export async function appendLines(
  writer: FileWriter,
  workspace: Workspace,
  file: string,
  lines: Iterable<string>,
): Promise<boolean> {
  const { disk } = writer;
  await disk.makeDir(dirname(file));
  const before = await disk.stat(file);
  const torn =
    before === undefined || before.size === 0 ? undefined : await tornEnd(writer, file, before.size);
  if (torn !== undefined) await setAside(writer, workspace, file, torn, "torn last line");
  await writer.guard();
  await writeDurably(disk, file, before?.size ?? 0, chunksOf(torn === undefined ? "" : "\n", lines));
  const named = namedFiles.get(disk) ?? new Set<string>();
  namedFiles.set(disk, named);
  // Who made the file may have died, or failed, before its name was on the disk.
  if (before === undefined || !named.has(file)) await disk.syncDir(dirname(file));
  named.add(file);
  return torn !== undefined;
}

/**
 * Makes durable what stands in the file, and its name. Before anything is
 * concluded from a line: who appended it may have been killed before its fsync,
 * and the line may yet be gone once the power fails.
 */
export async function syncLines(disk: Disk, file: string): Promise<void> {
  const out = await disk.openAppend(file);
  try {
    await out.datasync();
  } finally {
    await out.close();
  }
  await disk.syncDir(dirname(file));
}

/** Files whose names this process knows to be on the disk. */
const namedFiles = new WeakMap<Disk, Set<string>>();

/** `size`: bytes that stand in the file before. */
async function writeDurably(disk: Disk, file: string, size: number, chunks: Iterable<string>): Promise<void> {
  const out = await disk.openAppend(file);
  try {
    for (const chunk of chunks) await out.write(Buffer.from(chunk));
    await out.datasync().catch((error: unknown) => {
      throw new NotSynced(file, error);
    });
  } catch (error) {
    // Whole lines of a batch that is not acknowledged would stand there twice once it is tried again.
    if (!(error instanceof NotSynced)) await out.truncate(size).catch(() => undefined);
    // The first failure is the one that counts.
    await out.close().catch(() => undefined);
    throw error;
  }
  await out.close();
}

/** Lines in pieces, so that a long batch does not hold up the event loop. */
function* chunksOf(start: string, lines: Iterable<string>): Generator<string> {
  let chunk = start;
  for (const line of lines) {
    chunk += `${line}\n`;
    if (chunk.length < CHUNK_CHARS) continue;
    yield chunk;
    chunk = "";
  }
  if (chunk !== "") yield chunk;
}

export interface Line {
  value: unknown;
  /** 1-based. */
  line: number;
}

/** The lines of a file that are whole JSON values, with their numbers; what is not is skipped. */
export function parseLines(text: string): Line[] {
  return [...readLines(Buffer.from(text))];
}

/** The same, each read when it is asked for. */
export function* readLines(bytes: Uint8Array): Generator<Line> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let from = 0, line = 1; from < file.length;) {
    // In pieces of whole lines: to look for the end of each in bytes takes longer than to parse it.
    const end = file.indexOf(NEWLINE, Math.min(from + PIECE_BYTES, file.length));
    const to = end === -1 ? file.length : end;
    for (const text of file.toString("utf8", from, to).split("\n")) {
      const value = valueIn(text);
      if (value !== undefined) yield { value, line };
      line += 1;
    }
    from = to + 1;
  }
}

/** Of these lines alone, whatever stands on the others. `wanted`: 1-based, in order. */
export function* readLinesAt(bytes: Uint8Array, wanted: readonly number[]): Generator<Line> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [from, line] = [0, 1];
  for (const next of wanted) {
    for (; line < next && from < file.length; line++) from = file.indexOf(NEWLINE, from) + 1 || file.length;
    const end = file.indexOf(NEWLINE, from);
    const value = valueIn(file.toString("utf8", from, end === -1 ? file.length : end));
    if (value !== undefined) yield { value, line };
  }
}

/** How many line breaks. */
export function breaksIn(bytes: Uint8Array): number {
  let breaks = 0;
  for (let found = bytes.indexOf(NEWLINE); found !== -1; found = bytes.indexOf(NEWLINE, found + 1)) breaks++;
  return breaks;
}

/** Undefined for what is no JSON: a torn line was never acknowledged, and appendLines has set it aside. */
function valueIn(line: string): unknown {
  // Some editors put a mark in front of a file, and files get joined.
  const text = (line.startsWith("\ufeff") ? line.replace(BYTE_ORDER_MARKS, "") : line).trim();
  // A failed parse costs a hundred times as much as this look, and a broken file may have nothing but such lines.
  return BEGINS_VALUE.test(text) ? ifReadable((): unknown => JSON.parse(text)) : undefined;
}

/** The bytes after the last line break, when there are any. */
async function tornEnd(writer: FileWriter, file: string, size: number): Promise<Uint8Array | undefined> {
  const [last] = (await writer.disk.readFrom(file, size - 1)) ?? [];
  if (last === NEWLINE || last === undefined) return undefined;
  const whole = (await writer.disk.read(file)) ?? new Uint8Array();
  return whole.subarray(whole.lastIndexOf(NEWLINE) + 1);
}
