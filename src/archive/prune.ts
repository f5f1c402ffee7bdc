/**
 * What may go: journal lines of messages that have their block, and whatever
 * the owner's retention names. Nothing goes without this command.
 *
 * A mark that a key was settled stays while its block is gone or edited, or
 * history.json still shows it, so that what a person or a retention did stays.
 */
import { daysBetween, isDay, isMonth, lastDayOf, type Day } from "../model/time.js";
import { keyOfMessage, type MessageKey } from "../model/address.js";
import { printJournalEntry, readJournalFile, type JournalEntry } from "../protocol/journal.js";
import { journalPaths } from "../protocol/journal-files.js";
import { publish, removeFile } from "../protocol/publish.js";
import { at } from "../protocol/workspace.js";
import type { ArchiveContext } from "./context.js";
import { versionHash } from "./identity.js";

export interface PruneItem {
  path: string;
  why: "journal" | "recent_days" | "archive_days" | "summary_days";
  /** Lines that stay; without any the file goes. */
  keep: string[];
}

/** `shown`: keys that history.json or inbox.json still show. `owed`: of imports, whose lines say that they are to be looked at. */
export async function prunePlan(
  context: ArchiveContext,
  shown: ReadonlySet<MessageKey>,
  owed: ReadonlySet<MessageKey> = new Set(),
): Promise<PruneItem[]> {
  const { catalogue, zone, clock, settings } = context;
  const { recent_days, archive_days, summary_days } = settings.retention;
  const today = zone.dayOf(clock.now());
  const older = (day: Day, limit: number | undefined): boolean =>
    limit !== undefined && daysBetween(day, today) > limit;
  const items: PruneItem[] = [];
  for (const { path, place, day } of catalogue.verbatimDays()) {
    if (place === "recent" && older(day, recent_days)) items.push({ path, why: "recent_days", keep: [] });
    if (place === "archive" && older(day, archive_days)) items.push({ path, why: "archive_days", keep: [] });
  }
  for (const { path, date } of catalogue.summaries()) {
    const last = isMonth(date) ? lastDayOf(date) : isDay(date) ? date : undefined;
    if (last !== undefined && older(last, summary_days)) items.push({ path, why: "summary_days", keep: [] });
  }
  const going = new Set(items.map(({ path }) => path));
  return [...items, ...(await journalItems(context, today, { shown, owed }, going))];
}

export async function prune(
  { writer, workspace, catalogue }: ArchiveContext,
  items: readonly PruneItem[],
): Promise<void> {
  for (const { path, keep } of items) {
    const file = at(workspace, path);
    if (keep.length === 0) await removeFile(writer, file);
    else await publish(writer, file, keep.map((line) => `${line}\n`).join(""));
  }
  await catalogue.refresh();
}

async function journalItems(
  context: ArchiveContext,
  today: Day,
  { shown, owed }: Record<"shown" | "owed", ReadonlySet<MessageKey>>,
  going: ReadonlySet<string>,
): Promise<PruneItem[]> {
  const { writer, workspace, catalogue, ledger } = context;
  const standing = await catalogue.versions(going);
  const isSettled = (key: MessageKey, hash: string): boolean => {
    const entry = ledger.get(key);
    if (entry?.settled === undefined || entry.held !== undefined || owed.has(key)) return false;
    return entry.settled === hash || entry.hash !== hash;
  };
  const isNeeded = (key: MessageKey): boolean =>
    shown.has(key) || !standing.has(key) || standing.get(key) !== ledger.get(key)?.settled;
  const items: PruneItem[] = [];
  for (const path of await journalPaths(writer.disk, workspace)) {
    // What was written after a line that stays must stay too, also where the clock was set back: the last version wins.
    if (path.includes(today)) break;
    const entries = (await readJournalFile(writer.disk, workspace, path)).map(({ entry }) => entry);
    const keep = entries.flatMap((entry) => remaining(entry, isSettled, isNeeded)).flatMap(printJournalEntry);
    if (keep.length < entries.flatMap(printJournalEntry).length) items.push({ path, why: "journal", keep });
  }
  return items;
}

/** What must stay of a line. */
function remaining(
  entry: JournalEntry,
  isSettled: (key: MessageKey, hash: string) => boolean,
  isNeeded: (key: MessageKey) => boolean,
): JournalEntry[] {
  switch (entry.op) {
    case "message":
      return isSettled(keyOfMessage(entry.filed.message), versionHash(entry.filed.message)) ? [] : [entry];
    case "alias":
      return isNeeded(entry.key) || isNeeded(entry.of) ? [entry] : [];
    case "settled": {
      const keys = entry.keys.filter(({ key }) => isNeeded(key));
      return keys.length === 0 ? [] : [{ op: "settled", keys }];
    }
    // What a host took out is not shown again, however long its block stands.
    case "removed":
    case "restored":
      return [entry];
    default:
      return entry satisfies never;
  }
}
