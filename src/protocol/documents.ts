/**
 * How a document that is added comes to stand, and is handed to the historian.
 *
 * The same text again changes nothing. Another text replaces the one that stands
 * as a whole; what a person made of that one goes to `conflicts/` first. A new
 * text says in its head that it was not handed to the historian yet: whatever
 * writes it may be killed, and the next look of memd does the rest.
 */
import { defined } from "../model/collections.js";
import { MemdError } from "../model/errors.js";
import type { ScopeId } from "../model/address.js";
import { isoOf, later, type EpochMs } from "../model/time.js";
import type { Disk } from "../platform/disk.js";
import { shortHash, stampOf } from "../platform/files.js";
import { cutWindows } from "../text/windows.js";
import { setAside } from "./conflicts.js";
import { printDocument, readableDocument, type AddedDocument, type DocumentHead } from "./document.js";
import { named, newDocument, type GivenDocument, type NewDocument } from "./new-document.js";
import { writeJobOnce } from "./queue.js";
import type { DocumentJob } from "./queue-job.js";
import { publishOver, readText, type FileWriter } from "./publish.js";
import { at, documentPath, type Workspace } from "./workspace.js";

export type AddOutcome = "added" | "replaced" | "same";

export interface DocumentPlan {
  outcome: AddOutcome;
  /** What is to stand; absent where nothing changes. */
  next?: NewDocument;
  /** What stands is a person's, and goes to `conflicts/` first. */
  conflict?: true;
}

/** What becomes of a text that is added where this stands. Pure; throws `value_invalid` where it must not be replaced. */
export function planDocument(
  standing: AddedDocument | undefined,
  fresh: NewDocument,
  { titled }: { titled: boolean },
): DocumentPlan {
  if (standing === undefined) return { outcome: "added", next: fresh };
  if (standing.user !== fresh.user)
    throw new MemdError(
      "value_invalid",
      `"${fresh.id}" is a document of ${standing.user ?? "everybody there"}; give this one another id.`,
    );
  const isSame = standing.hash === fresh.hash;
  if (standing.stamp !== undefined && fresh.stamp === undefined && !isSame)
    throw new MemdError(
      "value_invalid",
      `"${fresh.id}" is read from ${standing.source ?? "a file"}: change that file, or give this text another id.`,
    );
  if (!isSame) {
    const next = { ...fresh, extra: standing.extra };
    const isTheirs = standing.edited && standing.body !== fresh.body;
    return { outcome: "replaced", next, ...(isTheirs ? { conflict: true } : {}) };
  }
  const isFromElsewhere =
    fresh.stamp !== undefined && (standing.stamp === undefined || standing.source !== fresh.source);
  // A file of a person's is not written for the sake of a note.
  const isTouched = fresh.stamp !== undefined && standing.stamp !== fresh.stamp && !standing.edited;
  const retitled = titled && standing.title !== fresh.title;
  if (!isFromElsewhere && !isTouched && !retitled) return { outcome: "same" };
  const next = {
    ...standing,
    ...(isFromElsewhere || isTouched ? defined({ source: fresh.source, stamp: fresh.stamp }) : {}),
    ...(retitled ? { title: fresh.title } : {}),
  };
  return { outcome: "same", next };
}

export interface StandingDocument {
  /** Relative to the workspace. */
  file: string;
  /** As it stands; undefined where nothing does. */
  text: string | undefined;
  /** Undefined where nothing stands, or nothing that is this document. */
  document: AddedDocument | undefined;
}

/** Throws `file_unreadable` where something stands that is no text. */
async function readDocument(
  { disk }: Pick<FileWriter, "disk">,
  workspace: Workspace,
  { scope, id }: Pick<DocumentHead, "scope" | "id">,
): Promise<StandingDocument> {
  const file = documentPath(scope, id);
  let text: string | undefined;
  try {
    text = await readText(disk, at(workspace, file));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new MemdError("file_unreadable", `${file} is not UTF-8 text.`, { cause: error });
  }
  const document = text === undefined ? undefined : readableDocument(text);
  const isTheOne = document?.id === id && document.scope === scope;
  return { file, text, document: isTheOne ? document : undefined };
}

export interface PutDocument {
  outcome: AddOutcome;
  file: string;
  /** As it stands now. */
  document: NewDocument;
  /** A copy of what stood went to `conflicts/`. */
  conflict: boolean;
}

