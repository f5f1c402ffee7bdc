/** Which records and topics go with what is forgotten, and their going. */
import type { ArchiveContext } from "../archive/context.js";
import { goneFrom } from "../archive/identity.js";
import { keyOf, type ScopeId } from "../model/address.js";
import type { MessageId } from "../model/message.js";
import { type ForgetTarget, type Forgetting, type Forgotten, isOf, scopesOf } from "../protocol/forgotten.js";
import { plannedRemoval, type RecordKeys, type Removal, removeRecords } from "../protocol/record-removal.js";
import { allRecordFiles } from "../protocol/records.js";
import { at, memoryDir } from "../protocol/workspace.js";
import { TopicStore } from "../topics/store.js";
import type { Files } from "./other-files.js";

/** `gone`: the messages that are forgotten with it. */
function removalOf(target: ForgetTarget, gone: Forgotten): Removal {
  const scopes = scopesOf(target);
  // Of user level is what was said anywhere: its scope tells only where it was said first.
  const mayHold = ({ scope, level }: RecordKeys): boolean =>
    level === "user" || scopes.includes(scope as ScopeId);
  return {
    goes: (keys) =>
      target.is === "record"
        ? keys.id === target.record
        : isOf(target, keys) || (mayHold(keys) && keys.sources.some((source) => gone.hasId(source, scopes))),
    goesTorn: (line) => names(line, target),
  };
}

export async function clearRecords(
  { writer, workspace }: Files,
  { target }: Forgetting,
  gone: Forgotten,
): Promise<void> {
  const files = await allRecordFiles(writer.disk, workspace);
  await removeRecords(writer, workspace, files, removalOf(target, gone));
}

interface PlannedRecords {
  ids: string[];
  /** Lines; a record that was merged goes back to what it was before. */
  lines: number;
  /** Whom they tell of. */
  of: { user: string | undefined; scope: string }[];
}

export async function plannedRecords(
  { writer, workspace }: Files,
  target: ForgetTarget,
  gone: Forgotten,
): Promise<PlannedRecords> {
  const { goes, ...removal } = removalOf(target, gone);
  const of: PlannedRecords["of"] = [];
  const noting = (keys: RecordKeys): boolean => {
    if (!goes(keys)) return false;
    of.push({ user: keys.user, scope: keys.scope ?? "" });
    return true;
  };
  const files = await allRecordFiles(writer.disk, workspace);
  const planned = await plannedRemoval(writer, workspace, files, { ...removal, goes: noting });
  return { ...planned, of };
}

/** Whether half a line of JSON names it. */
function names(text: string, target: ForgetTarget): boolean {
  const has = (field: string, value: string): boolean => text.includes(`"${field}":${JSON.stringify(value)}`);
  switch (target.is) {
    case "session":
      return has("scope", target.scope) && has("session", target.session);
    case "scope":
      return scopesOf(target).some((scope) => has("scope", scope));
    case "message":
      return text.includes(JSON.stringify(target.message satisfies MessageId));
    case "record":
      return has("id", target.record);
    default:
      return target satisfies never;
  }
}

/**
 * Forgotten words in topics: messages go from every file, and with them the
 * names and briefs that may have been made of them. Those are made again of what
 * remains. Whether topics are on makes no difference. Each step may be done again.
 */
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
