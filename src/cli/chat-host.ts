/** What a host does when its agent has answered: the turn goes into history.json, what was answered leaves inbox.json. */
import { MemdError } from "../model/errors.js";
import type { IncomingMessage, MessageId } from "../model/message.js";
import type { Locks } from "../platform/lock.js";
import { EMPTY_LIST, printList, type MessageList } from "../protocol/message-list.js";
import { printMessage } from "../protocol/message.js";
import type { FileWriter } from "../protocol/publish.js";
import { parseListBytes } from "../protocol/read-list.js";
import { rewriteShared } from "../protocol/shared-file.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";

/** History first: killed between the two, the question is answered again and nothing is lost. */
export async function answerInto(
  writer: FileWriter & { locks: Locks },
  workspace: Workspace,
  answered: MessageId,
  turn: readonly IncomingMessage[],
): Promise<void> {
  if (turn.length > 0)
    await change(writer, workspace, FILES.history, (list) => {
      const added = turn.map((message) => ({ raw: printMessage(message), message }));
      return { ...list, entries: [...list.entries, ...added] };
    });
  await change(writer, workspace, FILES.inbox, (list) => {
    const entries = list.entries.filter(({ message }) => message?.id !== answered);
    return entries.length === list.entries.length ? undefined : { ...list, entries };
  });
}

async function change(
  writer: FileWriter & { locks: Locks },
  workspace: Workspace,
  file: string,
  next: (list: MessageList) => MessageList | undefined,
): Promise<void> {
  await rewriteShared(writer, workspace, at(workspace, file), async (bytes) => {
    const reading = bytes === undefined ? undefined : await parseListBytes(bytes);
    if (reading?.is === "unreadable")
      throw new MemdError("file_unreadable", `${file} cannot be read: ${reading.reason}.`);
    const changed = next(reading?.is === "list" ? reading.list : EMPTY_LIST);
    return changed && Buffer.from([...printList(changed)].join(""));
  });
}
