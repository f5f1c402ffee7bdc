/**
 * The checkpoint: what the files of the memory held when they were last read, so that a start reads only those
 * that have changed since. Derived: without it, or where anything of it is not as memd wrote it, all is read.
 *
 * A file counts while it has the size and the time that it had. Of a journal that has grown the bytes count that
 * it began with, by their hash, and what came behind them is read.
 */
import { entryOf } from "../model/collections.js";
import { type Pace } from "../model/work.js";
import type { Disk, FileStat } from "../platform/disk.js";
import { contentHasher, hashInSteps, stampOf } from "../platform/files.js";
import { packageVersion } from "../platform/package-root.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";
import type { Remembered } from "./known-files.js";
import { type FileHead, type Recalled, recalledIn, sightingsIn } from "./checkpoint-lines.js";
import type { Row } from "./day-rows.js";
import type { Sighting } from "./sighting.js";

/** Another number whenever its lines, or the hashes in them, are made in another way. */
const FORMAT = 3;
const NEWLINE = 0x0a;

/** Of a journal: its first bytes, and what stands in them. */
export interface RecalledPart {
  bytes: number;
  lines: number;
  hash: string;
  /** Line by line. */
  told: Iterable<readonly Recalled[]>;
}

interface Held<H extends FileHead = FileHead> {
  head: H;
  /** Its lines. */
  bytes: Buffer;
}

type JournalHead = Extract<FileHead, { is: "journal" }>;

export class Checkpoint {
  /** Of days that were asked for: messages of many days stand in a journal side by side. */
  readonly #rows = new Map<string, readonly Sighting[]>();

  private constructor(readonly held: ReadonlyMap<string, Held>) {}

  static readonly none = new Checkpoint(new Map());

  static async read(disk: Disk, workspace: Workspace, pace: Pace): Promise<Checkpoint> {
    const read = await disk.read(at(workspace, FILES.checkpoint)).catch(() => undefined);
    const lines =
      read === undefined
        ? undefined
        : await linesAsWritten(Buffer.from(read.buffer, read.byteOffset, read.byteLength), pace);
    return lines === undefined ? Checkpoint.none : new Checkpoint(heldIn(lines));
  }

  /** As it was under its stamp. */
  file(path: string): Remembered | undefined {
    const held = this.#held(path, "file");
    if (held === undefined) return undefined;
    const { stamp, file, isEdited } = held.head;
    return { stamp, file, isEdited, sightings: lineByLine(held.bytes, sightingsIn) };
  }

  /** All of a journal that has not changed, without a look into it. */
  wholeJournal(path: string, present: FileStat | undefined): RecalledPart | undefined {
    const held = this.#held(path, "journal");
    if (held?.head.bytes !== present?.size) return undefined;
    return held?.head.stamp === stampOf(present) ? partOf(held) : undefined;
  }

  /** What it knows of a journal that holds these bytes. */
  async journal(path: string, present: Uint8Array, pace: Pace): Promise<RecalledPart | undefined> {
    const held = this.#held(path, "journal");
    if (held === undefined || present.byteLength < held.head.bytes) return undefined;
    const { bytes, hash } = held.head;
    return (await hashInSteps(present.subarray(0, bytes), pace)) === hash ? partOf(held) : undefined;
  }

  /** What a row says, whether or not its day has changed since. */
  row({ day, row }: Row): Sighting | undefined {
    return this.rowsOf(day)[row];
  }

  /** All of a day's, kept for whoever asks again. */
  rowsOf(day: string): readonly Sighting[] {
    return entryOf(this.#rows, day, () => [...(this.file(day)?.sightings ?? [])].flat());
  }

  /** The lines of a file as they stand here. */
  linesOf(path: string): Uint8Array {
    return this.held.get(path)?.bytes ?? new Uint8Array();
  }

  #held<I extends FileHead["is"]>(path: string, is: I): Held<Extract<FileHead, { is: I }>> | undefined {
    const held = this.held.get(path);
    return held?.head.is === is ? (held as Held<Extract<FileHead, { is: I }>>) : undefined;
  }
}

function partOf({ head: { bytes, lines, hash }, bytes: printed }: Held<JournalHead>): RecalledPart {
  return { bytes, lines, hash, told: lineByLine(printed, recalledIn) };
}

/** The bytes of a checkpoint with the files that come, each with its lines. */
export async function* printCheckpoint(
  files: AsyncIterable<{ head: FileHead; lines: Iterable<Uint8Array> }>,
): AsyncGenerator<Uint8Array> {
  const hasher = contentHasher();
  const counted = (piece: Uint8Array): Uint8Array => {
    hasher.update(piece);
    return piece;
  };
  yield counted(Buffer.from(firstLine()));
  for await (const { head, lines } of files) {
    yield counted(Buffer.from(`${JSON.stringify({ head })}\n`));
    for (const line of lines) yield counted(line);
  }
  yield Buffer.from(lastLine(hasher.digest()));
}

function firstLine(): string {
  return `${JSON.stringify({ checkpoint: FORMAT, memd: packageVersion() })}\n`;
}

function lastLine(hash: string): string {
  return `${JSON.stringify({ hash })}\n`;
}

/** All between the first line and the last; undefined where it is of another memd, or not as it was written. */
async function linesAsWritten(bytes: Buffer, pace: Pace): Promise<Buffer | undefined> {
  const first = Buffer.from(firstLine());
  const last = Buffer.byteLength(lastLine("0".repeat(16)));
  const body = bytes.subarray(0, Math.max(0, bytes.length - last));
  if (!body.subarray(0, first.length).equals(first)) return undefined;
  if (bytes.toString("utf8", body.length) !== lastLine(await hashInSteps(body, pace))) return undefined;
  return body.subarray(first.length);
}

const HEAD = Buffer.from('{"head":');

function heldIn(lines: Buffer): Map<string, Held> {
  const held = new Map<string, Held>();
  let open: { head: FileHead; from: number } | undefined;
  const close = (to: number): void => {
    if (open !== undefined)
      held.set(open.head.path, { head: open.head, bytes: lines.subarray(open.from, to) });
  };
  for (let from = 0; from < lines.length;) {
    const to = lines.indexOf(NEWLINE, from) + 1 || lines.length;
    if (lines.subarray(from, from + HEAD.length).equals(HEAD)) {
      close(from);
      open = { head: (JSON.parse(lines.toString("utf8", from, to)) as { head: FileHead }).head, from: to };
    }
    from = to;
  }
  close(lines.length);
  return held;
}

function* lineByLine<T>(bytes: Buffer, read: (line: string) => T): Generator<T> {
  for (let from = 0; from < bytes.length;) {
    const to = bytes.indexOf(NEWLINE, from) + 1 || bytes.length;
    yield read(bytes.toString("utf8", from, to));
    from = to;
  }
}
