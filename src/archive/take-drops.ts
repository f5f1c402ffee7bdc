/**
 * Taking in the drops of `inbox.d/`, one message a file: they go into history.json and
 * inbox.json, and leave the folder once both hold them.
 */
import type { MessageKey } from "../model/address.js";
import { isMemdError } from "../model/errors.js";
import type { Message } from "../model/message.js";
import { contentHash } from "../platform/files.js";
import { setAside } from "../protocol/conflicts.js";
import { readDrops } from "../protocol/read-list.js";
import { at, FILES } from "../protocol/workspace.js";
import type { ArchiveContext } from "./context.js";
import { journalMessages } from "./intake.js";
import { addToList, type ListName, type Written } from "./list-file.js";
import type { ListState } from "./list-state.js";

/** Of messages that are taken in together: what stands behind them is read when they are in. */
const DROPPED_AT_ONCE_CHARS = 8_000_000;
/** Removed between two looks whether this process may still write. */
const DROPS_AT_ONCE = 500;

/** Drops that were taken in, and the lists as they stand with them. */
export interface TakenDrops {
  count: number;
  /** Whether others wait behind them. */
  areMore: boolean;
  written: Partial<Record<ListName, Written>>;
}

const NO_DROPS: TakenDrops = { count: 0, areMore: false, written: {} };

/** Moves drops, as many as are taken in together, into history.json and inbox.json. Order: journal, history, inbox, unlink. `standing`: the lists as they are known. */
export async function takeDrops(
  context: ArchiveContext,
  broken: Set<string>,
  standing: Record<ListName, ListState>,
): Promise<TakenDrops> {
  const { writer, workspace, log } = context;
  const good: { file: string; message: Message }[] = [];
  let leftChars = DROPPED_AT_ONCE_CHARS;
  for await (const drop of readDrops(writer.disk, workspace)) {
    if (drop.is === "message") {
      good.push(drop);
      leftChars -= drop.message.text.length;
      if (leftChars > 0) continue;
      break;
    }
    const stamp = `${drop.file}:${contentHash(drop.bytes)}`;
    // Seen broken before and still the same: not an unfinished write. It stays where it is, with a copy for a person.
    if (broken.has(stamp) && (await setAside(writer, workspace, drop.file, drop.bytes, "unreadable"))) {
      log.write({ level: "warn", event: "file_unreadable", file: drop.file, reason: drop.reason });
    }
    broken.add(stamp);
  }
  if (good.length === 0) return NO_DROPS;
  const dropped = good.map(({ message }) => message);
  const taken = await journalMessages(context, dropped, "drop");
  const messages = dropped.filter((_message, index) => !taken.forgotten.has(taken.keys[index] as MessageKey));
  const history = await addIfReadable(context, "history", messages, standing);
  const inbox = await addIfReadable(context, "inbox", messages, standing);
  // Journalled, so they are found and archived; the drops stay until both lists can be read again.
  if (history === undefined || inbox === undefined) return NO_DROPS;
  // Many at a time: the watcher lists the folder again after each removal that it hears of by itself.
  for (let from = 0; from < good.length; from += DROPS_AT_ONCE) {
    await writer.guard();
    const batch = good.slice(from, from + DROPS_AT_ONCE);
    await Promise.all(batch.map(({ file }) => writer.disk.unlink(at(workspace, file))));
  }
  await writer.disk.syncDir(at(workspace, FILES.drops));
  return { count: good.length, areMore: leftChars <= 0, written: { ...history, ...inbox } };
}

/**
 * Takes what hooks told into the journal, in the order in which they did. `heard` gets it before the files go,
 * and must keep what it wants of it.
 */
export async function takeTold(
  context: ArchiveContext,
  heard: (told: readonly Message[]) => Promise<void>,
): Promise<void> {
  const { writer, workspace, log } = context;
  const told: { file: string; message: Message }[] = [];
  for await (const drop of readDrops(writer.disk, workspace, FILES.told)) {
    if (drop.is === "message") told.push(drop);
    // Written by memd alone, and never in place: it will not be whole.
    else if (await setAside(writer, workspace, drop.file, drop.bytes, "unreadable"))
      log.write({ level: "warn", event: "file_unreadable", file: drop.file, reason: drop.reason });
  }
  if (told.length === 0) return;
  const messages = told.map(({ message }) => message);
  const said = messages.filter(({ text }) => text !== "").map(({ extra: _extra, ...message }) => message);
  await journalMessages(context, said, "hook");
  await heard(messages);
  for (const { file } of told) {
    await writer.guard();
    await writer.disk.unlink(at(workspace, file));
  }
  await writer.disk.syncDir(at(workspace, FILES.told));
}

/** What was written, under the list's name; undefined where it could not be. */
async function addIfReadable(
  context: ArchiveContext,
  name: ListName,
  messages: readonly Message[],
  standing: Record<ListName, ListState>,
): Promise<TakenDrops["written"] | undefined> {
  try {
    const written = await addToList(context, name, messages, standing[name].known);
    return written === undefined ? {} : { [name]: written };
  } catch (error) {
    // A list that cannot be read, or that somebody holds, makes its drops wait and nothing else.
    if (!isMemdError(error, "file_unreadable") && !isMemdError(error, "file_contended")) throw error;
    return undefined;
  }
}
