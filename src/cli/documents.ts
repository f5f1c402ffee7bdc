/** `memd add-document` and `memd documents`: texts that are looked up. */
import { MemdError } from "../model/errors.js";
import { nodeDisk } from "../platform/node-disk.js";
import { basename, relative, resolve } from "../platform/path.js";
import { currentDir, readStandardInput } from "../platform/process.js";
import { DOCUMENT_LIMIT_BYTES, idOfSource, TOO_LARGE, troubleWithText } from "../protocol/new-document.js";
import { mayBeSource } from "../documents/sources.js";
import type { DocumentAdded, DocumentShown } from "../service/documents.js";
import { openWorkspace, printJson, printLine, type CommonOptions } from "./context.js";
import type { DocumentFlags } from "./flags.js";
import { withMemd } from "./memd.js";
import { table } from "./table.js";

export async function addDocument(file: string, options: DocumentFlags): Promise<void> {
  const { root } = await openWorkspace(options);
  const { text, ...origin } = await readInput(file, root);
  const { title, scope, user } = options;
  const id = options.id ?? origin.id;
  const { document } = await withMemd(options, false, (memd) =>
    memd.ask<{ document: DocumentAdded }>("POST", "/documents", {
      text,
      id,
      title,
      scope,
      user,
      source: origin.source,
    }),
  );
  if (options.json === true) return printJson(document);
  printLine(`${saying(document)} ${document.file}`);
}

export async function listDocuments(options: CommonOptions): Promise<void> {
  const { documents } = await withMemd(options, false, (memd) =>
    memd.ask<{ documents: DocumentShown[] }>("GET", "/documents"),
  );
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
  const query = scope === undefined ? "" : `?scope=${encodeURIComponent(scope)}`;
  const { removed } = await withMemd(options, false, (memd) =>
    memd.ask<{ removed: DocumentShown }>("DELETE", `/documents/${encodeURIComponent(id)}${query}`),
  );
  if (options.json === true) return printJson({ removed });
  printLine(`Removed "${removed.id}" from ${removed.scope}, with what was found in it.`);
}

function saying({ outcome, id, scope, edited }: DocumentAdded): string {
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

interface Input {
  text: string;
  id?: string;
  source?: string;
}

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
