/**
 * Reading a message list that others write: a text that does not parse is
 * somebody's unfinished write, so it is read again, three times over a second,
 * before it counts as unreadable. It is never taken for an empty one.
 */
import type { Clock } from "../platform/clock.js";
import type { Disk } from "../platform/disk.js";
import { parseJson } from "../platform/json.js";
import { messageOf } from "../model/errors.js";
import { indentOf, isListedTwice, listOf, type MessageList } from "./message-list.js";

export type ListReading =
  | { is: "list"; list: MessageList; bytes: Uint8Array }
  | { is: "absent" }
  | { is: "unreadable"; bytes: Uint8Array; reason: string };

const PATIENCE_MS = [250, 750] as const;

export async function readList(disk: Disk, clock: Clock, file: string): Promise<ListReading> {
  let reading = await readListOnce(disk, file);
  for (const waitMs of PATIENCE_MS) {
    if (reading.is !== "unreadable") return reading;
    await clock.sleep(waitMs);
    reading = await readListOnce(disk, file);
  }
  return reading;
}

export async function readListOnce(disk: Disk, file: string): Promise<ListReading> {
  const bytes = await disk.read(file);
  return bytes === undefined ? { is: "absent" } : parseListBytes(bytes);
}

export async function parseListBytes(bytes: Uint8Array): Promise<ListReading> {
  try {
    const head = new TextDecoder().decode(bytes.subarray(0, 64));
    const list = listOf(await parseJson(bytes), indentOf(head));
    if (list.outer !== undefined && isListedTwice(bytes)) throw new SyntaxError("it has `messages` twice");
    return { is: "list", list, bytes };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return {
      is: "unreadable",
      bytes,
      reason: bytes.byteLength === 0 ? "the file is empty" : messageOf(error),
    };
  }
}
