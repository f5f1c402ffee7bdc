/** The one way a fact gets into the ledger: by a journal line that is durable. */
import type { Day } from "../model/time.js";
import type { JournalEntry, JournalPlace } from "../protocol/journal.js";
import type { ArchiveContext } from "./context.js";

export async function record(
  { journal, ledger }: Pick<ArchiveContext, "journal" | "ledger">,
  entries: readonly JournalEntry[],
  day: Day,
): Promise<void> {
  const places = await journal.append(entries, day);
  for (const [index, entry] of entries.entries()) ledger.apply(entry, places[index] as JournalPlace);
}
