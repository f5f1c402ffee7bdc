/**
 * Takes messages out of everything that the archive keeps: summaries that may
 * tell of them, their verbatim blocks, their journal lines.
 *
 * Each step is whole or not done, and the same again does no harm: killed
 * anywhere, all of it is run once more. The journal comes last, since until then
 * it says of which days there is something to clear.
 */
import { addAll } from "../model/collections.js";
import { idOfKey, keyOf, keyOfMessage, MAIN_SCOPE, type MessageKey, type ScopeId } from "../model/address.js";
import type { FiledMessage, MessageId } from "../model/message.js";
import { type Day, type Month, monthOf } from "../model/time.js";
import { pacer } from "../platform/clock.js";
import type { Forgotten } from "../protocol/forgotten.js";
import { parseJournalEntry, printJournalEntry, type JournalEntry } from "../protocol/journal.js";
import { journalPaths } from "../protocol/journal-files.js";
import { ifReadable, publish, REMOVED, rewriteText } from "../protocol/publish.js";
import { isToldId } from "../protocol/read-list.js";
import { parseSummary, printSummary } from "../protocol/summary.js";
import { withoutBlocks, type WithoutBlocks } from "../protocol/verbatim.js";
import { at, memoryDir, summaryPath } from "../protocol/workspace.js";
import { slugOf } from "../text/keywords.js";
import type { ArchiveContext } from "./context.js";
import { nameBeside, partsOfName, renameDay, slugOfDay, wordsOf } from "./day-names.js";
import { copyHash, goneFrom, placeHash, saidNames } from "./identity.js";
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

/** A summary that may tell of what is forgotten goes; what it covered is owed again. What a person wrote above its first section stays. */
async function forgetSummary(context: ArchiveContext, scope: ScopeId, date: Day | Month): Promise<void> {
  const { writer, workspace, catalogue, retries } = context;
  const path = summaryPath(scope, date);
  await rewriteText(writer, at(workspace, path), (base, bytes) => {
    if (bytes === undefined) return undefined;
    return (base === undefined ? undefined : personsPart(base)) ?? REMOVED;
  });
  await catalogue.recheck(path, scope, "summary");
  await retries.settled(scope, date);
}

/** Undefined where nothing can be told to be a person's. */
function personsPart(text: string): string | undefined {
  const summary = ifReadable(() => parseSummary(text));
  const [first] = summary?.sections ?? [];
  if (summary === undefined || first === undefined) return undefined;
  const headed = summary.body.search(/^## .*<!-- (?:user=\S*|everyone) -->\s*$/m);
  // Without a section, and standing for no day, it is what an earlier forgetting has left.
  if (headed === -1) return summary.covers.length === 0 ? text : undefined;
  const above = summary.body.slice(0, headed);
  if (above.replace(/^# .*$/m, "").trim() === "") return undefined;
  return printSummary({ ...summary, covers: [], edited: true, body: `${above.trimEnd()}\n` });
}

/** Only the blocks go, and out of the file's name what they alone have said; a day of which nothing is left goes whole. */
async function forgetBlocks(
  context: ArchiveContext,
  path: string,
  scope: ScopeId,
  isGone: (filed: FiledMessage) => boolean,
): Promise<void> {
  const { writer, workspace, catalogue } = context;
  const place = path.startsWith(`${memoryDir(scope)}/archive/`) ? "archive" : "recent";
  let present = path;
  let named = path;
  do {
    if (named !== present) {
      await renameDay(context, present, named, { scope, place });
      present = named;
    }
    await rewriteText(writer, at(workspace, present), async (base) => {
      const without = base === undefined ? undefined : withoutBlocks(base, scope, isGone);
      if (without === undefined) return undefined;
      if (without.isEmpty) return REMOVED;
      // Its name first: once the blocks are gone nobody could tell that the name still says something of them.
      named = await innocentName(context, present, without);
      return named === present ? without.text : undefined;
    });
  } while (named !== present);
  await catalogue.recheck(present, scope, place);
}

/** Another name where the present one is made of words that only the blocks which go have said. */
async function innocentName(
  context: ArchiveContext,
  path: string,
  { left, gone }: WithoutBlocks,
): Promise<string> {
  const slug = partsOfName(path)?.slug;
  if (slug === undefined) return path;
  const [said, stays] = await Promise.all([wordsOf(gone), wordsOf(left)]);
  const tells = slug.split("-").some((word) => said.has(word) && !stays.has(word));
  const names = await Promise.all(gone.map(({ message }) => slugOf([], message.id)));
  return tells || names.includes(slug) ? nameBeside(context, path, await slugOfDay(left)) : path;
}

/** Lines are left blank, so that every other one keeps its number. */
async function forgetLines(
  context: ArchiveContext,
  gone: Forgotten,
  scopes: readonly ScopeId[],
): Promise<void> {
  const { writer, workspace, clock } = context;
  const pace = pacer(clock);
  for (const path of await journalPaths(writer.disk, workspace)) {
    const text = new TextDecoder().decode((await writer.disk.read(at(workspace, path))) ?? new Uint8Array());
    const kept: string[] = [];
    for (const raw of text.split("\n")) {
      kept.push(keptLine(raw, gone, scopes));
      await pace();
    }
    const next = kept.join("\n");
    if (next !== text) await publish(writer, at(workspace, path), next);
  }
}

function keptLine(raw: string, gone: Forgotten, scopes: readonly ScopeId[]): string {
  if (raw.trim() === "") return raw;
  const value = ifReadable((): unknown => JSON.parse(raw.replace(/^\ufeff+/, "")));
  if (value === undefined) {
    // Torn by a crash: what it holds of a message is no more than that message's.
    const id = ifReadable(() => String(JSON.parse(/"id":("(?:[^"\\]|\\.){0,4000}")/.exec(raw)?.[1] ?? "")));
    return id !== undefined && gone.hasId(id, scopes) ? "" : raw;
  }
  const entry = parseJournalEntry(value);
  if (entry === undefined) return raw;
  const left = remaining(entry, gone);
  if (left === entry) return raw;
  return left === undefined ? "" : printJournalEntry(left).join("");
}

function remaining(entry: JournalEntry, gone: Forgotten): JournalEntry | undefined {
  const has = (key: MessageKey, place?: string): boolean => gone.hasMessage(key, place);
  switch (entry.op) {
    case "message":
      return goneFrom(gone)(entry.filed) ? undefined : entry;
    case "alias":
      return has(entry.of) || has(entry.key) ? undefined : entry;
    case "settled":
      return withKeys(
        entry,
        entry.keys.filter(({ key, place }) => !has(key, place)),
      );
    case "removed":
    case "restored":
      return withKeys(
        entry,
        entry.keys.filter((key) => !has(key)),
      );
    default:
      return entry satisfies never;
  }
}

function withKeys<E extends JournalEntry & { keys: unknown[] }>(entry: E, keys: E["keys"]): E | undefined {
  if (keys.length === entry.keys.length) return entry;
  return keys.length === 0 ? undefined : { ...entry, keys };
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
    if (entry.createdAt !== "") keys.push({ key, place: copyHash(entry, entry.hash) });
    for (const alias of ledger.aliasesOf(key)) keys.push({ key: alias });
    // The transcript may name it yet.
    if (isToldId(idOfKey(key))) addAll(keys, saidNames(entry, entry.hash, entry.filedAt));
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
