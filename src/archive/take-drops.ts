/**
 * Drops: messages that other writers left in `inbox.d/`, each a file of its own,
 * moved into both lists. One that cannot be read stays where it is.
 */
import { isMemdError } from "../model/errors.js";
import type { Message } from "../model/message.js";
import type { MessageKey } from "../model/address.js";
import { contentHash } from "../platform/hash.js";
import { setAside } from "../protocol/conflicts.js";
import { readDrops } from "../protocol/drops.js";
import { at, FILES } from "../protocol/workspace.js";
import type { ArchiveContext } from "./context.js";
import { journalMessages } from "./journal-messages.js";
import { addToList, type ListName } from "./list-file.js";

/** Removed between two looks whether this process may still write. */
const DROPS_AT_ONCE = 500;

/** Moves drops into history.json and inbox.json; how many. Order: journal, history, inbox, unlink. */
export async function takeDrops(context: ArchiveContext, broken: Set<string>): Promise<number> {
  const { writer, workspace, log } = context;
  const drops = await readDrops(writer.disk, workspace);
  const good: { file: string; message: Message }[] = [];
  for (const drop of drops) {
    if (drop.is === "message") {
      good.push(drop);
      continue;
    }
    const stamp = `${drop.file}:${contentHash(drop.bytes)}`;
    // Seen broken before and still the same: not an unfinished write. It stays where it is, with a copy for a person.
    if (broken.has(stamp) && (await setAside(writer, workspace, drop.file, drop.bytes, "unreadable"))) {
      log.write({ level: "warn", event: "file_unreadable", file: drop.file, reason: drop.reason });
    }
    broken.add(stamp);
  }
  if (good.length === 0) return 0;
  const dropped = good.map(({ message }) => message);
  const taken = await journalMessages(context, dropped, "drop");
  const messages = dropped.filter((_message, index) => !taken.forgotten.has(taken.keys[index] as MessageKey));
  const added = [
    await addIfReadable(context, "history", messages),
    await addIfReadable(context, "inbox", messages),
  ];
  // Journalled, so they are found and archived; the drops stay until both lists can be read again.
  if (added.includes(false)) return 0;
  // Many at a time: the watcher lists the folder again after each removal that it hears of by itself.
  for (let from = 0; from < good.length; from += DROPS_AT_ONCE) {
    await writer.guard();
    const batch = good.slice(from, from + DROPS_AT_ONCE);
    await Promise.all(batch.map(({ file }) => writer.disk.unlink(at(workspace, file))));
  }
  await writer.disk.syncDir(at(workspace, FILES.drops));
  return good.length;
}

async function addIfReadable(
  context: ArchiveContext,
  name: ListName,
  messages: readonly Message[],
): Promise<boolean> {
  try {
    await addToList(context, name, messages);
    return true;
  } catch (error) {
    // A list that cannot be read, or that somebody holds, makes its drops wait and nothing else.
    if (!isMemdError(error, "file_unreadable") && !isMemdError(error, "file_contended")) throw error;
    return false;
  }
}
