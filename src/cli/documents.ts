/** `memd documents`: texts that were added. */
import type { AnswerOf } from "../service/operations.js";
import { tell, type CommonOptions } from "./context.js";
import { askMemd } from "./memd.js";
import { table } from "./words.js";

export async function listDocuments(options: CommonOptions): Promise<void> {
  const { documents } = await askMemd(options, "listDocuments", {});
  tell(options, documents, () =>
    documents.length === 0
      ? "There are no documents; `memd add-document FILE` adds one."
      : table(["id", "scope", "user", "added", "characters", "title"], documents.map(rowOf)),
  );
}

function rowOf(document: AnswerOf<"listDocuments">["documents"][number]): string[] {
  const { id, scope, user = "", addedAt = "", chars, title, watched, edited, source = "" } = document;
  const marks = [...(watched ? [`(from ${source})`] : []), ...(edited ? ["(edited by hand)"] : [])];
  return [id, scope, user, addedAt.slice(0, 10), String(chars), [title, ...marks].join(" ")];
}

export async function removeDocument(id: string, options: CommonOptions & { scope?: string }): Promise<void> {
  const { scope } = options;
  const { removed } = await askMemd(options, "removeDocument", { id, scope });
  tell(
    options,
    { removed },
    () => `Removed "${removed.id}" from ${removed.scope}, with what was found in it.`,
  );
}
