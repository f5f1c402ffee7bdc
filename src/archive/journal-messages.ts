/** Messages become durable: what of them the journal does not know yet is appended to it. */
import type { IncomingMessage } from "../model/message.js";
import type { Day } from "../model/time.js";
import type { JournalEntry, JournalPlace, Origin } from "../protocol/journal.js";
import type { ArchiveContext } from "./context.js";
import type { Read } from "./identity.js";
import { type Intake, takeIn } from "./intake.js";

/**
 * Makes messages durable; the key of each, and which of these are forgotten. Nothing is known of them until this
 * returns. `keep` gets the reading to align the next one with and must make it
 * durable first: an id that was given once is not given again, whatever crashes.
 */
export async function journalMessages(
  context: ArchiveContext,
  messages: readonly IncomingMessage[],
  from: Origin,
  previous?: readonly Read[],
  keep?: (reading: Read[]) => Promise<void>,
): Promise<Pick<Intake, "keys" | "forgotten">> {
  const { ledger, clock, zone } = context;
  const now = clock.now();
  const { entries, keys, forgotten, reading } = takeIn(ledger, messages, from, previous, now);
  await keep?.(reading);
  await record(context, entries, zone.dayOf(now));
  return { keys, forgotten };
}

/** The one way a fact gets into the ledger: by a journal line that is durable. */
export async function record(
  { journal, ledger }: Pick<ArchiveContext, "journal" | "ledger">,
  entries: readonly JournalEntry[],
  day: Day,
): Promise<void> {
  const places = await journal.append(entries, day);
  for (const [index, entry] of entries.entries()) ledger.apply(entry, places[index] as JournalPlace);
}
