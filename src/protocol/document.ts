/**
 * `memory/scopes/{scope}%3Adocs/documents/{id}.md`: the text of a document that
 * was added, below a head that says whose it is and where it came from.
 *
 * Pure. The body is the text exactly. People may edit it: the head carries the
 * hash of what was added, which names that text in jobs and records.
 */
import * as z from "zod";
import { defined } from "../model/collections.js";
import { MAIN_SCOPE, type ScopeId } from "../model/address.js";
import { isoOf, type EpochMs } from "../model/time.js";
import { contentHash } from "../platform/files.js";
import { parseFrontMatter, printFrontMatter } from "./front-matter.js";
import { ifReadable } from "./publish.js";
import { instant } from "./records.js";

export interface DocumentHead {
  id: string;
  /** That of its documents: `main:docs`. */
  scope: ScopeId;
  /** Whose it is; missing only in a group. */
  user?: string;
  title: string;
  /** The path in the workspace where it is read again when it changes, else the name of the file it came from. */
  source?: string;
  /** Size and time of change of `source` when it was read; only where it is read again. */
  stamp?: string;
  /** Undefined where a person has made it no time. */
  addedAt?: EpochMs;
  /** Of the text that was added. */
  chars: number;
  hash: string;
  /** Handed to the historian in windows of so many characters; undefined until it was. */
  windowChars?: number;
  /** Fields of the head that memd does not know. */
  extra: Record<string, unknown>;
}

export interface AddedDocument extends DocumentHead {
  /** Below the head, as it stands. */
  body: string;
  /** 1-based line of the file on which the body begins. */
  bodyLine: number;
  /** A person has changed the body since it was added. */
  edited: boolean;
}

const text = z.string().min(1);
const head = z.looseObject({
  document: text,
  scope: text,
  user: text.optional(),
  title: z.string().optional().catch(undefined),
  source: text.optional().catch(undefined),
  stamp: text.optional().catch(undefined),
  added_at: instant.optional().catch(undefined),
  chars: z.number().int().nonnegative().catch(0),
  hash: z.string().catch(""),
  window_chars: z.number().int().positive().optional().catch(undefined),
});

/** Undefined when the text is no document; throws SyntaxError when its head cannot be read. */
export function parseDocument(file: string): AddedDocument | undefined {
  const { data, body, bodyLine } = parseFrontMatter(file);
  const known = head.safeParse(data).data;
  if (known === undefined) return undefined;
  const { document: id, title = id, scope, added_at: addedAt, window_chars: windowChars, ...rest } = known;
  const { user, source, stamp, chars, hash, ...extra } = rest;
  const of = { id, scope: scope as ScopeId, user, title, source, stamp, addedAt, chars, hash, windowChars };
  return defined({ ...of, extra, body, bodyLine, edited: hash !== contentHash(body) });
}

/** Undefined for what is none, or has a head that cannot be read. */
export function readableDocument(text: string): AddedDocument | undefined {
  return ifReadable(() => parseDocument(text));
}

export function printDocument(document: DocumentHead & Pick<AddedDocument, "body">): string {
  const { id, scope, user, title, source, stamp, addedAt, chars, hash, windowChars, extra, body } = document;
  const added = { added_at: addedAt === undefined ? undefined : isoOf(addedAt), chars, hash };
  return printFrontMatter(
    { document: id, scope, user, title, source, stamp, ...added, window_chars: windowChars, ...extra },
    body,
  );
}

const DOCS = ":docs";

/** Where the documents of a scope live; that of documents is its own. */
export function docsScope(scope: string): ScopeId {
  return (isDocsScope(scope) ? scope : `${scope}${DOCS}`) as ScopeId;
}

export function isDocsScope(scope: string): boolean {
  return scope.endsWith(DOCS) && scope !== DOCS;
}

/** The scope whose documents these are. */
export function placeOfDocs(scope: string): ScopeId {
  return (isDocsScope(scope) ? scope.slice(0, -DOCS.length) : scope || MAIN_SCOPE) as ScopeId;
}

/** What a record was found in: this text of this document. */
export function documentSource(id: string, hash: string): string {
  return `document:${id}@${hash}`;
}

export function parseDocumentSource(source: string): { id: string; hash: string } | undefined {
  const [, id, hash] = /^document:([\s\S]+)@([0-9a-f]+)$/.exec(source) ?? [];
  return id === undefined || hash === undefined ? undefined : { id, hash };
}
