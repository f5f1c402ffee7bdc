/**
 * `conflicts/`: copies of what could not be read or merged, for a person.
 *
 * A copy is named by its content, so the same trouble is kept once however
 * often it is met. Only `memd forget` clears here.
 */
import { basename, shortHash } from "../platform/files.js";
import { publishNew, type FileWriter } from "./publish.js";
import { at, FILES, type Workspace } from "./workspace.js";

/** Keeps a copy; true when it was not there before. */
export async function setAside(
  writer: FileWriter,
  workspace: Workspace,
  file: string,
  content: string | Uint8Array,
  why: string,
): Promise<boolean> {
  const name = `${shortened(basename(file))}.${why.replaceAll(/[^a-z]+/g, "-")}.${shortHash(content)}`;
  const copy = at(workspace, `${FILES.conflicts}/${name}`);
  if ((await writer.disk.stat(copy)) !== undefined) return false;
  return publishNew(writer, copy, content);
}

/** Names have 255 bytes; ours and a temporary one's take some. */
const LONGEST_NAME_BYTES = 150;

function shortened(name: string): string {
  let bytes = 0;
  let kept = "";
  for (const char of name) {
    bytes += Buffer.byteLength(char);
    if (bytes > LONGEST_NAME_BYTES) break;
    kept += char;
  }
  return kept;
}

export async function listConflicts(
  { disk }: Pick<FileWriter, "disk">,
  workspace: Workspace,
): Promise<string[]> {
  const entries = await disk.list(at(workspace, FILES.conflicts));
  return entries.flatMap(({ kind, name }) => (kind === "file" && !name.startsWith(".") ? [name] : []));
}
