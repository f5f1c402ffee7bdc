/** Documents as people see them: what there is, what is added, and what is taken away. */
import { MemdError } from "../model/errors.js";
import { isoOf } from "../model/time.js";
import { docsScope, placeOfDocs, type DocumentHead } from "../protocol/document.js";
import type { AddOutcome } from "../protocol/documents.js";
import type { GivenDocument } from "../protocol/new-document.js";
import type { Supervisor } from "../supervisor/supervisor.js";

/** Plain data that survives JSON. */
export interface DocumentShown {
  id: string;
  /** Whose documents it is of: `main`, not `main:docs`. */
  scope: string;
  user?: string;
  title: string;
  /** Relative to the workspace. */
  file: string;
  /** The name or path it came from. */
  source?: string;
  /** Read again when `source` changes. */
  watched: boolean;
  addedAt?: string;
  /** Of the text that was added. */
  chars: number;
  /** A person has changed its text since. */
  edited: boolean;
}

export interface DocumentAdded extends DocumentShown {
  outcome: AddOutcome;
}

/** By scope, then id. */
export async function listDocuments({ documents }: Supervisor): Promise<DocumentShown[]> {
  const { shelf } = documents.desk;
  await shelf.load();
  const all = shelf.all().flatMap(({ file, head }) => (head === undefined ? [] : [shown(file, head)]));
  const keyOf = ({ scope, id }: DocumentShown): string => `${scope}\u0000${id}`;
  return all.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Durable, and handed to the historian, when it returns. Throws `value_invalid`. */
export async function addDocument(
  supervisor: Supervisor,
  given: Omit<GivenDocument, "stamp">,
): Promise<DocumentAdded> {
  const { desk } = supervisor.documents;
  const added = await supervisor.exclusive(async () => {
    const { file, outcome } = await desk.put(given);
    const head = desk.shelf.at(file)?.head;
    if (head === undefined) throw new MemdError("internal", `${file} cannot be found again.`);
    return { outcome, ...shown(file, head) };
  });
  supervisor.changed();
  return added;
}

/** With its records. Throws `document_unknown`, and `value_invalid` where it would come back by itself. */
export async function removeDocument(
  supervisor: Supervisor,
  id: string,
  scope?: string,
): Promise<DocumentShown> {
  const { documents } = supervisor;
  const { shelf } = documents.desk;
  const removed = await supervisor.exclusive(async () => {
    await shelf.load();
    const only = theOne(await listDocuments(supervisor), id, scope);
    if (only.watched && only.source !== undefined && (await documents.isSource(only.source)))
      throw new MemdError(
        "value_invalid",
        `"${id}" is read from ${only.source}: take that file away, or change "documents" in memd.toml.`,
      );
    await documents.desk.unlink(only.file, { kept: false });
    return only;
  });
  supervisor.changed();
  return removed;
}

function theOne(all: readonly DocumentShown[], id: string, scope: string | undefined): DocumentShown {
  const found = all.filter(
    (one) => one.id === id && (scope === undefined || docsScope(one.scope) === docsScope(scope)),
  );
  const [only, ...others] = found;
  if (only === undefined)
    throw new MemdError(
      "document_unknown",
      `There is no document "${id}"${scope === undefined ? "" : ` in ${scope}`}.`,
    );
  if (others.length > 0) {
    const scopes = found.map((one) => one.scope).join(", ");
    throw new MemdError("document_unknown", `Several scopes have a document "${id}": ${scopes}.`);
  }
  return only;
}

function shown(file: string, head: DocumentHead & { edited: boolean }): DocumentShown {
  const { id, scope, user, title, source, stamp, addedAt, chars, edited } = head;
  return {
    id,
    scope: placeOfDocs(scope),
    ...(user === undefined ? {} : { user }),
    title,
    file,
    ...(source === undefined ? {} : { source }),
    watched: stamp !== undefined,
    ...(addedAt === undefined ? {} : { addedAt: isoOf(addedAt) }),
    chars,
    edited,
  };
}
