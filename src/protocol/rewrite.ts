/**
 * Rewriting a file that somebody else may change meanwhile: the change is made
 * again on what stands there then. For files that an editor may hold open there
 * is protocol/shared-file.ts, which takes a lock and keeps what it replaces.
 */
import { publishOver, textIn, type FileWriter } from "./publish.js";
import { removeFile } from "./remove.js";

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
