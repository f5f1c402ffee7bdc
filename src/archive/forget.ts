/**
 * Takes messages out of everything that the archive keeps: summaries that may
 * tell of them, their verbatim blocks, their journal lines.
 *
 * Each step is whole or not done, and the same again does no harm: killed
 * anywhere, all of it is run once more. The journal comes last, since until then
 * it says of which days there is something to clear.
 */
import { keyOf, keyOfMessage, MAIN_SCOPE, type MessageKey, type ScopeId } from "../model/address.js";
import type { MessageId } from "../model/message.js";
import { type Day, monthOf } from "../model/time.js";
import type { Forgotten } from "../protocol/forgotten.js";
import type { WithoutBlocks } from "../protocol/verbatim.js";
import type { ArchiveContext } from "./context.js";
import { forgetBlocks } from "./forget-blocks.js";
import { forgetLines } from "./forget-lines.js";
import { forgetSummary } from "./forget-summary.js";
import { goneFrom, placeHash } from "./identity.js";
import { journalled, type TouchedFile, touchedFiles } from "./standing-messages.js";

/** `gone`: what is being forgotten now. `scopes`: where it stood. */
export async function forgetMessages(
  context: ArchiveContext,
  gone: Forgotten,
  scopes: readonly ScopeId[],
): Promise<void> {
  const days = new Set<string>();
  const found: TouchedFile[] = [];
  for await (const file of touchedFiles(context, gone, scopes)) {
    found.push(file);
    for (const day of daysOf(context, file.path, file.without)) days.add(`${file.scope}\u0000${day}`);
  }
  for await (const { message, filedAt } of journalled(context, gone))
    days.add(`${keyOfMessage(message).split("\u0000")[0]}\u0000${context.zone.dayOf(filedAt)}`);
  for (const place of days) {
    const [scope, day] = place.split("\u0000") as [ScopeId, Day];
    for (const date of [day, monthOf(day)]) await forgetSummary(context, scope, date);
  }
  for (const { path, scope } of found) await forgetBlocks(context, path, scope, goneFrom(gone));
  await forgetLines(context, gone, scopes);
  context.ledger.dropForgotten();
}

function daysOf({ zone }: ArchiveContext, path: string, { day, gone }: WithoutBlocks): Day[] {
  const named = /(\d{4}-\d{2}-\d{2})-[^/]*$/.exec(path)?.[1] as Day | undefined;
  const ofBlocks = gone.map(({ filedAt }) => zone.dayOf(filedAt));
  return [...new Set([...ofBlocks, ...[day, named].filter((known) => known !== undefined)])];
}

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
