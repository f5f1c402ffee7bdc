/**
 * Publishing: how a file of memd's comes to stand on the disk.
 *
 * A reader sees the old file or the new one, after a crash too; an
 * acknowledgement comes only after these functions return. A failed write or
 * fsync leaves the old file, and the same descriptor is never tried again.
 */
import { MemdError } from "../model/errors.js";
import type { EpochMs } from "../model/time.js";
import type { Random } from "../platform/clock.js";
import { type Disk } from "../platform/disk.js";
import { basename, dirname, join } from "../platform/files.js";

/** What publishing needs. `guard` throws `ownership_lost` or `workspace_moved` once this process may not write any more. */
export interface FileWriter {
  disk: Disk;
  random: Random;
  guard: () => Promise<void>;
}

/** What is long comes in pieces; a piece is true until the next one is asked for. */
export type Content = string | Uint8Array | AsyncIterable<Uint8Array>;

/** What was read of a file; of a long one its hash is enough. */
type Base = string | Uint8Array | { hash: string };

const TEMP_NAME = /^\..+\.[a-z0-9]{8}\.tmp$/;
/** What write-file-atomic calls its own; only of the files that are written with it. */
const DERIVED_TEMP_NAME = /^(?:prompt\.md|prompt\.json|state\.json)(?:\.0)?\.\d{1,10}$/;

/** Replaces the file whole; makes it, and its folder, when they are not there. */
export async function publish(writer: FileWriter, file: string, content: Content): Promise<void> {
  await withTemp(writer, file, content, async (temp) => {
    await writer.disk.rename(temp, file);
  });
}

/**
 * Replaces a file that people edit too: false, and nothing changed, when it is
 * no longer what was read (`base`; undefined for "was not there").
 */
export async function publishOver(
  writer: FileWriter,
  file: string,
  content: Content,
  base: Base | undefined,
): Promise<boolean> {
  if (base === undefined) return publishNew(writer, file, content);
  return withTemp(writer, file, content, async (temp) => {
    const isBase = await stands(writer.disk, file, base);
    if (isBase) await writer.disk.rename(temp, file);
    else await writer.disk.unlink(temp);
    return isBase;
  });
}

/** Whether what stands is what was read. */
async function stands(disk: Disk, file: string, base: Base): Promise<boolean> {
  // Bytes that are no text are not what was read either.
  if (typeof base === "string") return (await readText(disk, file).catch(ifNoText)) === base;
  if (!(base instanceof Uint8Array)) return (await disk.hash(file)) === base.hash;
  const present = await disk.read(file);
  return present !== undefined && Buffer.compare(present, base) === 0;
}

/** Publishes a new file under a name that nothing has; false, and nothing changed, when it is taken. */
export async function publishNew(writer: FileWriter, file: string, content: Content): Promise<boolean> {
  let unlinked: Promise<unknown> | undefined;
  try {
    return await withTemp(writer, file, content, async (temp) => {
      const linked = await writer.disk.link(temp, file);
      // It stands under its name by now: the second one goes while the folder is fsynced, or at the next start.
      unlinked = writer.disk.unlink(temp).catch(() => undefined);
      return linked;
    });
  } finally {
    await unlinked;
  }
}

/** Writes the temp file, has it placed and makes the folder's entry durable; a temp file that is not placed goes again. */
async function withTemp<T>(
  writer: FileWriter,
  file: string,
  content: Content,
  place: (temp: string) => Promise<T>,
): Promise<T> {
  const { disk } = writer;
  const temp = await tempInFolder(writer, file, content);
  let placed: T;
  try {
    await writer.guard();
    placed = await place(temp);
  } catch (error) {
    await disk.unlink(temp).catch(() => undefined);
    throw error;
  }
  await disk.syncDir(dirname(file));
  return placed;
}

/** Folders that this process has made sure of; one that is removed meanwhile is made again. */
const knownFolders = new WeakMap<Disk, Set<string>>();

