/**
 * Documents and the historian: the jobs that are handed to it, one for each
 * window of a text, and the text that such a job is about.
 *
 * A job names its text by its hash and holds none of it: once the document has
 * been replaced, or is gone, there is nothing to do.
 */
import type { ScopeId } from "../model/address.js";
import { isoOf, later, type EpochMs } from "../model/time.js";
import { shortHash } from "../platform/files.js";
import { printDocument, type DocumentHead } from "./document.js";
import { readDocument } from "./documents.js";
import { publishOver, type FileWriter } from "./publish.js";
import type { DocumentJob } from "./queue-job.js";
import { writeJobOnce } from "./queue.js";
import { at, type Workspace } from "./workspace.js";
import { cutWindows } from "../text/windows.js";

/** Documents have no conversations. */
const SESSION = "documents";

export interface DocumentWindow {
  text: string;
  title: string;
  addedAt: EpochMs | undefined;
}

/** The text of a job's window; undefined where the document has been replaced, or is gone. */
export async function documentWindow(
  writer: Pick<FileWriter, "disk">,
  workspace: Workspace,
  job: Pick<DocumentJob, "scope" | "document" | "hash" | "window" | "user">,
): Promise<DocumentWindow | undefined> {
  const place = { scope: job.scope as ScopeId, id: job.document };
  const { document } = await readDocument(writer, workspace, place);
  if (document?.hash !== job.hash || document.user !== job.user) return undefined;
  // Killed before it was noted down: the job is made once more, and then there is.
  if (document.windowChars === undefined) return undefined;
  const text = cutWindows(document.body, document.windowChars)[job.window - 1];
  // A person may have left nothing of it.
  if (text === undefined || text.trim() === "") return undefined;
  return { text, title: document.title, addedAt: document.addedAt };
}

/**
 * First the jobs, under names that follow from the text, then the note in the
 * document's head: killed between the two, the same jobs are handed over again.
 * How many; undefined where there is nothing to hand over any more.
 */
export async function handOverDocument(
  writer: FileWriter,
  workspace: Workspace,
  place: Pick<DocumentHead, "scope" | "id">,
  windowChars: number,
  now: EpochMs,
): Promise<number | undefined> {
  const { file, text, document } = await readDocument(writer, workspace, place);
  if (document === undefined || document.windowChars !== undefined) return undefined;
  const { id, scope, user, hash, addedAt = now } = document;
  const windows = cutWindows(document.body, windowChars);
  for (const index of windows.keys()) {
    const job: DocumentJob = {
      version: 1,
      kind: "document",
      createdAt: isoOf(addedAt),
      user,
      scope,
      session: SESSION,
      document: id,
      hash,
      window: index + 1,
    };
    const name = shortHash(JSON.stringify([scope, id, hash, index + 1]));
    // A moment later each, so that names keep the order of the text.
    await writeJobOnce(writer, workspace, job, later(addedAt, index), name);
  }
  // Somebody who has changed it meanwhile is met by the next look.
  await publishOver(writer, at(workspace, file), printDocument({ ...document, windowChars }), text);
  return windows.length;
}
