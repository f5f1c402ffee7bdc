/**
 * Takes messages out of everything that the archive keeps: summaries that may
 * tell of them, their verbatim blocks, their journal lines.
 *
 * Each step is whole or not done, and the same again does no harm: killed
 * anywhere, all of it is run once more. The journal comes last, since until then
 * it says of which days there is something to clear.
 */
import type { FiledMessage, MessageId } from "../model/message.js";
import { keyOf, keyOfMessage, MAIN_SCOPE, type MessageKey, type ScopeId } from "../model/address.js";
import { monthOf, type Day } from "../model/time.js";
import { pacer } from "../platform/clock.js";
import { anyReplaced, letGoReplaced } from "../protocol/displaced.js";
import type { Forgotten } from "../protocol/forgotten.js";
import { readJournal } from "../protocol/journal.js";
import { ifNoText, readText } from "../protocol/publish.js";
import { parseListBytes } from "../protocol/read-list.js";
import { withoutBlocks, type WithoutBlocks } from "../protocol/verbatim.js";
import { at, FILES, memoryDir } from "../protocol/workspace.js";
import type { ArchiveContext } from "./context.js";
import { forgetBlocks } from "./forget-blocks.js";
import { forgetLines } from "./forget-lines.js";
import { forgetSummary } from "./forget-summary.js";
import { goneFrom } from "./gone.js";
import { placeHash } from "./identity.js";
import type { Readings } from "./readings.js";
import { takeIn } from "./intake.js";

/** `gone`: what is being forgotten now. `scopes`: where it stood. */
export async function forgetMessages(
  context: ArchiveContext,
  gone: Forgotten,
  scopes: readonly ScopeId[],
): Promise<void> {
  const days = new Set<string>();
  const found: { path: string; scope: ScopeId }[] = [];
  const isGone = goneFrom(gone);
  for (const scope of scopes) {
    for (const path of await verbatimPaths(context, scope)) {
      const without = await lookInto(context, path, scope, isGone);
      if (without === undefined) continue;
      found.push({ path, scope });
      for (const day of daysOf(context, path, without)) days.add(`${scope}\u0000${day}`);
    }
  }
  for await (const { entry } of readJournal(context.writer.disk, context.workspace)) {
    if (entry.op !== "message" || !isGone(entry.filed)) continue;
    const { filed } = entry;
    days.add(`${keyOfMessage(filed.message).split("\u0000")[0]}\u0000${context.zone.dayOf(filed.filedAt)}`);
  }
  for (const place of days) {
    const [scope, day] = place.split("\u0000") as [ScopeId, Day];
    for (const date of [day, monthOf(day)]) await forgetSummary(context, scope, date);
  }
  for (const { path, scope } of found) await forgetBlocks(context, path, scope, isGone);
  await forgetLines(context, gone, scopes);
  context.ledger.dropForgotten();
}

/** What of them still stands: each as often as it does. */
export async function standingMessages(
  context: ArchiveContext,
  gone: Forgotten,
  scopes: readonly ScopeId[],
): Promise<FiledMessage[]> {
  const isGone = goneFrom(gone);
  const found: FiledMessage[] = [];
  for (const scope of scopes)
    for (const path of await verbatimPaths(context, scope))
      found.push(...((await lookInto(context, path, scope, isGone))?.gone ?? []));
  for await (const { entry } of readJournal(context.writer.disk, context.workspace))
    if (entry.op === "message" && isGone(entry.filed)) found.push(entry.filed);
  return found;
}

/** Copies of lists that a killed memd had replaced, and that still hold what is forgotten. */
export async function clearReplaced(context: ArchiveContext, readings: Readings): Promise<void> {
  const { writer, workspace, ledger, clock } = context;
  if (ledger.forgotten.isEmpty) return;
  for (const name of ["history", "inbox"] as const) {
    const holds = async (bytes: Uint8Array): Promise<boolean> => {
      const reading = await parseListBytes(bytes);
      // Torn by a loss of power: nobody can say what it holds, and nobody saved it.
      if (reading.is !== "list") return true;
      const messages = reading.list.entries.flatMap(({ message }) =>
        message === undefined ? [] : [message],
      );
      return takeIn(ledger, messages, name, readings[name], clock.now()).forgotten.size > 0;
    };
    if (await anyReplaced(writer, workspace, FILES[name], holds))
      await letGoReplaced(writer, workspace, FILES[name]);
  }
}

/** Of the scope's files that may hold blocks, readable or not. */
async function verbatimPaths(
  { catalogue, writer, workspace }: ArchiveContext,
  scope: ScopeId,
): Promise<string[]> {
  const folder = memoryDir(scope);
  const mine = (await catalogue.folders()).filter(
    (dir) => dir === folder || dir.startsWith(`${folder}/archive/`),
  );
  const paths: string[] = [];
  for (const dir of mine)
    for (const { kind, name } of await writer.disk.list(at(workspace, dir)))
      if (kind === "file" && name.endsWith(".md") && !name.startsWith(".")) paths.push(`${dir}/${name}`);
  return paths;
}

async function lookInto(
  { writer, workspace, clock }: ArchiveContext,
  path: string,
  scope: ScopeId,
  isGone: (filed: FiledMessage) => boolean,
): Promise<WithoutBlocks | undefined> {
  const text = await readText(writer.disk, at(workspace, path)).catch(ifNoText);
  await pacer(clock)();
  return text === undefined ? undefined : withoutBlocks(text, scope, isGone);
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
