/**
 * Lines of another workspace come into files that have lines of their own: records by their ids, and
 * hashes of what was forgotten. What stands here stays as it is; what was forgotten here stays gone.
 */
import { MAIN_SCOPE } from "../model/address.js";
import type { RecordId } from "../model/record.js";
import type { EpochMs } from "../model/time.js";
import { dirname } from "../platform/files.js";
import {
  type ForgottenKey,
  hashOfMessage,
  hashOfRecord,
  parseForgotten,
  withBegun,
  withDone,
} from "../protocol/forgotten.js";
import { type FileWriter, ifNoText, readText, rewriteText, textIn } from "../protocol/publish.js";
import { allRecordFiles, parseRecordLines } from "../protocol/records.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";
import type { MessagesAtRest } from "./messages.js";

interface Merging {
  writer: FileWriter;
  workspace: Workspace;
  ours: MessagesAtRest;
  now: EpochMs;
}

/** How many were new. */
export async function mergeRecords(
  { writer, workspace, ours }: Merging,
  path: string,
  bytes: Uint8Array,
): Promise<number> {
  const theirs = textIn(bytes) ?? "";
  const lines = theirs.split("\n");
  const known = await recordIds({ writer, workspace }, dirname(path));
  const fresh = parseRecordLines(theirs).filter(({ record }) => {
    const { id, sources, scope } = record;
    const isGone =
      ours.forgotten.hasRecord(id) || sources.some((source) => ours.forgotten.hasId(source, [scope]));
    return !isGone && !known.has(id);
  });
  if (fresh.length === 0) return 0;
  await rewriteText(writer, at(workspace, path), (text = "") => {
    const before = text === "" || text.endsWith("\n") ? text : `${text}\n`;
    return `${before}${fresh.map(({ line }) => `${lines[line - 1] ?? ""}\n`).join("")}`;
  });
  return fresh.length;
}

/** Of the records that stand, or stood, in a folder. */
async function recordIds(
  { writer, workspace }: Pick<Merging, "writer" | "workspace">,
  folder?: string,
): Promise<Set<RecordId>> {
  const ids = new Set<RecordId>();
  for (const path of await allRecordFiles(writer.disk, workspace)) {
    if (folder !== undefined && dirname(path) !== folder) continue;
    const text = (await readText(writer.disk, at(workspace, path)).catch(ifNoText)) ?? "";
    for (const { record } of parseRecordLines(text)) ids.add(record.id);
  }
  return ids;
}

/** What was forgotten there and stands here stays: nobody asked for that here. */
export async function mergeForgotten(
  { writer, workspace, ours, now }: Merging,
  bytes: Uint8Array,
): Promise<void> {
  const { keys } = parseForgotten(textIn(bytes) ?? "");
  const standing = new Set<string>([...ours.standing.keys()].map(hashOfMessage));
  for (const id of await recordIds({ writer, workspace })) standing.add(hashOfRecord(id));
  await rewriteText(writer, at(workspace, FILES.forgotten), (text = "") => {
    const known = new Set(parseForgotten(text).keys.map(printed));
    const fresh = keys.filter((key) => !standing.has(key.hash) && !known.has(printed(key)));
    if (fresh.length === 0) return undefined;
    const target = { is: "scope", scope: MAIN_SCOPE } as const;
    const line = { id: writer.random.name(8), at: now, target, profiles: [], keys: fresh };
    return withDone(withBegun(text, line), line);
  });
}

function printed({ hash, place = "" }: ForgottenKey): string {
  return `${hash} ${place}`;
}