/** The folder is seen to once, not at every publication: that would cost an agent a tenth of its wait. */
async function tempInFolder(writer: FileWriter, file: string, content: Content): Promise<string> {
  const known = knownFolders.get(writer.disk) ?? new Set<string>();
  knownFolders.set(writer.disk, known);
  const dir = dirname(file);
  if (known.has(dir)) {
    try {
      return await writeTemp(writer, file, content);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  await writer.disk.makeDir(dir);
  known.add(dir);
  return await writeTemp(writer, file, content);
}

function isMissing(error: unknown): boolean {
  return (error as { cause?: { code?: unknown } }).cause?.code === "ENOENT";
}

/** Durable temp file beside `file`, fsynced and closed; its path. */
export async function writeTemp(writer: FileWriter, file: string, content: Content): Promise<string> {
  const { disk, random } = writer;
  const temp = join(dirname(file), `.${basename(file)}.${random.name(8)}.tmp`);
  const out = await disk.create(temp);
  if (out === undefined) throw new MemdError("disk_fault", `The temporary name ${temp} is taken.`);
  try {
    try {
      for await (const piece of piecesOf(content)) await out.write(piece);
      await out.sync();
    } finally {
      await out.close();
    }
  } catch (error) {
    // The failure that counts is the first one; what cannot be removed now is swept at the next start.
    await disk.unlink(temp).catch(() => undefined);
    throw error;
  }
  return temp;
}

/** Throws what keeps a file from being written in that folder; leaves none. */
export async function probeFolder(writer: FileWriter, dir: string): Promise<void> {
  await writer.guard();
  await writer.disk.unlink(await tempInFolder(writer, join(dir, "probe"), "probe\n"));
}

function piecesOf(content: Content): Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
  if (typeof content === "string") return [Buffer.from(content)];
  return content instanceof Uint8Array ? [content] : content;
}

/**
 * Removes what a killed process left of unfinished publications in `dir`; where
 * others publish too, only what was written before `before`. How many names stand there then.
 */
export async function sweepTemps(disk: Disk, dir: string, before?: EpochMs): Promise<number> {
  const entries = await disk.list(dir);
  let standing = entries.length;
  for (const { kind, name } of entries) {
    if (kind !== "file" || !isTempName(name)) continue;
    const file = join(dir, name);
    const stat = before === undefined ? undefined : await disk.stat(file);
    if (before !== undefined && (stat === undefined || stat.mtimeMs >= before)) continue;
    await disk.unlink(file);
    standing--;
  }
  return standing;
}

/** Of a publication that is under way, or that nobody will end any more. */
export function isTempName(name: string): boolean {
  return TEMP_NAME.test(name) || DERIVED_TEMP_NAME.test(name);
}

/** Publishes something that can be made again from other files (prompt, state). */
export async function publishDerived(writer: FileWriter, file: string, content: string): Promise<void> {
  await placeDerived(writer, file, content);
  await settleDerived(writer, [file]);
}

/**
 * Puts something that can be made again in its place. It is seen before it is
 * durable: an agent waits for it, and every start makes it again.
 */
export async function placeDerived(
  { disk, guard }: FileWriter,
  file: string,
  content: string,
): Promise<void> {
  await disk.makeDir(dirname(file));
  await guard();
  await disk.replaceDerived(file, Buffer.from(content));
}

/** Makes durable what was placed; all in one folder. */
export async function settleDerived({ disk }: FileWriter, files: readonly string[]): Promise<void> {
  for (const file of files) await disk.syncFile(file);
  await disk.syncDir(dirname(files[0] ?? ""));
}

/** UTF-8 text; undefined when it is not there. Bytes that are no UTF-8 throw SyntaxError. */
export async function readText(disk: Disk, file: string): Promise<string | undefined> {
  const bytes = await disk.read(file);
  if (bytes === undefined) return undefined;
  const text = textIn(bytes);
  if (text === undefined) throw new SyntaxError(`${basename(file)} is not UTF-8 text`);
  return text;
}

/** With its byte order mark, if it has one; undefined where the bytes are no UTF-8. */
export function textIn(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // The decoder has nothing to tell but this.
    return undefined;
  }
}

/** To catch `readText` with where bytes that are no text say as much as none; a disk that refuses says nothing of the file. */
export function ifNoText(error: unknown): undefined {
  if (!(error instanceof SyntaxError)) throw error;
}

/** What a parser makes of a text; undefined where it throws SyntaxError. */
export function ifReadable<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    return ifNoText(error);
  }
}

/** Durable when it returns; false where nothing stood there. */
export async function removeFile({ disk, guard }: FileWriter, file: string): Promise<boolean> {
  await guard();
  const stood = await disk.unlink(file);
  if (stood) await disk.syncDir(dirname(file));
  return stood;
}

/**
 * Rewriting a file that somebody else may change meanwhile: the change is made
 * again on what stands there then. For files that an editor may hold open there
 * is protocol/shared-file.ts, which takes a lock and keeps what it replaces.
 */
export const REMOVED = Symbol("removed");

/** Gives what is to stand: new content, `REMOVED`, or undefined to leave what does. */
type Change<T> = (present: T, bytes: Uint8Array | undefined) => Next | Promise<Next>;
type Next = string | Uint8Array | typeof REMOVED | undefined;

/** `change` gets undefined where nothing stands. False where the file is as it was. */
export async function rewriteFile(
  writer: FileWriter,
  file: string,
  change: Change<Uint8Array | undefined>,
): Promise<boolean> {
  for (;;) {
    const base = await writer.disk.read(file);
    const next = await change(base, base);
    if (next === undefined) return false;
    if (next === REMOVED) return await removeFile(writer, file);
    const bytes = typeof next === "string" ? Buffer.from(next) : next;
    if (base !== undefined && Buffer.compare(base, bytes) === 0) return false;
    if (await publishOver(writer, file, bytes, base)) return true;
  }
}

/** The same with the text; undefined also where the bytes are no UTF-8. */
export async function rewriteText(
  writer: FileWriter,
  file: string,
  change: Change<string | undefined>,
): Promise<boolean> {
  return await rewriteFile(writer, file, (bytes) => change(bytes && textIn(bytes), bytes));
}
