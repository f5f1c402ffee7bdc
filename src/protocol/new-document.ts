/**
 * What somebody wants added, as the document that it is to be: whose it is, what
 * it is called, and whether it can be one at all. Pure.
 */
import { defined } from "../model/collections.js";
import { MemdError, messageOf } from "../model/errors.js";
import { defaultOwnerOf, MAIN_SCOPE } from "../model/address.js";
import type { EpochMs } from "../model/time.js";
import { contentHash, shortHash } from "../platform/files.js";
import {
  docsScope,
  parseDocument,
  printDocument,
  type AddedDocument,
  type DocumentHead,
} from "./document.js";

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
  const of = { id, scope, user, title: titled ?? headingOf(body) ?? id, source, stamp: given.stamp };
  const text = { chars: body.length, hash: contentHash(body), extra: {}, body };
  const document: NewDocument = defined({ ...of, addedAt: now, ...text });
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
  const heading = lines
    .map((line) => /^ {0,3}#\s(.*)$/.exec(line)?.[1]?.replace(/(?<![#\s])[#\s]+$/, ""))
    .find((found) => found);
  return heading === undefined ? undefined : oneLine(heading).slice(0, LONGEST_TITLE).toWellFormed();
}

/** A field that was given, on one line; undefined where it was not. Throws `value_invalid` for blanks. */
export function named(field: string, value: string | undefined): string | undefined {
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
