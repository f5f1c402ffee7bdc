/** `memd documents`: texts that were added. */
import { printJson, printLine, type CommonOptions } from "./context.js";
import { askMemd } from "./memd.js";
import { table } from "./words.js";

export async function listDocuments(options: CommonOptions): Promise<void> {
  const { documents } = await askMemd(options, "listDocuments", {});
  if (options.json === true) return printJson(documents);
  if (documents.length === 0) return printLine("There are no documents; `memd add-document FILE` adds one.");
  printLine(
    table(
      ["id", "scope", "user", "added", "characters", "title"],
      documents.map(({ id, scope, user, addedAt, chars, title, watched, edited, source }) => [
        id,
        scope,
        user ?? "",
        addedAt?.slice(0, 10) ?? "",
        String(chars),
        [title, ...(watched ? [`(from ${source ?? ""})`] : []), ...(edited ? ["(edited by hand)"] : [])].join(
          " ",
        ),
      ]),
    ),
  );
}

export async function removeDocument(id: string, options: CommonOptions & { scope?: string }): Promise<void> {
  const { scope } = options;
  const { removed } = await askMemd(options, "removeDocument", { id, scope });
  if (options.json === true) return printJson({ removed });
  printLine(`Removed "${removed.id}" from ${removed.scope}, with what was found in it.`);
}
