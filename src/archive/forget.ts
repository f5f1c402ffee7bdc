/**
 * Takes messages out of everything that the archive keeps: summaries that may
 * tell of them, their verbatim blocks, their journal lines.
 *
 * Each step is whole or not done, and the same again does no harm: killed
 * anywhere, all of it is run once more. The journal comes last, since until then
 * it says of which days there is something to clear.
 */
import {
  keyOf,
  keyOfMessage,
  MAIN_SCOPE,
  type FiledMessage,
  type MessageId,
  type MessageKey,
  type ScopeId,
} from "../model/message.js";
import { monthOf, type Day, type Month } from "../model/time.js";
import { pacer } from "../platform/clock.js";
import { dirname } from "../platform/path.js";
import type { Forgotten } from "../protocol/forgotten.js";
import {
  journalPaths,
  parseJournalEntry,
  printJournalEntry,
  readJournal,
  type JournalEntry,
} from "../protocol/journal.js";
import { publish, publishOver, readText } from "../protocol/publish.js";
import { parseSummary, printSummary, type SummaryFile } from "../protocol/summary.js";
import { withoutBlocks, type WithoutBlocks } from "../protocol/verbatim.js";
import { anyReplaced, letGoReplaced } from "../protocol/displaced.js";
import { parseListBytes } from "../protocol/read-list.js";
import { at, FILES, memoryDir, summaryPath } from "../protocol/workspace.js";
import { keywordsOf } from "../text/keywords.js";
import { slugOf } from "../text/slug.js";
import type { ArchiveContext } from "./context.js";
import type { Readings } from "./intake-files.js";
import { takeIn } from "./intake.js";
import { freeName } from "./day-file.js";
import { placeHash } from "./identity.js";

/** So many of a day's words tell what its name may come from. */
const WORDS_OF_DAY = 300;

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
  for await (const { entry } of readJournal(context.press.disk, context.workspace)) {
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
  for await (const { entry } of readJournal(context.press.disk, context.workspace))
    if (entry.op === "message" && isGone(entry.filed)) found.push(entry.filed);
  return found;
}

export function goneFrom(gone: Forgotten): (filed: FiledMessage) => boolean {
  return ({ message }) => gone.hasMessage(keyOfMessage(message), placeHash(message));
}

/** Copies of lists that a killed memd had replaced, and that still hold what is forgotten. */
export async function clearReplaced(context: ArchiveContext, readings: Readings): Promise<void> {
  const { press, workspace, ledger, clock } = context;
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
    if (await anyReplaced(press, workspace, FILES[name], holds))
      await letGoReplaced(press, workspace, FILES[name]);
  }
}

/** Of the scope's files that may hold blocks, readable or not. */
async function verbatimPaths(
  { catalogue, press, workspace }: ArchiveContext,
  scope: ScopeId,
): Promise<string[]> {
  const folder = memoryDir(scope);
  const mine = (await catalogue.folders()).filter(
    (dir) => dir === folder || dir.startsWith(`${folder}/archive/`),
  );
  const paths: string[] = [];
  for (const dir of mine)
    for (const { kind, name } of await press.disk.list(at(workspace, dir)))
      if (kind === "file" && name.endsWith(".md") && !name.startsWith(".")) paths.push(`${dir}/${name}`);
  return paths;
}

async function lookInto(
  { press, workspace, clock }: ArchiveContext,
  path: string,
  scope: ScopeId,
  isGone: (filed: FiledMessage) => boolean,
): Promise<WithoutBlocks | undefined> {
  const text = await readText(press.disk, at(workspace, path)).catch(ifNoText);
  await pacer(clock)();
  return text === undefined ? undefined : withoutBlocks(text, scope, isGone);
}

function daysOf({ zone }: ArchiveContext, path: string, { day, gone }: WithoutBlocks): Day[] {
  const named = /(\d{4}-\d{2}-\d{2})-[^/]*$/.exec(path)?.[1] as Day | undefined;
  const ofBlocks = gone.map(({ filedAt }) => zone.dayOf(filedAt));
  return [...new Set([...ofBlocks, ...[day, named].filter((known) => known !== undefined)])];
}

/** What it covered is owed again. What a person wrote above its first section stays. */
async function forgetSummary(context: ArchiveContext, scope: ScopeId, date: Day | Month): Promise<void> {
  const { press, workspace, catalogue, ladders } = context;
  const path = summaryPath(scope, date);
  const file = at(workspace, path);
  for (;;) {
    const base = await readText(press.disk, file).catch(ifNoText);
    const kept = base === undefined ? undefined : personsPart(base);
    if (kept !== undefined && kept === base) break;
    if (base !== undefined && kept !== undefined) {
      if (!(await publishOver(press, file, kept, base))) continue;
      break;
    }
    await press.guard();
    if (await press.disk.unlink(file)) await press.disk.syncDir(dirname(file));
    break;
  }
  await catalogue.recheck(path, scope, "summary");
  await ladders.settled(scope, date);
}

