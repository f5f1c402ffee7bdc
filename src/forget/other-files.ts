/**
 * What stands beside the archive and holds forgotten words: copies in
 * `conflicts/`, broken drops, prompts, windows, memos, the folder of a scope.
 * Each step is whole or not done, and may be done again.
 */
import { LOCAL_USER, MAIN_SCOPE, MAIN_SESSION, scopeOf, sessionOf } from "../model/address.js";
import type { FiledMessage } from "../model/message.js";
import { basename, dirname } from "../platform/files.js";
import { type ForgetTarget, isOf, scopesOf } from "../protocol/forgotten.js";
import { encodeField } from "../protocol/front-matter.js";
import { withoutMemos } from "../protocol/memos.js";
import {
  type FileWriter,
  ifNoText,
  ifReadable,
  readText,
  removeFile,
  rewriteText,
} from "../protocol/publish.js";
import {
  at,
  FILES,
  memoryDir,
  memosPath,
  tellerDir,
  windowPath,
  type Workspace,
} from "../protocol/workspace.js";

/** Beginnings of a text's lines by which a copy of it is known, cut off or not. */
const NEEDLE_CHARS = 24;
const LEAST_NEEDLE_CHARS = 8;
/** Shorter ids are everybody's. */
const LEAST_ID_CHARS = 6;
/** The owner's files, and copies of them. */
const OWNERS = /^(?:memory\.md|SOUL\.md|AWARENESS\.md|memd\.toml)\b/;
/** What `main` has of its own in `memory/`, beside the verbatim days. */
const OF_MAIN = ["archive", "summary", "window", "topics", "documents"];

/** What forgetting works on. */
export interface Files {
  writer: FileWriter;
  workspace: Workspace;
}

/** Copies go whole: nobody could say which half of a broken file is whose. */
export async function clearCopies(
  { writer, workspace }: Files,
  target: ForgetTarget,
  said: readonly FiledMessage[],
): Promise<void> {
  const needles = needlesOf(said);
  for (const folder of [FILES.conflicts, FILES.drops, FILES.told]) {
    const dir = at(workspace, folder);
    for (const { kind, name } of await writer.disk.list(dir)) {
      if (kind !== "file" || OWNERS.test(name)) continue;
      const text = new TextDecoder().decode((await writer.disk.read(`${dir}/${name}`)) ?? new Uint8Array());
      if (!isMentioned(text, target) && !needles.some((needle) => text.includes(needle))) continue;
      await removeFile(writer, `${dir}/${name}`);
    }
  }
}

function needlesOf(said: readonly FiledMessage[]): string[] {
  const needles = new Set<string>();
  for (const { message } of said) {
    const { id, text } = message;
    if (id.length >= LEAST_ID_CHARS) needles.add(JSON.stringify(id)).add(`id=${encodeField(id)} `);
    for (const line of text.split(/[\r\n]+/)) {
      const begin = line.trim().slice(0, NEEDLE_CHARS);
      if (begin.length >= LEAST_NEEDLE_CHARS) needles.add(begin).add(JSON.stringify(begin).slice(1, -1));
    }
  }
  return [...needles];
}

