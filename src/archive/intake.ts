/**
 * Intake: what a reading of a file says that the journal does not know yet.
 *
 * `takeIn` is pure, over a ledger that it does not change: it returns journal
 * entries, and only when they are durable are they applied (`journalMessages`).
 */
import { defined } from "../model/collections.js";
import { idOfKey, keyOf, type MessageKey, scopeOf } from "../model/address.js";
import type { FiledMessage, IncomingMessage, MessageId } from "../model/message.js";
import type { Day, EpochMs } from "../model/time.js";
import type { JournalEntry, JournalPlace, Origin } from "../protocol/journal.js";
import { Batch } from "./batch.js";
import type { ArchiveContext } from "./context.js";
import { idsFor, isGiven, named, naturalHash, type Read } from "./identity.js";
import type { Ledger } from "./ledger.js";
import type { Sighting } from "./sighting.js";

export interface Intake {
  /** What must be made durable. */
  entries: JournalEntry[];
  /** The key of each message given, in order. */
  keys: MessageKey[];
  /** Keys among these that were told to be forgotten: nothing was taken in of them. */
  forgotten: ReadonlySet<MessageKey>;
  /** The reading to align the next one with. */
  reading: Read[];
}

/**
 * Messages of one file in its order. `previous` is the last reading's `reading`;
 * undefined when none is known.
 */
export function takeIn(
  ledger: Ledger,
  messages: readonly IncomingMessage[],
  from: Origin,
  previous: readonly Read[] | undefined,
  now: EpochMs,
): Intake {
  const { ids, reading } = namesFor(ledger, messages, previous);
  const present = messages.map((message, index) => named(message, ids[index] as MessageId));
  const batch = new Batch(ledger, from, now, present);
  const placed = present.map((message, index) => batch.place(message, messages[index]?.id !== undefined));
  const lastAt = new Map(placed.map(({ key }, index) => [key, index]));
  for (const [index, { key, message }] of placed.entries())
    batch.take(key, message, lastAt.get(key) === index);
  const { entries, forgotten } = batch;
  return { entries, keys: placed.map(({ key }) => key), forgotten, reading };
}

/** The id of each message. Ids that memd wrote into the file still take part in the alignment: the host may drop them. */
function namesFor(
  ledger: Ledger,
  messages: readonly IncomingMessage[],
  previous: readonly Read[] | undefined,
) {
  const explicit = new Set(messages.flatMap(({ id }) => (id === undefined ? [] : [id])));
  const nameless = messages.filter((message) => message.id === undefined);
  const given = idsFor(
    previous?.filter((read) => !explicit.has(read.id)),
    nameless.map((message) => ({ natural: naturalHash(message), timed: message.createdAt !== "" })),
    (id, index) => explicit.has(id) || ledger.get(keyOf(scopeOf(nameless[index] ?? {}), id)) !== undefined,
  );
  let next = 0;
  const ids = messages.map(({ id }) => id ?? (given[next++] as MessageId));
  const reading = messages.flatMap((message, index): Read[] => {
    const id = ids[index] as MessageId;
    return takesPart(message) ? [{ natural: naturalHash(message), id }] : [];
  });
  return { ids, reading };
}

/** Whether a message stands in the reading that the next one is aligned with: it has no id, or one that memd gave. */
export function takesPart(message: IncomingMessage | undefined): boolean {
  return message !== undefined && (message.id === undefined || isGiven(message.id));
}

/** A message of a list, under the id it has there, with what is known of its key. */
export function filedUnder(
  key: MessageKey,
  message: IncomingMessage,
  { filedAt, belongsTo }: Pick<Sighting, "filedAt" | "belongsTo">,
): FiledMessage {
  return defined({ message: { ...message, id: message.id ?? idOfKey(key) }, filedAt, belongsTo });
}

/**
 * Makes messages durable; the key of each, and which of these are forgotten. Nothing is
 * known of them until this returns. `keep` gets the reading to align the next one with and must
 * make it durable first: an id that was given once is not given again, whatever crashes.
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
