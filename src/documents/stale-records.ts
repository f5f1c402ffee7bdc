/**
 * Records of texts that stand no more: those that were found in an older text
 * of a document, or in one that is gone, leave the files.
 *
 * A record that another text bears out as well stays. Killed anywhere, the next
 * look finds the same ones.
 */
import type { MemoryRecord, RecordId } from "../model/record.js";
import type { Disk } from "../platform/disk.js";
import { parseDocumentSource } from "../protocol/document.js";
import { ifNoText, type FileWriter, publishOver, readText } from "../protocol/publish.js";
import { parseRecords } from "../protocol/records.js";
import { at, type Workspace } from "../protocol/workspace.js";

/** Hash of the text of a document: undefined where it is gone, null where nobody can tell. */
export type HashOf = (record: MemoryRecord, id: string) => string | undefined | null;

/** Whose documents have all been replaced or are gone. Pure. */
function staleRecords(records: readonly MemoryRecord[], hashOf: HashOf): MemoryRecord[] {
  return records.filter((record) => {
    const texts = record.sources.map(parseDocumentSource);
    return (
      texts.length > 0 &&
      texts.every((text) => {
        if (text === undefined) return false;
        const present = hashOf(record, text.id);
        return present !== null && present !== text.hash;
      })
    );
  });
}

/** Takes them out of the records of a scope's folder; how many. */
export async function dropStaleRecords(
  writer: FileWriter,
  workspace: Workspace,
  folder: string,
  hashOf: HashOf,
): Promise<number> {
  let dropped = 0;
  for (const file of await recordFiles(writer.disk, workspace, folder)) {
    const text = await readText(writer.disk, at(workspace, file)).catch(ifNoText);
    if (text === undefined) continue;
    const stale = new Set(staleRecords(parseRecords(text), hashOf).map(({ id }) => id));
    if (stale.size === 0) continue;
    if (await publishOver(writer, at(workspace, file), withoutRecords(text, stale), text))
      dropped += stale.size;
  }
  return dropped;
}

/** Changes when the records in a folder do. */
export async function recordsStamp(disk: Disk, workspace: Workspace, folder: string): Promise<string> {
  const files = await recordFiles(disk, workspace, folder);
  const stats = await Promise.all(files.map((file) => disk.stat(at(workspace, file))));
  return JSON.stringify(stats.map((stat) => [stat?.size, stat?.mtimeMs, stat?.ino]));
}

async function recordFiles(disk: Disk, workspace: Workspace, folder: string): Promise<string[]> {
  const dir = `${folder}/records`;
  if ((await disk.stat(at(workspace, dir)))?.kind !== "dir") return [];
  const entries = await disk.list(at(workspace, dir));
  return entries
    .filter(({ kind, name }) => kind === "file" && name.endsWith(".jsonl"))
    .map(({ name }) => `${dir}/${name}`);
}

/** Every other line as it stands. Pure. */
function withoutRecords(text: string, ids: ReadonlySet<RecordId>): string {
  const lines = text.split("\n").filter((line) => {
    if (line.trim() === "") return true;
    const [record] = parseRecords(line);
    return !ids.has((record?.id ?? idIn(line)) as RecordId);
  });
  return lines.join("\n");
}

/** Of a line that says no more than that its record is gone. */
function idIn(line: string): string | undefined {
  try {
    return (JSON.parse(line) as { id?: string } | null)?.id;
  } catch {
    // Torn, or a person's: it stays.
    return undefined;
  }
}
