/**
 * What waits in inbox.json, seen before it is journalled: an agent that waits
 * for its prompt need not wait for the disk as well.
 *
 * Reads and changes nothing. Whatever it says is said again, by the same
 * decisions, once it is durable.
 */
import { idOfKey, keyOfMessage, type FiledMessage } from "../model/message.js";
import { readListOnce } from "../protocol/read-list.js";
import { at, FILES } from "../protocol/workspace.js";
import type { ArchiveContext } from "./context.js";
import type { ListState } from "./intake-files.js";
import { takeIn } from "./intake.js";
import { stampOf } from "./stamp.js";

/** Undefined where it stands as before, the history has changed too, or messages are in it that have no id yet, or have one of another. */
export async function peekInbox(
  { press: { disk }, workspace, ledger, clock }: ArchiveContext,
  { inbox, history }: Record<"inbox" | "history", ListState>,
): Promise<FiledMessage[] | undefined> {
  const stampNow = async (file: string): Promise<string> => {
    const stat = await disk.stat(at(workspace, file));
    return stat === undefined ? "absent" : stampOf(stat);
  };
  if ((await stampNow(FILES.history)) !== history.stamp || (await stampNow(FILES.inbox)) === inbox.stamp)
    return undefined;
  const reading = await readListOnce(disk, at(workspace, FILES.inbox));
  if (reading.is !== "list") return undefined;
  const messages = reading.list.entries.flatMap(({ message }) => message ?? []);
  if (messages.some(({ id }) => id === undefined)) return undefined;
  const { keys, entries, forgotten } = takeIn(ledger, messages, "inbox", undefined, clock.now());
  if (new Set(keys).size < keys.length) return undefined;
  const fresh = new Map(
    entries.flatMap((entry) =>
      entry.op === "message" ? [[keyOfMessage(entry.filed.message), entry.filed]] : [],
    ),
  );
  return messages.flatMap((message, index): FiledMessage[] => {
    const key = keys[index];
    if (key === undefined || forgotten.has(key)) return [];
    const { filedAt, belongsTo } = ledger.get(key) ?? fresh.get(key) ?? { filedAt: clock.now() };
    return [
      {
        message: { ...message, id: message.id ?? idOfKey(key) },
        filedAt,
        ...(belongsTo === undefined ? {} : { belongsTo }),
      },
    ];
  });
}
