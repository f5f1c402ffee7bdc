/**
 * Forgotten words in topics: messages go from every file, and with them the
 * names and briefs that may have been made of them. Those are made again of what
 * remains. Whether topics are on makes no difference. Each step may be done again.
 */
import { goneFrom } from "../archive/gone.js";
import type { ArchiveContext } from "../archive/context.js";
import { keyOf, type ScopeId } from "../model/address.js";
import type { Forgotten } from "../protocol/forgotten.js";
import { at, memoryDir } from "../protocol/workspace.js";
import { TopicStore } from "../topics/store.js";

export async function clearTopics(
  { writer, workspace, zone }: Pick<ArchiveContext, "writer" | "workspace" | "zone">,
  scope: ScopeId,
  gone: Forgotten,
): Promise<void> {
  const isGone = goneFrom(gone);
  const { disk } = writer;
  const own = `${memoryDir(scope)}/topics`;
  if ((await disk.stat(at(workspace, own)))?.kind !== "dir") return;
  const users = (await disk.list(at(workspace, `${own}/users`))).filter(({ kind }) => kind === "dir");
  for (const dir of [own, ...users.map(({ name }) => `${own}/users/${name}`)]) {
    const store = new TopicStore({ writer, workspace, zone }, dir);
    await store.forget((id, filed) =>
      filed === undefined ? gone.hasMessage(keyOf(scope, id)) : isGone(filed),
    );
  }
}
