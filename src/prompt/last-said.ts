/**
 * What was said last in a conversation: what history.json holds and, so that no trimming, import or fresh
 * host file makes the agent forget the last exchange, what is missing among the newest: from the days, or
 * from the ledger where a message has no block yet.
 */
import type { Archive } from "../archive/archive.js";
import type { LedgerEntry } from "../archive/ledger-entry.js";
import { type Standing, unlistedOf } from "../archive/list-state.js";
import { Blocks } from "../archive/standing-messages.js";
import { isShown } from "../context/entries.js";
import { inOrder, merged } from "../context/inputs.js";
import {
  type Address,
  idOfKey,
  inConversation,
  keyOfMessage,
  type Lists,
  mayRead,
  type MessageKey,
  type ScopeId,
  viewerAt,
} from "../model/address.js";
import { addAll, defined, groupBy } from "../model/collections.js";
import { callIdsOf, type FiledMessage } from "../model/message.js";
import type { EpochMs } from "../model/time.js";

/** Private messages and blocks that people took out are looked past, so many times the number wanted. */
const MOST_LOOKS = 10;

interface LastSaidParts {
  archive: Pick<Archive, "context" | "history" | "inbox">;
  /** Until when the conversation was closed; undefined where it never was. */
  closedAt: (viewer: Address) => Promise<EpochMs | undefined>;
}

export class LastSaid {
  readonly #blocks: Blocks;

  constructor(readonly parts: LastSaidParts) {
    const { writer, workspace, catalogue } = parts.archive.context;
    this.#blocks = new Blocks(writer.disk, workspace, catalogue);
  }

  /** Oldest first. Of what is missing no more than it takes for the newest `most` to be whole. */
  async of(viewer: Address, { history, inbox }: Lists, most: number): Promise<readonly FiledMessage[]> {
    const listed = inOrder(history.filter((filed) => inConversation(viewer, filed)));
    const times = listed.filter(({ message }) => isShown(message)).map(({ filedAt }) => filedAt);
    times.sort((one, other) => other - one);
    const closedAt = await this.parts.closedAt(viewer);
    const after = newest(times[most - 1], closedAt);
    const missing: FiledMessage[] = [];
    const isEnough = ({ filedAt }: Pick<FiledMessage, "filedAt">): boolean =>
      missing.length + times.filter((at) => at >= filedAt).length >= most;
    let batch: LedgerEntry[] = [];
    let looks = 0;
    const take = async (): Promise<void> => {
      for (const filed of await this.#texts(viewer.scope, batch))
        if (isShown(filed.message) && inConversation(viewer, filed) && !isEnough(filed)) missing.push(filed);
      batch = [];
    };
    for (const entry of this.#unlisted(viewer, listed, inbox, after)) {
      if (batch.length === most) await take();
      if (isEnough(entry) || ++looks > MOST_LOOKS * most) break;
      batch.push(entry);
    }
    await take();
    return missing.length === 0 ? listed : merged(listed, missing);
  }

  /** What this person said last in the scope, in whatever session. Newest first. */
  async byUser({ user, scope }: Address, most: number): Promise<readonly FiledMessage[]> {
    const theirs = [...this.parts.archive.context.ledger.entries()].filter(
      (entry) => entry.scope === scope && entry.role === "user" && entry.belongsTo === user,
    );
    return this.#texts(scope, theirs.sort((one, other) => other.filedAt - one.filedAt).slice(0, most));
  }

  /** Newest first. */
  *#unlisted(
    viewer: Address,
    listed: readonly FiledMessage[],
    inbox: readonly FiledMessage[],
    after: EpochMs | undefined,
  ): Generator<LedgerEntry> {
    const { history, inbox: waiting, context } = this.parts.archive;
    const { ledger } = context;
    const counted = new Map([...history.messages, ...waiting.messages].map(({ filed, key }) => [filed, key]));
    // What waits is what the list says: it may have been seen ahead of the archive.
    const keyOf = (filed: FiledMessage): MessageKey =>
      counted.get(filed) ?? ledger.resolve(keyOfMessage(filed.message));
    const standing = listed.flatMap((filed): Standing[] => {
      const entry = ledger.get(keyOf(filed));
      return entry === undefined ? [] : [{ entry, callIds: callIdsOf(filed.message) }];
    });
    const keys = new Set([...history.messages.map(({ key }) => key), ...[...listed, ...inbox].map(keyOf)]);
    const entries = ledger.conversation(viewer.scope, viewer.session);
    const hasMet = (key: MessageKey): boolean => ledger.hasMet(key);
    for (const entry of unlistedOf({ entries, standing, listed: keys, hasMet, after })) {
      const { scope, session, belongsTo: user } = entry;
      if (mayRead(viewerAt(viewer), defined({ level: "session", scope, session, user }))) yield entry;
    }
  }

  /** Newest first; without those whose block is gone. */
  async #texts(scope: ScopeId, entries: readonly LedgerEntry[]): Promise<FiledMessage[]> {
    const texts = entries.flatMap(({ held }) => held ?? []);
    const settled = entries.filter(({ held }) => held === undefined);
    for (const [day, group] of groupBy(settled, (entry) => entry.day)) {
      const ids = group.map(({ key }) => idOfKey(key));
      addAll(texts, await this.#blocks.of(scope, day, ids));
    }
    return texts.sort((one, other) => other.filedAt - one.filedAt);
  }
}

function newest(one: EpochMs | undefined, other: EpochMs | undefined): EpochMs | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one > other ? one : other;
}
