/** Messages that are to be forgotten, where they still stand: in verbatim files and in the journal. */
import type { ScopeId } from "../model/address.js";
import type { FiledMessage } from "../model/message.js";
import { pacer } from "../platform/clock.js";
import type { Forgotten } from "../protocol/forgotten.js";
import { readJournal } from "../protocol/journal.js";
import { ifNoText, readText } from "../protocol/publish.js";
import { withoutBlocks, type WithoutBlocks } from "../protocol/verbatim.js";
import { at, memoryDir } from "../protocol/workspace.js";
import type { ArchiveContext } from "./context.js";
import { goneFrom } from "./gone.js";

/** A verbatim file that holds blocks which are to go. */
export interface TouchedFile {
  /** Relative. */
  path: string;
  scope: ScopeId;
  without: WithoutBlocks;
}

/** What of them still stands: each as often as it does. */
export async function standingMessages(
  context: ArchiveContext,
  gone: Forgotten,
  scopes: readonly ScopeId[],
): Promise<FiledMessage[]> {
  const found: FiledMessage[] = [];
  for await (const { without } of touchedFiles(context, gone, scopes)) found.push(...without.gone);
  for await (const filed of journalled(context, gone)) found.push(filed);
  return found;
}

export async function* touchedFiles(
  context: ArchiveContext,
  gone: Forgotten,
  scopes: readonly ScopeId[],
): AsyncGenerator<TouchedFile> {
  const { writer, workspace, clock } = context;
  const isGone = goneFrom(gone);
  for (const scope of scopes)
    for (const path of await verbatimPaths(context, scope)) {
      const text = await readText(writer.disk, at(workspace, path)).catch(ifNoText);
      await pacer(clock)();
      const without = text === undefined ? undefined : withoutBlocks(text, scope, isGone);
      if (without !== undefined) yield { path, scope, without };
    }
}

export async function* journalled(
  { writer, workspace }: ArchiveContext,
  gone: Forgotten,
): AsyncGenerator<FiledMessage> {
  const isGone = goneFrom(gone);
  for await (const { entry } of readJournal(writer.disk, workspace))
    if (entry.op === "message" && isGone(entry.filed)) yield entry.filed;
}

/** Of the scope's files that may hold blocks, readable or not. */
async function verbatimPaths(
  { catalogue, writer, workspace }: ArchiveContext,
  scope: ScopeId,
): Promise<string[]> {
  const folder = memoryDir(scope);
  const mine = (await catalogue.folders()).filter(
    (dir) => dir === folder || dir.startsWith(`${folder}/archive/`),
  );
  const paths: string[] = [];
  for (const dir of mine)
    for (const { kind, name } of await writer.disk.list(at(workspace, dir)))
      if (kind === "file" && name.endsWith(".md") && !name.startsWith(".")) paths.push(`${dir}/${name}`);
  return paths;
}
