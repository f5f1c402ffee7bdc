/**
 * What an editor saved into a file that memd had just replaced: its new messages
 * and new texts are journalled and written into the file that stands.
 */
import { keyOf, scopeOf, type Message } from "../model/message.js";
import type { EpochMs } from "../model/time.js";
import { setAside } from "../protocol/conflicts.js";
import { lateSaves } from "../protocol/displaced.js";
import { parseListBytes } from "../protocol/read-list.js";
import { FILES } from "../protocol/workspace.js";
import type { ArchiveContext } from "./context.js";
import type { ListName, Readings } from "./intake-files.js";
import { takeIn } from "./intake.js";
import { record } from "./record.js";
import { addToList, updateList } from "./list-file.js";

export type SeenSaves = Map<string, { hash: string; since: EpochMs; mtimeMs: number }>;

/** How many late saves were merged. */
export async function mergeLateSaves(
  context: ArchiveContext,
  seen: SeenSaves,
  readings: Readings,
): Promise<number> {
  const { press, workspace, clock } = context;
  const saves = await lateSaves(press, workspace, seen, clock.now());
  for (const { file, bytes } of saves) {
    const name = listName(file);
    const reading = await parseListBytes(bytes);
    if (name === undefined || reading.is !== "list") {
      // Perhaps half of a save that goes on: the next look sees the rest, and until then a copy is kept.
      if (bytes.byteLength > 0) await setAside(press, workspace, file, bytes, "late save");
      continue;
    }
    const incoming = reading.list.entries.flatMap(({ message }) => (message === undefined ? [] : [message]));
    await merge(context, name, incoming, readings);
  }
  return saves.length;
}

async function merge(
  context: ArchiveContext,
  name: ListName,
  incoming: Parameters<typeof takeIn>[1],
  readings: Readings,
): Promise<void> {
  const { ledger, zone, clock, log } = context;
  const now = clock.now();
  const { entries } = takeIn(ledger, incoming, name, readings[name], now);
  const recorded = entries.flatMap((entry) => (entry.op === "message" ? [entry.filed.message] : []));
  const isKnown = (message: Message): boolean =>
    ledger.get(keyOf(scopeOf(message), message.id)) !== undefined;
  const versions = recorded.filter(isKnown);
  const fresh = recorded.filter((message) => !isKnown(message));
  await record(context, entries, zone.dayOf(now));
  if (fresh.length > 0) await addToList(context, name, fresh);
  if (versions.length > 0) await updateList(context, name, versions);
  if (recorded.length === 0) return;
  log.write({ level: "info", event: "late_save_merged", file: FILES[name], messages: recorded.length });
}

function listName(file: string): ListName | undefined {
  if (file === FILES.history) return "history";
  return file === FILES.inbox ? "inbox" : undefined;
}
