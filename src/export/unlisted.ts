/** Messages of a workspace that its memd never took in: they stand in a host's list, or among the drops, alone. */
import { naturalHash } from "../archive/identity.js";
import { keyOf, type MessageKey, scopeOf } from "../model/address.js";
import type { IncomingMessage, MessageId } from "../model/message.js";
import { parseListBytes } from "../protocol/read-list.js";
import { parseMessage } from "../protocol/message.js";
import { ifNoText, ifReadable, readText } from "../protocol/publish.js";
import { at, FILES } from "../protocol/workspace.js";
import type { MessagesAtRest } from "./messages.js";

const DROP = /^[^.].*\.json$/;

export async function unlistedIn(messages: MessagesAtRest): Promise<IncomingMessage[]> {
  const { disk, workspace, standing, forgotten } = messages;
  const listed: IncomingMessage[] = [];
  for (const list of [FILES.history, FILES.inbox]) {
    const reading = await parseListBytes((await disk.read(at(workspace, list))) ?? new Uint8Array());
    if (reading.is !== "list") continue;
    for (const { message } of reading.list.entries) if (message !== undefined) listed.push(message);
  }
  for (const { kind, name } of await disk.list(at(workspace, FILES.drops))) {
    if (kind !== "file" || !DROP.test(name)) continue;
    const text = (await readText(disk, at(workspace, `${FILES.drops}/${name}`)).catch(ifNoText)) ?? "";
    const message = parseMessage(ifReadable((): unknown => JSON.parse(text)));
    if (message !== undefined) listed.push({ ...message, id: name.slice(0, -".json".length) as MessageId });
  }
  const found = new Map<MessageKey, IncomingMessage>();
  for (const message of listed) {
    const id = message.id ?? (`n-${naturalHash(message)}` as MessageId);
    const key = keyOf(scopeOf(message), id);
    if (!standing.has(key) && !forgotten.hasMessage(key)) found.set(key, { ...message, id });
  }
  return [...found.values()];
}
