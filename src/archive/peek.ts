/**
 * What waits in inbox.json, seen before it is journalled: an agent that waits
 * for its prompt need not wait for the disk as well.
 *
 * Reads and changes nothing. Whatever it says is said again, by the same
 * decisions, once it is durable.
 */
import type { FiledMessage } from "../model/message.js";
import { keyOfMessage } from "../model/address.js";
import { readListOnce } from "../protocol/read-list.js";
import { at, FILES } from "../protocol/workspace.js";
import type { ArchiveContext } from "./context.js";
import type { ListState } from "./list-state.js";
import { filedUnder, takeIn } from "./intake.js";
import { stampOf } from "../platform/stamp.js";

/** A larger one is taken in first: reading it twice would hold up more than a disk does. */
const MOST_BYTES = 256 * 1024;

/** Undefined where it stands as before, the history has changed too, or messages are in it that have no id yet, or have one of another. */
export async function peekInbox(
  { writer: { disk }, workspace, ledger, clock }: ArchiveContext,
  { inbox, history }: Record<"inbox" | "history", ListState>,
): Promise<FiledMessage[] | undefined> {
  const [stat, beside] = [
    await disk.stat(at(workspace, FILES.inbox)),
    await disk.stat(at(workspace, FILES.history)),
  ];
  const isAlone = stampOf(stat) !== inbox.stamp && stampOf(beside) === history.stamp;
  if (!isAlone || (stat?.size ?? 0) > MOST_BYTES) return undefined;
  const reading = await readListOnce(disk, at(workspace, FILES.inbox));
  if (reading.is !== "list") return undefined;
  const messages = reading.list.entries.flatMap(({ message }) => message ?? []);
  if (messages.some(({ id }) => id === undefined)) return undefined;
  const now = clock.now();
  const { keys, entries, forgotten } = takeIn(ledger, messages, "inbox", undefined, now);
  if (new Set(keys).size < keys.length) return undefined;
  const fresh = new Map(
    entries.flatMap((entry) =>
      entry.op === "message" ? [[keyOfMessage(entry.filed.message), entry.filed]] : [],
    ),
  );
  return messages.flatMap((message, index): FiledMessage[] => {
    const key = keys[index];
    if (key === undefined || forgotten.has(key)) return [];
    return [filedUnder(key, message, ledger.get(key) ?? fresh.get(key) ?? { filedAt: now })];
  });
}
