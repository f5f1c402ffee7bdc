/**
 * Takes blocks out of a verbatim file, and out of its name what they alone have
 * said. A file of which nothing is left goes whole.
 */
import type { FiledMessage } from "../model/message.js";
import type { ScopeId } from "../model/address.js";
import type { Day } from "../model/time.js";
import { dirname } from "../platform/files.js";
import { REMOVED, rewriteText } from "../protocol/publish.js";
import { withoutBlocks, type WithoutBlocks } from "../protocol/verbatim.js";
import { at, memoryDir } from "../protocol/workspace.js";
import { keywordsOf, slugOf } from "../text/keywords.js";
import type { ArchiveContext } from "./context.js";
import { freeName, isShared } from "./day-file.js";

/** So many of a day's words tell what its name may come from. */
const WORDS_OF_DAY = 300;

/** Only the blocks go; a day of which nothing is left goes whole. */
export async function forgetBlocks(
  context: ArchiveContext,
  path: string,
  scope: ScopeId,
  isGone: (filed: FiledMessage) => boolean,
): Promise<void> {
  const { writer, workspace, catalogue } = context;
  const { disk } = writer;
  const place = path.startsWith(`${memoryDir(scope)}/archive/`) ? "archive" : "recent";
  let present = path;
  let named = path;
  do {
    if (named !== present) {
      await writer.guard();
      await disk.rename(at(workspace, present), at(workspace, named));
      await disk.syncDir(at(workspace, dirname(present)));
      await catalogue.recheck(present, scope, place);
      present = named;
    }
    await rewriteText(writer, at(workspace, present), async (base) => {
      const without = base === undefined ? undefined : withoutBlocks(base, scope, isGone);
      if (without === undefined) return undefined;
      if (without.isEmpty) return REMOVED;
      // Its name first: once the blocks are gone nobody could tell that the name still says something of them.
      named = await innocentName(context, present, without);
      return named === present ? without.text : undefined;
    });
  } while (named !== present);
  await catalogue.recheck(present, scope, place);
}

/** Another name where the present one is made of words that only the blocks which go have said. */
async function innocentName(
  { writer, workspace }: ArchiveContext,
  path: string,
  { left, gone }: WithoutBlocks,
): Promise<string> {
  const [, day, slug] = /(\d{4}-\d{2}-\d{2})-([^/]+)\.md$/.exec(path) ?? [];
  if (day === undefined || slug === undefined) return path;
  const [said, stays] = await Promise.all([wordsOf(gone), wordsOf(left)]);
  const plain = slug.replace(/-\d+$/, "");
  const tells = plain.split("-").some((word) => said.has(word) && !stays.has(word));
  const names = await Promise.all(gone.map(({ message }) => slugOf([], message.id)));
  if (!tells && !names.includes(plain)) return path;
  const text = (isShared(left) ? [] : left)
    .map(({ message }) => (message.private === true ? "" : message.text))
    .join("\n");
  const next = await slugOf(keywordsOf(text, 4), left[0]?.message.id ?? "");
  const dir = dirname(path);
  const taken = new Set((await writer.disk.list(at(workspace, dir))).map(({ name }) => `${dir}/${name}`));
  taken.delete(path);
  return freeName(dir, day as Day, next, taken);
}

/** As a file's name would write them. */
async function wordsOf(filed: readonly FiledMessage[]): Promise<Set<string>> {
  const words = new Set<string>();
  for (const keyword of keywordsOf(filed.map(({ message }) => message.text).join("\n"), WORDS_OF_DAY))
    for (const word of (await slugOf([keyword], "")).split("-")) words.add(word);
  return words;
}
