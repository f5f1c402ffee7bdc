/**
 * Notes in the journal what the host took out of history.json while an older
 * message stayed there, and what it put back: once the older ones have left too,
 * nothing that stands would tell it any more.
 */
import { groupBy } from "../model/group.js";
import { callIdsOf, type FiledMessage } from "../model/message.js";
import { isGroup, type MessageKey, scopeOf, sessionOf } from "../model/address.js";
import type { ArchiveContext } from "./context.js";
import type { ListState } from "./list-state.js";
import type { ListedMessage } from "../model/conversations.js";
import type { LedgerEntry } from "./ledger.js";
import { record } from "./record.js";
import { removedFrom, type Standing } from "./unlisted.js";

/** `before`: the reading before this one, as far as it is known. */
export async function noteRemovals(
  context: ArchiveContext,
  before: ListState,
  { history, inbox }: Record<"history" | "inbox", ListState>,
): Promise<void> {
  const { ledger, clock, zone } = context;
  const listed = new Set([...history.messages, ...inbox.messages].map(({ key }) => key));
  const wasListed = new Set(before.messages.map(({ key }) => key));
  const removed: MessageKey[] = [];
  const restored: MessageKey[] = [];
  for (const messages of groupBy(history.messages, ({ filed }) => ownerOf(filed)).values()) {
    const [{ filed: first }] = messages as [ListedMessage];
    const standing = messages.flatMap(({ key, filed }): Standing[] => {
      const entry = ledger.get(key);
      return entry === undefined ? [] : [{ entry, callIds: callIdsOf(filed.message) }];
    });
    restored.push(...standing.flatMap(({ entry }) => (entry.removed === true ? [entry.key] : [])));
    const entries = ledger
      .conversation(scopeOf(first.message), sessionOf(first.message))
      .filter((entry) => isOwners(first, entry));
    const hasMet = (key: MessageKey): boolean => ledger.hasMet(key);
    removed.push(...removedFrom({ entries, standing, listed, hasMet }, wasListed).map(({ key }) => key));
  }
  const today = zone.dayOf(clock.now());
  if (removed.length > 0) await record(context, [{ op: "removed", keys: removed }], today);
  if (restored.length > 0) await record(context, [{ op: "restored", keys: restored }], today);
}

/** A group's conversation is everybody's in it. */
function ownerOf({ message, belongsTo }: FiledMessage): string {
  const scope = scopeOf(message);
  const user = isGroup(scope) ? undefined : belongsTo;
  return JSON.stringify([scope, sessionOf(message), user]);
}

function isOwners({ message, belongsTo }: FiledMessage, entry: LedgerEntry): boolean {
  return isGroup(scopeOf(message)) || belongsTo === entry.belongsTo;
}
