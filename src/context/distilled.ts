/**
 * What was distilled, as texts of fixed sections, and what recall found that nothing else in the
 * prompt says. Pure; whatever the viewer may not read is left out here. Memory stands before History
 * and Input, yet gives way to them: a message of the live conversation is needed among those around
 * it, whatever recall finds.
 */
import { type Address, type Belonging, isGroup, mayRead, viewerAt } from "../model/address.js";
import { defined } from "../model/collections.js";
import type { MessageId } from "../model/message.js";
import type { Hit, Passage, PassageKind } from "../model/passage.js";
import { type MemoryRecord, RECORD_KINDS } from "../model/record.js";
import { addDays, minuteOf, type Zone } from "../model/time.js";
import { characterBorder, sentencesOf } from "../text/sentences.js";
import { termsOf } from "../text/terms.js";
import { type RenderedEntry, wholeIdsOf } from "./entries.js";
import type { ContextInputs, ShownBeside } from "./inputs.js";
import { oneLine, plain, shortLine } from "./quote.js";

/** A heading for each, with the bullets under it that nothing above says. */
export function profilesOf({ profiles = [] }: ContextInputs, { above }: ShownBeside): string | undefined {
  const isMeant = meantIn(above);
  const texts = profiles
    .map(({ body, ...of }) => ({ ...of, body: withoutSaid(body, isMeant).trim() }))
    .filter(({ body }) => body !== "")
    .map(({ entity, id, name, body }) => `## ${shortLine(name ?? id)} (${entity})\n\n${body}`);
  return texts.length === 0 ? undefined : texts.join("\n\n");
}

function withoutSaid(body: string, isSaid: (text: string) => boolean): string {
  const lines = body.split("\n");
  return lines.filter((line) => !/^\s*[-*+]\s/.test(line) || !isSaid(line)).join("\n");
}

/** What the agent did, a line each, oldest first. */
export function memoLog({ viewer, memos = [], zone, settings }: ContextInputs): string | undefined {
  const lines = memos
    // A memo is of its scope: outside groups of the same user.
    .filter(({ user, scope }) => mayRead(viewerAt(viewer), defined({ level: "scope", scope, user })))
    .slice(-settings.memos)
    .map(({ at, text }) => `- ${minuteOf(at, zone)} ${oneLine(text)}`);
  return lines.length === 0 ? undefined : lines.join("\n");
}

/**
 * Facts and events of today and yesterday, oldest first, but for those that
 * stand above as bullets or below in the words that they were made of.
 */
export function dailyLog(inputs: ContextInputs, { above, wholeIds }: ShownBeside): string | undefined {
  const { zone, now } = inputs;
  const today = zone.dayOf(now);
  const yesterday = addDays(today, -1);
  const isSaid = saidIn(above);
  const lines = standing(inputs)
    .filter(({ kind }) => kind === "fact" || kind === "event")
    .filter(({ at }) => [yesterday, today].includes(zone.dayOf(at)))
    .filter(({ text, sources }) => !isSaid(text) && !areAllIn(wholeIds, sources))
    .sort((one, other) => one.at - other.at)
    .map((record) => `- ${recordLine(record, zone)}`);
  return lines.length === 0 ? undefined : [...new Set(lines)].join("\n");
}

/** False where there are none. */
function areAllIn(shown: ReadonlySet<MessageId>, sources: readonly MessageId[]): boolean {
  return sources.length > 0 && sources.every((id) => shown.has(id));
}

/** Foresights that hold now, the one that ends first first. */
export function openForesights(inputs: ContextInputs): MemoryRecord[] {
  const { now } = inputs;
  return standing(inputs)
    .filter(({ kind }) => kind === "foresight")
    .filter(({ validFrom, validTo }) => (validFrom ?? now) <= now && now <= (validTo ?? now))
    .sort((one, other) => (one.validTo ?? Infinity) - (other.validTo ?? Infinity) || one.at - other.at);
}

/** `2026-01-28 14:03 Lin Yue (u-1) chose staging.`, as a quotation where it is a tool's or a document's. */
export function recordLine({ at, allDay, text, trust }: MemoryRecord, zone: Zone): string {
  const said = oneLine(text);
  const isQuoted = trust === "tool" || trust === "document";
  return `${allDay === true ? zone.dayOf(at) : minuteOf(at, zone)} ${isQuoted ? `quoted from a ${trust}: “${said}”` : said}`;
}

