/**
 * Records of texts that stand no more: those that were found in an older text
 * of a document, or in one that is gone, leave the files.
 *
 * A record that another text bears out as well stays. Killed anywhere, the next
 * look finds the same ones.
 */
import type { Disk } from "../platform/disk.js";
import { stampOf } from "../platform/stamp.js";
import { parseDocumentSource } from "../protocol/document.js";
import type { FileWriter } from "../protocol/publish.js";
import { recordFilesUnder } from "../protocol/record-files.js";
import { removeRecords, type RecordKeys } from "../protocol/record-removal.js";
import { at, type Workspace } from "../protocol/workspace.js";

/** Hash of the text of a document: undefined where it is gone, null where nobody can tell. */
export type HashOf = (record: RecordKeys, id: string) => string | undefined | null;

/** Takes them out of the records in a scope's folder; how many. */
export async function dropStaleRecords(
  writer: FileWriter,
  workspace: Workspace,
  folder: string,
  hashOf: HashOf,
): Promise<number> {
  const files = await recordFilesUnder(writer.disk, workspace, folder);
  const { ids } = await removeRecords(writer, workspace, files, { goes: (keys) => isStale(keys, hashOf) });
  return ids.length;
}

/** Whose documents have all been replaced or are gone. */
function isStale(record: RecordKeys, hashOf: HashOf): boolean {
  const { id, sources } = record;
  if (id === undefined || sources.length === 0) return false;
  return sources.map(parseDocumentSource).every((text) => {
    const present = text === undefined ? null : hashOf(record, text.id);
    return present !== null && present !== text?.hash;
  });
}

/** Changes when the records in a folder do. */
export async function recordsStamp(disk: Disk, workspace: Workspace, folder: string): Promise<string> {
  const files = await recordFilesUnder(disk, workspace, folder);
  const stats = await Promise.all(files.map((file) => disk.stat(at(workspace, file))));
  return JSON.stringify(stats.map(stampOf));
}