/** Undefined where nothing can be told to be a person's. */
function personsPart(text: string): string | undefined {
  const summary = readableSummary(text);
  const [first] = summary?.sections ?? [];
  if (summary === undefined || first === undefined) return undefined;
  const headed = summary.body.search(/^## .*<!-- (?:user=\S*|everyone) -->\s*$/m);
  // Without a section, and standing for no day, it is what an earlier forgetting has left.
  if (headed === -1) return summary.covers.length === 0 ? text : undefined;
  const above = summary.body.slice(0, headed);
  if (above.replace(/^# .*$/m, "").trim() === "") return undefined;
  return printSummary({ ...summary, covers: [], edited: true, body: `${above.trimEnd()}\n` });
}

function readableSummary(text: string): SummaryFile | undefined {
  try {
    return parseSummary(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

/** Only the blocks go; a day of which nothing is left goes whole. */
async function forgetBlocks(
  context: ArchiveContext,
  path: string,
  scope: ScopeId,
  isGone: (filed: FiledMessage) => boolean,
): Promise<void> {
  const { press, workspace, catalogue } = context;
  const { disk } = press;
  const place = path.startsWith(`${memoryDir(scope)}/archive/`) ? "archive" : "recent";
  let present = path;
  for (;;) {
    const file = at(workspace, present);
    const base = await readText(disk, file).catch(ifNoText);
    const without = base === undefined ? undefined : withoutBlocks(base, scope, isGone);
    if (base === undefined || without === undefined) break;
    if (without.isEmpty) {
      await press.guard();
      await disk.unlink(file);
      await disk.syncDir(dirname(file));
      break;
    }
    // Its name first: once the blocks are gone nobody could tell that the name still says something of them.
    const named = await innocentName(context, present, without);
    if (named !== present) {
      await press.guard();
      await disk.rename(file, at(workspace, named));
      await disk.syncDir(dirname(file));
      await catalogue.recheck(present, scope, place);
      present = named;
      continue;
    }
    if (await publishOver(press, file, without.text, base)) break;
  }
  await catalogue.recheck(present, scope, place);
}

/** Another name where the present one is made of words that only the blocks which go have said. */
async function innocentName(
  { press, workspace }: ArchiveContext,
  path: string,
  { left, gone }: WithoutBlocks,
): Promise<string> {
  const [, day, slug] = /(\d{4}-\d{2}-\d{2})-([^/]+)\.md$/.exec(path) ?? [];
  if (day === undefined || slug === undefined) return path;
  const [said, stays] = await Promise.all([wordsOf(gone), wordsOf(left)]);
  const plain = slug.replace(/-\d+$/, "");
  const tells = plain.split("-").some((word) => said.has(word) && !stays.has(word));
  const names = await Promise.all(gone.map(({ message }) => slugOf([], message.id)));
  if (!tells && !names.includes(plain)) return path;
  const text = left.map(({ message }) => (message.private === true ? "" : message.text)).join("\n");
  const next = await slugOf(keywordsOf(text, 4), left[0]?.message.id ?? "");
  const dir = dirname(path);
  const taken = new Set((await press.disk.list(at(workspace, dir))).map(({ name }) => `${dir}/${name}`));
  taken.delete(path);
  return freeName(dir, day as Day, next, taken);
}

/** As a file's name would write them. */
async function wordsOf(filed: readonly FiledMessage[]): Promise<Set<string>> {
  const words = new Set<string>();
  for (const keyword of keywordsOf(filed.map(({ message }) => message.text).join("\n"), WORDS_OF_DAY))
    for (const word of (await slugOf([keyword], "")).split("-")) words.add(word);
  return words;
}

/** Lines are left blank, so that every other one keeps its number. */
async function forgetLines(
  context: ArchiveContext,
  gone: Forgotten,
  scopes: readonly ScopeId[],
): Promise<void> {
  const { press, workspace, clock } = context;
  const pace = pacer(clock);
  for (const path of await journalPaths(press.disk, workspace)) {
    const text = new TextDecoder().decode((await press.disk.read(at(workspace, path))) ?? new Uint8Array());
    const kept: string[] = [];
    for (const raw of text.split("\n")) {
      kept.push(keptLine(raw, gone, scopes));
      await pace();
    }
    const next = kept.join("\n");
    if (next !== text) await publish(press, at(workspace, path), next);
  }
}

function keptLine(raw: string, gone: Forgotten, scopes: readonly ScopeId[]): string {
  if (raw.trim() === "") return raw;
  let value: unknown;
  try {
    value = JSON.parse(raw.replace(/^\ufeff+/, ""));
  } catch {
    // Torn by a crash: what it holds of a message is no more than that message's.
    const id = jsonText(/"id":("(?:[^"\\]|\\.)*")/.exec(raw)?.[1]);
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
    case "settled": {
      const keys = entry.keys.filter(({ key, place }) => !has(key, place));
      if (keys.length === entry.keys.length) return entry;
      return keys.length === 0 ? undefined : { op: "settled", keys };
    }
    default:
      return entry satisfies never;
  }
}

function jsonText(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : String(JSON.parse(text));
  } catch {
    // No text either.
    return undefined;
  }
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

function ifNoText(error: unknown): undefined {
  if (!(error instanceof SyntaxError)) throw error;
}
