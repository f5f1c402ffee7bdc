/** What an import brought, for whoever looks at it later: by conversation, its words read when they are asked for. */
import { groupBy } from "../model/collections.js";
import type { FiledMessage, MessageId } from "../model/message.js";
import { idOfKey, type MessageKey } from "../model/address.js";
import { standsAlone } from "../protocol/journal.js";
import type { ArchiveContext } from "./context.js";
import type { ImportedConversation } from "./import-order.js";
import type { LedgerEntry } from "./ledger-entry.js";
import { Blocks } from "./standing-messages.js";

export class Imported {
  readonly #blocks: Blocks;

  constructor(readonly context: ArchiveContext) {
    const { writer, workspace, catalogue } = context;
    this.#blocks = new Blocks(writer.disk, workspace, catalogue);
  }

  conversations(): Iterable<ImportedConversation> {
    return this.context.ledger.imports.conversations();
  }

  has(key: MessageKey): boolean {
    const from = this.context.ledger.get(key)?.from;
    return from !== undefined && standsAlone(from);
  }

  /** As they stand now, in this order; those whose block is gone are left out. */
  async read(messages: readonly Pick<LedgerEntry, "key">[]): Promise<FiledMessage[]> {
    const entries = messages.flatMap(({ key }) => this.context.ledger.get(key) ?? []);
    const found = new Map<MessageKey, FiledMessage>();
    for (const { key, held } of entries) if (held !== undefined) found.set(key, held);
    const settled = entries.filter(({ held }) => held === undefined);
    for (const group of groupBy(settled, ({ scope, day }) => `${scope}\u0000${day}`).values())
      for (const [key, filed] of await this.#ofDay(group)) found.set(key, filed);
    return entries.flatMap(({ key }) => found.get(key) ?? []);
  }

  async #ofDay(group: readonly LedgerEntry[]): Promise<[MessageKey, FiledMessage][]> {
    const [first] = group;
    if (first === undefined) return [];
    const keys = new Map<MessageId, MessageKey>(group.map(({ key }) => [idOfKey(key), key]));
    const blocks = await this.#blocks.of(first.scope, first.day, [...keys.keys()]);
    return blocks.flatMap((filed): [MessageKey, FiledMessage][] => {
      const key = keys.get(filed.message.id);
      return key === undefined ? [] : [[key, filed]];
    });
  }
}
