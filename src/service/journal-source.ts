/**
 * Where a message stands by now that a search found on a line of the journal: once it has its day, the index knows it
 * there alone, and whoever was told of the line is led to the day.
 */
import { mayRead, scopeOf, keyOfMessage, type Viewer } from "../model/address.js";
import { defined } from "../model/collections.js";
import { ifReadable } from "../protocol/publish.js";
import { parseJournalEntry } from "../protocol/journal.js";
import { journalPaths } from "../protocol/journal-files.js";
import { at } from "../protocol/workspace.js";
import type { Memd } from "./memd.js";

export interface Filed {
  /** Of its day, relative. */
  path: string;
  messageId: string;
}

const NEWLINE = 10;

/** Undefined for what is no line of the journal, has no day yet, or is not the viewer's to read. */
export async function filedSince(
  { archive }: Memd,
  viewer: Viewer,
  { path, line }: { path: string; line: number },
): Promise<Filed | undefined> {
  const { writer, workspace, ledger, catalogue } = archive.context;
  if (!(await journalPaths(writer.disk, workspace)).includes(path)) return undefined;
  const text = lineOf((await writer.disk.read(at(workspace, path))) ?? new Uint8Array(), line);
  const entry = ifReadable(() => parseJournalEntry(JSON.parse(text)));
  if (entry?.op !== "message") return undefined;
  const { message, belongsTo: user } = entry.filed;
  const scope = scopeOf(message);
  if (!mayRead(viewer, defined({ level: "scope", scope, user }))) return undefined;
  const known = ledger.get(keyOfMessage(message));
  const [day] = known === undefined ? [] : catalogue.verbatimOf(known.scope, known.day);
  return day && { path: day.path, messageId: message.id };
}

/** The first is 1; empty behind the last. */
function lineOf(bytes: Uint8Array, line: number): string {
  let from = 0;
  for (let before = 1; before < line; before++) {
    const end = bytes.indexOf(NEWLINE, from);
    if (end === -1) return "";
    from = end + 1;
  }
  const end = bytes.indexOf(NEWLINE, from);
  return new TextDecoder().decode(bytes.subarray(from, end === -1 ? bytes.length : end));
}