/** Whether a text, as JSON or as a block or head of memd's, names the conversation, the scope or the id. */
export function isMentioned(text: string, target: ForgetTarget): boolean {
  const has = (field: string, value: string): boolean =>
    new RegExp(`"${field}"\\s*:\\s*${escaped(JSON.stringify(value))}`).test(text) ||
    text.includes(` ${field}=${encodeField(value)} `) ||
    new RegExp(`^${field}: "?${escaped(value)}"?$`, "m").test(text);
  switch (target.is) {
    case "session": {
      // The default ones need not be named, and so tell nothing.
      if (target.session === MAIN_SESSION) return false;
      return has("session", target.session) && (target.scope === MAIN_SCOPE || has("scope", target.scope));
    }
    case "scope":
      return target.scope !== MAIN_SCOPE && scopesOf(target).some((scope) => has("scope", scope));
    case "message":
      return target.message.length >= LEAST_ID_CHARS && has("id", target.message);
    case "record":
      return has("id", target.record);
    default:
      return target satisfies never;
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Folders of prompts; the others are written again. */
export async function clearPrompts(files: Files, target: ForgetTarget): Promise<void> {
  if (target.is === "session") await removeTree(files, tellerDir(target.scope, target.session));
  if (target.is !== "scope") return;
  for (const scope of scopesOf(target)) await removeTree(files, dirname(tellerDir(scope, MAIN_SESSION)));
}

/** Prompts of conversations that nobody has any more: they are not written again, and nobody knows what they say. */
export async function clearStalePrompts(
  writer: FileWriter,
  workspace: Workspace,
  living: ReadonlySet<string>,
): Promise<void> {
  for (const scope of await writer.disk.list(at(workspace, "teller"))) {
    if (scope.kind !== "dir") continue;
    for (const { kind, name } of await writer.disk.list(at(workspace, `teller/${scope.name}`)))
      if (kind === "dir" && !living.has(`teller/${scope.name}/${name}`))
        await removeTree({ writer, workspace }, `teller/${scope.name}/${name}`);
  }
}

/** Rolling summaries of the conversations in which it was said. */
export async function windowsOf(
  { writer, workspace }: Files,
  target: ForgetTarget,
  said: readonly FiledMessage[],
): Promise<string[]> {
  const { disk } = writer;
  const wanted = new Set<string>();
  for (const { message, belongsTo } of said)
    wanted.add(windowPath(scopeOf(message), sessionOf(message), belongsTo ?? LOCAL_USER));
  if (target.is === "session" && target.user !== undefined)
    wanted.add(windowPath(target.scope, target.session, target.user));
  else if (target.is === "session") {
    // That of `local`, and one in a folder for each other user.
    const own = windowPath(target.scope, target.session, LOCAL_USER);
    const folder = dirname(own);
    wanted.add(own);
    for (const { kind, name } of await disk.list(at(workspace, folder)))
      if (kind === "dir") wanted.add(`${folder}/${name}/${basename(own)}`);
  }
  const stats = await Promise.all([...wanted].map((path) => disk.stat(at(workspace, path))));
  return [...wanted].filter((_path, index) => stats[index]?.kind === "file");
}

export async function clearWindows({ writer, workspace }: Files, windows: readonly string[]): Promise<void> {
  for (const window of windows) await removeFile(writer, at(workspace, window));
}

export async function clearMemos({ writer, workspace }: Files, target: ForgetTarget): Promise<void> {
  for (const scope of scopesOf(target))
    await rewriteText(writer, at(workspace, memosPath(scope)), (base) =>
      base === undefined ? undefined : readableWithout(base, target),
    );
}

/** How many memos would go. */
export async function plannedMemos({ writer, workspace }: Files, target: ForgetTarget): Promise<number> {
  let count = 0;
  for (const scope of scopesOf(target)) {
    const text = await readText(writer.disk, at(workspace, memosPath(scope))).catch(ifNoText);
    const next = text === undefined ? undefined : readableWithout(text, target);
    if (text !== undefined && next !== undefined) count += memosIn(text) - memosIn(next);
  }
  return count;
}

function memosIn(text: string): number {
  return (JSON.parse(text) as { memos: unknown[] }).memos.length;
}

/** Undefined also for somebody's edit that nobody can read: the next memo sets it aside. */
function readableWithout(text: string, target: ForgetTarget): string | undefined {
  return ifReadable(() => withoutMemos(text, (address) => isOf(target, address)));
}

/** All that stands in the folders of a scope and of its documents. */
export async function clearScope(files: Files, target: ForgetTarget): Promise<void> {
  if (target.is !== "scope") return;
  for (const scope of scopesOf(target)) {
    if (scope !== MAIN_SCOPE) {
      await removeTree(files, memoryDir(scope));
      continue;
    }
    // Its folder holds the others', and what is of user level.
    for (const name of OF_MAIN) await removeTree(files, `${memoryDir(scope)}/${name}`);
    await removeFile(files.writer, at(files.workspace, memosPath(scope)));
  }
}

/** Makes durable which names stand in a folder and below: what is seen to be gone must not come back once the power fails. */
export async function syncTree(files: Files, folder: string): Promise<void> {
  const { disk } = files.writer;
  const dir = at(files.workspace, folder);
  if ((await disk.stat(dir))?.kind !== "dir") return;
  for (const { name, kind } of await disk.list(dir))
    if (kind === "dir") await syncTree(files, `${folder}/${name}`);
  await disk.syncDir(dir);
}

/** With all that is in it, durably; nothing happens where there is none. */
export async function removeTree(files: Files, folder: string): Promise<void> {
  const { disk, guard } = files.writer;
  const dir = at(files.workspace, folder);
  // A link is no folder: what it points at is somebody else's.
  if ((await disk.stat(dir))?.kind !== "dir") return;
  for (const { name, kind } of await disk.list(dir)) {
    if (kind === "dir") {
      await removeTree(files, `${folder}/${name}`);
      continue;
    }
    await guard();
    await disk.unlink(`${dir}/${name}`);
  }
  await disk.syncDir(dir);
  await guard();
  await disk.removeDir(dir);
  await disk.syncDir(dirname(dir));
}
