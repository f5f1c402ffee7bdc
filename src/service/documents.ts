/** Documents as people see them: what there is, what is added, and what is taken away. */
import { defined } from "../model/collections.js";
import { MemdError } from "../model/errors.js";
import { isoOf } from "../model/time.js";
import { docsScope, placeOfDocs, type DocumentHead } from "../protocol/document.js";
import type { GivenDocument } from "../protocol/new-document.js";
import type { AnswerOf } from "./operations.js";
import type { Memd } from "./memd.js";

type DocumentShown = AnswerOf<"removeDocument">["removed"];
type DocumentAdded = AnswerOf<"addDocument">["document"];

/** By scope, then id. */
export async function listDocuments({ documents }: Memd): Promise<DocumentShown[]> {
  const { catalogue } = documents.store;
  await catalogue.load();
  const all = catalogue.all().flatMap(({ file, head }) => (head === undefined ? [] : [shown(file, head)]));
  const keyOf = ({ scope, id }: DocumentShown): string => `${scope}\u0000${id}`;
  return all.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Durable, and handed to the historian, when it returns. Throws `value_invalid`. */
export async function addDocument(memd: Memd, given: Omit<GivenDocument, "stamp">): Promise<DocumentAdded> {
  const { store } = memd.documents;
  const added = await memd.exclusive(async () => {
    const { file, outcome } = await store.put(given);
    const head = store.catalogue.at(file)?.head;
    if (head === undefined) throw new MemdError("internal", `${file} cannot be found again.`);
    return { outcome, ...shown(file, head) };
  });
  memd.changed();
  return added;
}

/** With its records. Throws `document_unknown`, and `value_invalid` where it would come back by itself. */
export async function removeDocument(memd: Memd, id: string, scope?: string): Promise<DocumentShown> {
  const { documents } = memd;
  const removed = await memd.exclusive(async () => {
    const only = theOne(await listDocuments(memd), id, scope);
    if (only.watched && only.source !== undefined && (await documents.isSource(only.source)))
      throw new MemdError(
        "value_invalid",
        `"${id}" is read from ${only.source}: take that file away, or change "documents" in memd.toml.`,
      );
    await documents.store.unlink(only.file, { kept: false });
    return only;
  });
  memd.changed();
  return removed;
}

function theOne(all: readonly DocumentShown[], id: string, scope: string | undefined): DocumentShown {
  const isIn = (one: DocumentShown): boolean =>
    scope === undefined || docsScope(one.scope) === docsScope(scope);
  const found = all.filter((one) => one.id === id && isIn(one));
  const [only, ...others] = found;
  const where = scope === undefined ? "" : ` in ${scope}`;
  if (only === undefined) throw new MemdError("document_unknown", `There is no document "${id}"${where}.`);
  if (others.length === 0) return only;
  const scopes = found.map((one) => one.scope).join(", ");
  throw new MemdError("document_unknown", `Several scopes have a document "${id}": ${scopes}.`);
}

function shown(file: string, head: DocumentHead & { edited: boolean }): DocumentShown {
  const { id, scope, user, title, source, stamp, addedAt, chars, edited } = head;
  return defined({
    id,
    scope: placeOfDocs(scope),
    user,
    title,
    file,
    source,
    watched: stamp !== undefined,
    addedAt: addedAt === undefined ? undefined : isoOf(addedAt),
    chars,
    edited,
  });
}
