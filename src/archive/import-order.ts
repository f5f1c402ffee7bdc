/**
 * Which messages came with an import: by conversation, in the order in which they came in,
 * which is that of the journal and the same at every start.
 *
 * No I/O. What nobody is known to have taken part in, and what was said in a group, is of none.
 */
import { isGroup, type MessageKey } from "../model/address.js";
import { entryOf } from "../model/collections.js";
import type { LedgerEntry } from "./ledger-entry.js";

export interface ImportedConversation {
  scope: LedgerEntry["scope"];
  session: string;
  user: string;
  /** More come behind those that stand here; another list where some have gone. */
  messages: LedgerEntry[];
}

export class ImportOrder {
  readonly #byPlace = new Map<string, ImportedConversation>();
  /** Of the message before: most come one behind the other. */
  #latest: ImportedConversation | undefined;

  /** Once for each message. */
  note(entry: LedgerEntry): void {
    const { scope, session, belongsTo: user } = entry;
    const latest = this.#latest;
    if (latest?.session === session && latest.scope === scope && latest.user === user) {
      latest.messages.push(entry);
      return;
    }
    if (user === undefined || isGroup(scope)) return;
    const place = `${scope}\u0000${session}\u0000${user}`;
    this.#latest = entryOf(this.#byPlace, place, () => ({ scope, session, user, messages: [] }));
    this.#latest.messages.push(entry);
  }

  conversations(): IterableIterator<ImportedConversation> {
    return this.#byPlace.values();
  }

  drop(gone: ReadonlySet<MessageKey>): void {
    if (gone.size === 0) return;
    this.#latest = undefined;
    for (const [place, conversation] of this.#byPlace) {
      const messages = conversation.messages.filter(({ key }) => !gone.has(key));
      if (messages.length === 0) this.#byPlace.delete(place);
      else if (messages.length < conversation.messages.length)
        this.#byPlace.set(place, { ...conversation, messages });
    }
  }
}
