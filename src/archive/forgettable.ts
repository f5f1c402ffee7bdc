/** What there is to forget, as the ledger knows it. Pure. */
import { keyOf, MAIN_SCOPE, type MessageKey, type ScopeId } from "../model/address.js";
import type { MessageId } from "../model/message.js";
import type { ArchiveContext } from "./context.js";
import { placeHash } from "./identity.js";

/** Keys of the messages of a scope or a conversation, with what tells others of their ids apart. */
export function keysOfMessages(
  { ledger }: Pick<ArchiveContext, "ledger">,
  goes: (message: { key: MessageKey; scope: ScopeId; session: string; user: string | undefined }) => boolean,
): { key: MessageKey; place?: string }[] {
  const keys: { key: MessageKey; place?: string }[] = [];
  for (const entry of ledger.entries()) {
    const { key, scope, session, belongsTo } = entry;
    if (!goes({ key, scope, session, user: belongsTo })) continue;
    // One that was seen in history and in the inbox may have had two times.
    keys.push(ledger.hasMet(key) ? { key } : { key, place: placeHash(entry) });
    for (const alias of ledger.aliasesOf(key)) keys.push({ key: alias });
  }
  return keys;
}

/** The key of a message by its id, in this scope or, without one, in whichever has it. */
export function messagesNamed(
  { ledger }: Pick<ArchiveContext, "ledger">,
  id: MessageId,
  scope: ScopeId | undefined,
): { scope: ScopeId; id: MessageId }[] {
  const named = (wanted: ScopeId): boolean =>
    ledger.get(keyOf(wanted, id)) !== undefined || ledger.isStub(keyOf(wanted, id));
  const scopes = new Set<ScopeId>([scope ?? MAIN_SCOPE]);
  if (scope === undefined)
    for (const entry of ledger.entries()) if (named(entry.scope)) scopes.add(entry.scope);
  return [...scopes].filter(named).map((known) => ({ scope: known, id }));
}
