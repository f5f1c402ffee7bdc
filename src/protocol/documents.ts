/**
 * How a document that is added comes to stand.
 *
 * The same text again changes nothing. Another text replaces the one that stands
 * as a whole; what a person made of that one goes to `conflicts/` first. A new
 * text says in its head that it was not handed to the historian yet: whatever
 * writes it may be killed, and the next look of memd does the rest.
 */
import { defined } from "../model/collections.js";
import { MemdError } from "../model/errors.js";
import type { EpochMs } from "../model/time.js";
import { setAside } from "./conflicts.js";
import { printDocument, readableDocument, type AddedDocument, type DocumentHead } from "./document.js";
import { named, newDocument, type GivenDocument, type NewDocument } from "./new-document.js";
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
export async function readDocument(
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