/** What may stand in the viewer's prompt: in a group nothing of user level but the profile, which others may see. */
function mayBeShown(viewer: Address, thing: Belonging & { kind: string }): boolean {
  if (isGroup(viewer.scope) && thing.level === "user" && thing.kind !== "profile") return false;
  return mayRead(viewerAt(viewer), thing);
}

/** What the viewer may read and nothing has superseded; of the two sides of one observation, one. */
function standing({ viewer, records = [] }: ContextInputs): MemoryRecord[] {
  const readable = records.filter((record) => mayBeShown(viewer, record));
  const superseded = new Set(readable.map(({ supersedes }) => supersedes));
  const seen = new Set<string>();
  return readable.filter(({ id, kind, at, text, supersededAt }) => {
    const key = `${kind} ${at} ${oneLine(text)}`;
    const isNew = supersededAt === undefined && !superseded.has(id) && !seen.has(key);
    if (isNew) seen.add(key);
    return isNew;
  });
}

/** Whether it stands above as a bullet, in nearly the same words: "Prefers oolong (2026-01-28)" of a profile and the event "Lin Yue prefers oolong." are one thing. `above`: what the sections before show. */
function saidIn(above: string): (text: string) => boolean {
  const said = bulletsIn(above).filter((bullet) => bullet.length >= LEAST_SAID_CHARS);
  return (text) => {
    const told = bulletsIn(text);
    // A profile is said when all that it lists is.
    const parts = told.length > 0 ? told : [wordsOf(text)];
    return parts.every((part) => said.some((bullet) => part.endsWith(bullet)));
  };
}

/** Of its telling words so many in one line say the same in other words. */
const SAME_SHARE = 0.7;

/** Whether one line above says it too, perhaps in other words: what a person has pinned need not be told again as a trait. */
function meantIn(above: string): (text: string) => boolean {
  const lines = above.split("\n").map((line) => new Set(termsOf(line)));
  return (text) => {
    const told = new Set(termsOf(text.replace(DATE_BEHIND, "")));
    const shared = (line: ReadonlySet<string>): number => [...told].filter((term) => line.has(term)).length;
    return told.size > 1 && lines.some((line) => shared(line) >= SAME_SHARE * told.size);
  };
}

/** Shorter ones end too many sentences by chance. */
const LEAST_SAID_CHARS = 4;

/** Without the date behind them. */
function bulletsIn(text: string): string[] {
  return text
    .split("\n")
    .flatMap((line) => /^\s*[-*+]\s+(\S.*)$/.exec(line)?.[1] ?? [])
    .map((bullet) => wordsOf(bullet.replace(DATE_BEHIND, "")));
}

const DATE_BEHIND = /(?<!\s)\s*[(（]\d{4}-\d{2}-\d{2}[)）]\s*$/u;

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** What recall finds has to say something that none of this says. */
export interface ShownElsewhere {
  /** Body of Pinned memory. */
  pinned: string;
  /** Bodies of all fixed sections. */
  above: string;
  /** Body of Topics, whose briefs quote messages too; empty where there are none. */
  topics: string;
  /** Entries of Topics, History and Input. */
  messages: readonly RenderedEntry[];
  /** Messages that must not be shown at all. */
  privateIds: ReadonlySet<MessageId>;
}

/** What of a hit may be quoted: each part by itself, on one line. Of a summary its lines, of anything else its text. */
export type Quotable =
  | { is: "new"; parts: () => readonly string[] }
  | { is: "known"; why: string }
  /** Nothing tells of it. */
  | { is: "hidden" };

export const DISTILLED: ReadonlySet<PassageKind> = new Set([...RECORD_KINDS, "profile"]);
export const SUMMARIES: ReadonlySet<PassageKind> = new Set(["day_summary", "month_summary"]);

/** So much of a long message tells whether it is shown beyond a cut. */
const OPENING_CHARS = 300;