const MOST_TRIES = 5;

/** Durable when it returns. */
export async function putDocument(
  writer: FileWriter,
  workspace: Workspace,
  given: GivenDocument,
  now: EpochMs,
): Promise<PutDocument> {
  const fresh = newDocument(given, now);
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    const { file, text, document: standing } = await readDocument(writer, workspace, fresh);
    const plan = planDocument(standing, fresh, { titled: named("title", given.title) !== undefined });
    const { outcome, next } = plan;
    // A head that nobody can read is somebody's edit: it stays, beside.
    const conflict = text !== undefined && (standing === undefined || plan.conflict === true);
    if (next === undefined) return { outcome, file, document: standing ?? fresh, conflict: false };
    if (conflict)
      await setAside(writer, workspace, file, text, standing === undefined ? "unreadable" : "edit");
    if (await publishOver(writer, at(workspace, file), printDocument(next), text))
      return { outcome, file, document: next, conflict };
  }
  throw new MemdError("file_contended", `${documentPath(fresh.scope, fresh.id)} keeps being changed.`);
}

/**
 * The historian gets a job for each window of a text. A job names its text by its
 * hash and holds none of it: once the document has been replaced, or is gone,
 * there is nothing to do.
 */
export interface DocumentWindow {
  text: string;
  title: string;
  addedAt: EpochMs | undefined;
}

/** The document that was cut last: its windows are asked for one after another, and a long one has a thousand. */
interface Cut {
  file: string;
  stamp: string;
  document: AddedDocument | undefined;
  /** Those that were asked for. */
  windows: string[];
  rest: Iterator<string, undefined>;
}

const lastCut = new WeakMap<Disk, Cut>();

async function cutDocument(
  { disk }: Pick<FileWriter, "disk">,
  workspace: Workspace,
  place: Pick<DocumentHead, "scope" | "id">,
): Promise<Cut> {
  const file = documentPath(place.scope, place.id);
  const stamp = stampOf(await disk.stat(at(workspace, file)));
  const known = lastCut.get(disk);
  if (known?.file === file && known.stamp === stamp) return known;
  const { document } = await readDocument({ disk }, workspace, place);
  // Killed before it was noted down: the job is made once more, and then there is.
  const rest = cutWindows(
    document?.windowChars === undefined ? "" : document.body,
    document?.windowChars ?? 1,
  );
  const cut = { file, stamp, document, windows: [], rest };
  lastCut.set(disk, cut);
  return cut;
}

/** The text of a job's window; undefined where the document has been replaced, or is gone. */
export async function documentWindow(
  writer: Pick<FileWriter, "disk">,
  workspace: Workspace,
  job: Pick<DocumentJob, "scope" | "document" | "hash" | "window" | "user">,
): Promise<DocumentWindow | undefined> {
  const place = { scope: job.scope as ScopeId, id: job.document };
  const cut = await cutDocument(writer, workspace, place);
  const { document } = cut;
  if (document?.hash !== job.hash || document.user !== job.user) return undefined;
  const text = windowOf(cut, job.window - 1);
  // Nothing is asked for behind the last one: a long document is not kept for that.
  if (windowOf(cut, job.window) === undefined) lastCut.delete(writer.disk);
  // A person may have left nothing of it.
  if (text === undefined || text.trim() === "") return undefined;
  return { text, title: document.title, addedAt: document.addedAt };
}

function windowOf({ windows, rest }: Cut, index: number): string | undefined {
  while (windows.length <= index) {
    const { value } = rest.next();
    if (value === undefined) return undefined;
    windows.push(value);
  }
  return windows[index];
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
  let index = 0;
  for (const _window of cutWindows(document.body, windowChars)) {
    // Documents have no conversations.
    const said = { createdAt: isoOf(addedAt), user, scope, session: "documents" };
    const job: DocumentJob = { version: 1, kind: "document", ...said, document: id, hash, window: index + 1 };
    const name = shortHash(JSON.stringify([scope, id, hash, index + 1]));
    // A moment later each, so that names keep the order of the text.
    await writeJobOnce(writer, workspace, job, later(addedAt, index), name);
    index++;
  }
  // Somebody who has changed it meanwhile is met by the next look.
  await publishOver(writer, at(workspace, file), printDocument({ ...document, windowChars }), text);
  return index;
}
