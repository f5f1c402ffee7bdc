/**
 * What an editor saved into a file that memd had just replaced: new messages and
 * texts that it changed are journalled and written into the list that stands; an
 * edit of `memory.md` is merged line by line, and the person's lines win.
 */
import { isMemdError } from "../model/errors.js";
import { hasId, type IncomingMessage, type Message } from "../model/message.js";
import { keyOfMessage, type MessageKey } from "../model/address.js";
import { setAside } from "../protocol/conflicts.js";
import type { LateSave, LateSaveEnd } from "../protocol/displaced.js";
import { decoded, tryRewriteMemory } from "../protocol/memory-file.js";
import { parseListBytes } from "../protocol/read-list.js";
import { FILES } from "../protocol/workspace.js";
import { mergeLines } from "../text/merge-lines.js";
import type { ArchiveContext } from "./context.js";
import { versionHash } from "./identity.js";
import type { Readings } from "./list-state.js";
import { record, takeIn } from "./intake.js";
import { addToList, updateList, type ListName } from "./list-file.js";

/** `later`: what stands cannot be read, or somebody holds it; the save is kept where it is until it can be merged. */
export async function mergeLateSave(
  context: ArchiveContext,
  save: LateSave,
  readings: Readings,
): Promise<LateSaveEnd> {
  try {
    if (save.file === FILES.memory) return await mergeMemory(context, save);
    return await mergeList(context, save, readings);
  } catch (error) {
    if (!isMemdError(error, "file_unreadable") && !isMemdError(error, "file_contended")) throw error;
    return "later";
  }
}

async function mergeList(context: ArchiveContext, save: LateSave, readings: Readings): Promise<LateSaveEnd> {
  const { file, bytes } = save;
  const name = listName(file);
  const reading = await parseListBytes(bytes);
  if (name !== undefined && reading.is === "list") {
    const incoming = reading.list.entries.flatMap(({ message }) => message ?? []);
    const isContested = await merge(context, name, incoming, readings, await versionsIn(save.base));
    if (isContested) await keepBeside(context, file, bytes);
    return "merged";
  }
  // Perhaps half of a save that goes on: the next look sees the rest, and until then a copy is kept.
  await keepBeside(context, file, bytes);
  return "kept beside";
}

/**
 * A message that the save left as it found it is not what it is about, and has
 * perhaps been given another text since. True when the save and somebody else
 * since both changed one: then the later one stays.
 */
async function merge(
  context: ArchiveContext,
  name: ListName,
  incoming: readonly IncomingMessage[],
  readings: Readings,
  base: ReadonlyMap<MessageKey, string>,
): Promise<boolean> {
  const { ledger, zone, clock, log } = context;
  const now = clock.now();
  const { entries } = takeIn(ledger, incoming, name, readings[name], now);
  const recorded = entries.flatMap((entry) => (entry.op === "message" ? [entry.filed.message] : []));
  const fresh = new Set(recorded.filter((message) => ledger.get(keyOfMessage(message)) === undefined));
  const before = (message: Message): string | undefined => base.get(keyOfMessage(message));
  const standing = (message: Message): string | undefined => ledger.get(keyOfMessage(message))?.hash;
  const isChanged = (message: Message): boolean => before(message) !== versionHash(message);
  const versions = recorded.filter((message) => !fresh.has(message) && isChanged(message));
  const uncontested = versions.filter(
    (each) => before(each) === undefined || before(each) === standing(each),
  );
  const taken = new Set([...fresh, ...uncontested]);
  const kept = entries.filter((entry) => entry.op !== "message" || taken.has(entry.filed.message));
  await record(context, kept, zone.dayOf(now));
  if (fresh.size > 0) await addToList(context, name, [...fresh]);
  // Not only what was journalled now: a kill between the two steps leaves the list with the old text.
  const changed = incoming
    .filter(hasId)
    .filter((each) => isChanged(each) && standing(each) === versionHash(each));
  const isPassedBy = changed.length > 0 && (await updateList(context, name, changed, base));
  if (taken.size > 0)
    log.write({ level: "info", event: "late_save_merged", file: FILES[name], messages: taken.size });
  return isPassedBy || uncontested.length < versions.length;
}

/** The version of each message that memd had read before the save; none when that is not known. */
async function versionsIn(base: Uint8Array | undefined): Promise<Map<MessageKey, string>> {
  const reading = base === undefined ? undefined : await parseListBytes(base);
  const messages = reading?.is === "list" ? reading.list.entries.map(({ message }) => message) : [];
  return new Map(messages.filter(hasId).map((message) => [keyOfMessage(message), versionHash(message)]));
}

function listName(file: string): ListName | undefined {
  if (file === FILES.history) return "history";
  return file === FILES.inbox ? "inbox" : undefined;
}

/** Half of a save would read as if the other half had been deleted, so it is waited for. */
async function mergeMemory(context: ArchiveContext, save: LateSave): Promise<LateSaveEnd> {
  const { writer, workspace, log } = context;
  if (!save.isRested) return "later";
  const late = decoded(save.bytes);
  const base = save.base === undefined ? undefined : decoded(save.base);
  if (late === undefined || base === undefined) {
    await keepBeside(context, save.file, save.bytes);
    return "kept beside";
  }
  let overruled = false;
  const end = await tryRewriteMemory(writer, workspace, async (standing) => {
    const merged = mergeLines(base, late, standing);
    overruled = merged.overruled;
    // Of what stands some lines give way: all of it is kept before that.
    if (overruled) await setAside(writer, workspace, save.file, standing, "before late save");
    return merged.text;
  });
  if (end.is === "restless") {
    // A file that was taken away is not made again for this.
    if (!save.isLastLook || end.stamp !== "absent") return "later";
    await keepBeside(context, save.file, save.bytes);
    return "kept beside";
  }
  if (overruled) log.write({ level: "warn", event: "edit_conflict", file: save.file });
  if (end.is === "rewritten") log.write({ level: "info", event: "late_save_merged", file: save.file });
  return "merged";
}

async function keepBeside(
  { writer, workspace, log }: ArchiveContext,
  file: string,
  bytes: Uint8Array,
): Promise<void> {
  if (await setAside(writer, workspace, file, bytes, "late save"))
    log.write({ level: "warn", event: "edit_conflict", file });
}
