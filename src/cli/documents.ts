/** `memd documents` and `memd add-document`: texts that are looked up. */
import type { DocumentInput } from "../library/inputs.js";
import { MemdError } from "../model/errors.js";
import { nodeDisk } from "../platform/node-disk.js";
import { basename, relative, resolve } from "../platform/files.js";
import { currentDir, readStandardInput } from "../platform/process.js";
import { DOCUMENT_LIMIT_BYTES, idOfSource, TOO_LARGE, troubleWithText } from "../protocol/new-document.js";
import { mayBeSource } from "../documents/sources.js";
import type { AnswerOf } from "../service/operations.js";
import { openWorkspace, tell, type CommonOptions } from "./context.js";
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

type DocumentFlags = CommonOptions & Omit<DocumentInput, "text">;

export async function addDocument(file: string, options: DocumentFlags): Promise<void> {
  const { root } = await openWorkspace(options);
  const { text, source, ...origin } = await readInput(file, root);
  const { title, scope, user, id = origin.id } = options;
  const asked = { text, id, title, scope, user, source };
  const { document } = await askMemd(options, "addDocument", asked);
  tell(options, document, () => `${saying(document)} ${document.file}`);
}

function saying({ outcome, id, scope, edited }: AnswerOf<"addDocument">["document"]): string {
  switch (outcome) {
    case "added":
      return `Added as "${id}" to ${scope}:`;
    case "replaced":
      return `Replaced "${id}" in ${scope}:`;
    case "same":
      return edited
        ? `"${id}" says this already, and was edited by hand since; the edit stays:`
        : `"${id}" says this already; nothing was changed:`;
    default:
      return outcome satisfies never;
  }
}

type Input = Pick<DocumentInput, "text" | "id"> & { source?: string };

/** A file of the workspace is known by its path in it, any other by its name. */
async function readInput(file: string, root: string): Promise<Input> {
  if (file === "-") return { text: textIn("What standard input says", await readStandardInput()) };
  const path = await nodeDisk.realPath(resolve(currentDir(), file));
  if (path === undefined) throw new MemdError("input_missing", `There is no file ${file}.`);
  const stat = await nodeDisk.stat(path);
  if (stat?.kind === "dir")
    throw new MemdError(
      "input_missing",
      `${file} is a folder; name its files, or set "documents" in memd.toml to have it read.`,
    );
  if (stat?.kind !== "file") throw new MemdError("input_missing", `${file} is not a file.`);
  if (stat.size > DOCUMENT_LIMIT_BYTES) throw new MemdError("value_invalid", `${file} ${TOO_LARGE}.`);
  const text = textIn(file, (await nodeDisk.read(path)) ?? new Uint8Array());
  const inside = relative(root, path);
  const isInside = !inside.startsWith("../") && inside !== ".." && mayBeSource(inside);
  return { text, id: idOfSource(isInside ? inside : basename(path)), source: basename(path) };
}

function textIn(what: string, bytes: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new MemdError("value_invalid", `${what} is not UTF-8 text.`, { cause: error });
  }
  const trouble = troubleWithText(text);
  if (trouble !== undefined) throw new MemdError("value_invalid", `${what} ${trouble}.`);
  return text;
}