export function quotableIn(viewer: Address, elsewhere: ShownElsewhere): (hit: Hit) => Quotable {
  const pinned = oneLine(elsewhere.pinned);
  const above = oneLine(elsewhere.above);
  const topics = oneLine(elsewhere.topics);
  const byMessage = new Map(
    elsewhere.messages.flatMap((entry) => entry.ids.map((id) => [id, entry] as const)),
  );
  const shown = oneLine(elsewhere.messages.map((entry) => entry.shown).join("\n"));
  const wholeIds = wholeIdsOf(elsewhere.messages);
  const saysAgain = saidIn(elsewhere.above);
  return ({ passage }) => {
    // Recall has asked already; a partition that is checked twice stands when one side is wrong.
    if (!mayBeShown(viewer, passage) || passage.messageIds.some((id) => elsewhere.privateIds.has(id)))
      return { is: "hidden" };
    const { kind } = passage;
    if (SUMMARIES.has(kind))
      return above.includes(oneLine(passage.text)) ? STANDS_ABOVE : quotableLines(passage, shown);
    if (kind === "message") {
      const isShown =
        shownThere(passage, byMessage) || (topics !== "" && topics.includes(oneLine(passage.text)));
      return isShown ? IN_CONVERSATION : { is: "new", parts: () => [oneLine(passage.text)] };
    }
    const text = kind === "memory" ? notPinned(passage, pinned) : oneLine(passage.text);
    if (text === "" || above.includes(text) || (DISTILLED.has(kind) && saysAgain(passage.text)))
      return STANDS_ABOVE;
    if (!DISTILLED.has(kind)) return { is: "new", parts: () => [text] };
    // A record may be made of the very words that still stand there.
    const isRepeated = sentencesOf(text).every((sentence) => shown.includes(sentence));
    if (areAllIn(wholeIds, passage.messageIds) || isRepeated) return IN_CONVERSATION;
    return { is: "new", parts: () => [text] };
  };
}

const STANDS_ABOVE: Quotable = { is: "known", why: "stands in a section above" };
const IN_CONVERSATION: Quotable = { is: "known", why: "stands in History or Input" };

/** Shown where every message of it is, unless what was found lies beyond a cut there. Of a tool's record the prompt shows no more anywhere. */
function shownThere(passage: Passage, byMessage: ReadonlyMap<MessageId, RenderedEntry>): boolean {
  const entries = passage.messageIds.map((id) => byMessage.get(id));
  if (entries.length === 0 || entries.includes(undefined)) return false;
  const text = oneLine(passage.text);
  const opening = text.slice(0, characterBorder(text, OPENING_CHARS));
  return entries.every(
    (entry) =>
      entry !== undefined &&
      (!entry.cut || passage.trust === "tool" || oneLine(entry.shown).includes(opening)),
  );
}

/** A summary that chooses sentences may hold lines that the conversation still shows; one in prose is one part. */
function quotableLines(passage: Passage, shown: string): Quotable {
  const lines = plain(passage.text)
    .split("\n")
    .filter((line) => BULLET.test(line))
    .map((line) => oneLine(line.replace(BULLET, "")));
  const parts = lines.length === 0 ? [oneLine(passage.text)] : lines;
  const fresh = parts.filter((part) => part !== "" && !shown.includes(saidBy(part)));
  return fresh.length > 0 ? { is: "new", parts: () => fresh } : IN_CONVERSATION;
}

const BULLET = /^\s*[-*] /;

/** What a line of a summary quotes, without its head `14:03 Lin Yue: ` and the dates that were put in. */
export function saidBy(line: string): string {
  return line.replace(NOTE_HEAD, "").replace(DATES_PUT_IN, "");
}

const NOTE_HEAD = /^(?:\d{4}-\d{2}-\d{2} )?(?:\d{2}:\d{2} )?(?:[^:：]{1,60}: )?/;
const DATES_PUT_IN = / \(\d{4}-\d{2}-\d{2}(?: – \d{4}-\d{2}-\d{2})?\)/g;

/** The lines of a memory.md passage that Pinned memory had to leave out. */
function notPinned(passage: Passage, pinned: string): string {
  const lines = plain(passage.text).split("\n");
  return oneLine(lines.filter((line) => !pinned.includes(oneLine(line))).join("\n"));
}
