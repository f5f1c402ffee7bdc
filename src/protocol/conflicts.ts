/**
 * `conflicts/`: copies of what could not be read or merged, for a person.
 *
 * A copy is named by its content, so the same trouble is kept once however
 * often it is met. Only `memd forget` clears here.
 */
import { shortHash } from "../platform/hash.js";
import { basename } from "../platform/path.js";
import { publishNew, type Press } from "./publish.js";
import { at, FILES, type Workspace } from "./workspace.js";

/** Keeps a copy; true when it was not there before. */
export async function setAside(
  press: Press,
  workspace: Workspace,
  file: string,
  content: string | Uint8Array,
  why: string,
): Promise<boolean> {
  const name = `${basename(file)}.${why.replaceAll(/[^a-z]+/g, "-")}.${shortHash(content)}`;
  return publishNew(press, at(workspace, `${FILES.conflicts}/${name}`), content);
}

export async function listConflicts(press: Pick<Press, "disk">, workspace: Workspace): Promise<string[]> {
  const entries = await press.disk.list(at(workspace, FILES.conflicts));
  return entries
    .filter((entry) => entry.kind === "file" && !entry.name.startsWith("."))
    .map((entry) => entry.name);
}
