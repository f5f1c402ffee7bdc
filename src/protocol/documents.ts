/**
 * Documents as files: what becomes of a text that is added, and the one way in
 * which it comes to stand.
 *
 * The same text again changes nothing. Another text replaces the one that stands
 * as a whole; what a person made of that one goes to `conflicts/` first. A new
 * text says in its head that it was not handed to the historian yet: whatever
 * writes it may be killed, and the next look of memd does the rest.
 */
import { defined } from "../model/defined.js";
import { MemdError, messageOf } from "../model/errors.js";
import { defaultOwnerOf, MAIN_SCOPE } from "../model/address.js";
import type { EpochMs } from "../model/time.js";
import { contentHash, shortHash } from "../platform/hash.js";
import { setAside } from "./conflicts.js";
import {
  docsScope,
  parseDocument,
  printDocument,
  type AddedDocument,
  type DocumentHead,
} from "./document.js";
import { publishOver, readText, type FileWriter } from "./publish.js";
import { at, documentPath, type Workspace } from "./workspace.js";

/** Of a document's text, as UTF-8. */
export const DOCUMENT_LIMIT_BYTES = 10 * 1024 * 1024;

/** What somebody wants added. */
export interface GivenDocument {
  text: string;
  /** Made of the source, the title or the text where there is none. */
  id?: string | undefined;
  /** The first heading of the text where there is none. */
  title?: string | undefined;
  /** `main`; its documents live in `main:docs`. */
  scope?: string | undefined;
  user?: string | undefined;
  /** The name of the file it came from, or the path at which it is read again. */
  source?: string | undefined;
  /** Of the file at `source`, where it is read again when that changes. */
  stamp?: string | undefined;
}

export type NewDocument = DocumentHead & Pick<AddedDocument, "body">;

const LONGEST_ID = 300;
const LONGEST_TITLE = 200;
/** A heading further down is one of a chapter. */
const TITLE_LINES = 50;

/** Throws `value_invalid` for what cannot be a document. */
export function newDocument(given: GivenDocument, now: EpochMs): NewDocument {
  const body = given.text.toWellFormed();
  const trouble = troubleWithText(body);
  if (trouble !== undefined) throw new MemdError("value_invalid", `The document ${trouble}.`);
  const scope = docsScope(named("scope", given.scope) ?? MAIN_SCOPE);
  const user = defaultOwnerOf(defined({ scope, user: named("user", given.user) }));
  const source = named("source", given.source);
  const titled = named("title", given.title)?.slice(0, LONGEST_TITLE).toWellFormed();
  const id = named("id", given.id) ?? (source && idOfSource(source)) ?? titled ?? `text-${shortHash(body)}`;
  if (id.length > LONGEST_ID)
    throw new MemdError("value_invalid", `"id" must have ${LONGEST_ID} characters at most.`);
  const document: NewDocument = defined({
    id,
    scope,
    user,
    title: titled ?? headingOf(body) ?? id,
    source,
    stamp: given.stamp,
    addedAt: now,
    chars: body.length,
    hash: contentHash(body),
    extra: {},
    body,
  });
  ensureReadable(document);
  return document;
}

/** Half a sentence that says why a text can be no document; undefined where it can. */
export function troubleWithText(text: string): string | undefined {
  if (text.trim() === "") return "is empty";
  if (text.includes("\u0000")) return "is no text: it holds binary data";
  if (text.length > DOCUMENT_LIMIT_BYTES || Buffer.byteLength(text) > DOCUMENT_LIMIT_BYTES) return TOO_LARGE;
  return undefined;
}

export const TOO_LARGE = `is larger than ${DOCUMENT_LIMIT_BYTES / 1024 / 1024} MB`;

/** A path or a file's name as an id; Markdown is what documents are, and goes without saying. */
export function idOfSource(source: string): string {
  return source.replace(/(?<=[^/])\.md$/i, "");
}

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

/** Undefined for what is none, or has a head that cannot be read. */
export function readableDocument(text: string): AddedDocument | undefined {
  try {
    return parseDocument(text);
  } catch {
    // A head that is no YAML: told by who looks for it.
    return undefined;
  }
}

/** What is written must be read again as it was meant. */
function ensureReadable(document: NewDocument): void {
  let trouble: string;
  try {
    const read = parseDocument(printDocument({ ...document, body: "" }));
    const names = ["id", "scope", "user", "title", "source", "stamp"] as const;
    const lost = names.find((name) => read?.[name] !== document[name]);
    if (lost === undefined) return;
    trouble = `its ${lost} cannot be written down`;
  } catch (error) {
    trouble = messageOf(error);
  }
  throw new MemdError("value_invalid", `The document cannot be kept: ${trouble}.`);
}

function headingOf(text: string): string | undefined {
  const lines = text.split("\n", TITLE_LINES);
  const heading = lines.map((line) => /^ {0,3}#\s+(.*?)[#\s]*$/.exec(line)?.[1]).find((found) => found);
  return heading === undefined ? undefined : oneLine(heading).slice(0, LONGEST_TITLE).toWellFormed();
}

/** Undefined where nothing is given. */
function named(field: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const name = oneLine(value);
  if (name === "") throw new MemdError("value_invalid", `"${field}" must be more than blanks.`);
  return name;
}

function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}
