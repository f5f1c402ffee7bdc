/**
 * What a prompt is made from, in which order a conversation is told, which
 * questions are asked of what waits, and what it all becomes. Pure.
 */
import { addAll } from "../model/collections.js";
import { type Address, isGroup, mayRead, scopeOf, viewerAt } from "../model/address.js";
import type { FiledMessage, Message, MessageId } from "../model/message.js";
import type { Hit, PassageKind } from "../model/passage.js";
import type { Memo, MemoryRecord, Trust } from "../model/record.js";
import type { Settings } from "../model/settings.js";
import type { SectionName } from "../model/settings/prompt.js";
import { type EpochMs, MINUTE_MS, type Zone } from "../model/time.js";
import type { TopicsInput } from "../model/topic.js";
import type { Profile } from "../protocol/profile.js";
import type { WindowSummary } from "../protocol/window-file.js";
import { type Breadth, breadthOf, pointsBack, questionsIn, saysThatItPointsBack } from "../text/asking.js";
import { keywordsOf } from "../text/keywords.js";
import { oneLine, plain } from "./quote.js";

/** A file that anybody wrote by hand is shorter. */
const FILE_CHARS = 250_000;
/** No token takes more. */
const CHARS_PER_TOKEN = 64;

/** So much of a file that people write is looked at. */
export function fileChars({ tokens }: Settings["context"]): number {
  return Math.max(FILE_CHARS, CHARS_PER_TOKEN * Math.max(tokens.pinned, tokens.soul, tokens.awareness));
}

export interface ContextInputs {
  /** On whose behalf the prompt is written: the newest waiting sender. */
  viewer: Address;
  zone: Zone;
  now: EpochMs;
  settings: Settings["context"];
  /** Text of `memory.md`; shown only where `pinnedFor` allows. */
  memoryMd?: string | undefined;
  /** Text of `SOUL.md`. */
  soul?: string | undefined;
  /** Text of `AWARENESS.md`. */
  awareness?: string | undefined;
  /** Those of these files that are longer than `fileChars`: of `memory.md` the end is given, of the others the beginning. */
  readInPart?: readonly string[] | undefined;
  /** Of the viewer and, in a group, of the group. */
  profiles?: readonly Profile[] | undefined;
  /** Oldest first; those the viewer may not read are left out here. */
  memos?: readonly Memo[] | undefined;
  /** The same. */
  records?: readonly MemoryRecord[] | undefined;
  /** The rolling summary of what the conversation no longer shows. */
  window?: WindowSummary | undefined;
  /** What was split of the conversation; absent where nothing was. */
  topics?: TopicsInput | undefined;
  /** From recall, for each question that waits. */
  found: readonly Found[];
  /** The viewer's conversation, oldest first. */
  history: readonly FiledMessage[];
  /** What waits for an answer, oldest first. */
  inbox: readonly FiledMessage[];
  /** Sections that are printed, where whoever reads has the others before them already; all when not given. */
  printed?: ReadonlySet<SectionName> | undefined;
}

/** One question of what waits. */
export interface Inquiry {
  /** As it was typed. */
  text: string;
  /** What else may be meant, the newest last: it counts less, and the older the less. */
  context: readonly string[];
  breadth: Breadth;
}

/** What recall found for one question. */
export interface Found {
  inquiry: Inquiry;
  /** Most relevant first; more than are shown, since some fall away here. */
  hits: readonly Hit[];
  /** The best score of what its own words find, where others were asked along with them. */
  ownScore?: number;
}

/** What of the prompt stands beside a section. */
export interface ShownBeside {
  /** Bodies of the sections before it. */
  above: string;
  /** Messages that History and Input show whole. */
  wholeIds: ReadonlySet<MessageId>;
}

export interface Prompt {
  /** Content of `prompt.md`. */
  markdown: string;
  /** Content of `prompt.json`. */
  data: PromptData;
}

export interface PromptData {
  version: 1;
  viewer: Address;
  /** ISO 8601. */
  generatedAt: string;
  /** Every waiting message of this conversation that was taken into account, shown in full or not. */
  inboxIds: MessageId[];
  sections: SectionData[];
  /** What recall was asked, in order. */
  questions: QuestionData[];
  /** The hits that are shown. */
  hits: HitData[];
  /** Found and not shown, most relevant first. */
  leftOut: (HitData & { why: string })[];
  warnings: string[];
}

export interface SectionData {
  name: SectionName;
  tokens: number;
  budgetTokens: number;
  /** What was shortened or left out, in words. */
  cuts: string[];
}

export interface QuestionData {
  text: string;
  /** What was said before it that was asked along. */
  context: readonly string[];
  found: number;
  shown: number;
  /** What its lines cost. */
  tokens: number;
}

export interface HitData {
  path: string;
  lines: readonly [number, number];
  /** Of what stood there: 8 hex digits, as of a part that is read. */
  revision: string;
  score: number;
  date: string;
  kind: PassageKind;
  messageIds: readonly MessageId[];
  trust: Trust;
  /** Place in `questions` of the first that found it. */
  question: number;
  /** What its lines cost; absent where none is shown. */
  tokens?: number;
  /** On which lines of `prompt.md` it stands, counted from 1; absent where it is not shown. */
  shownOn?: readonly number[];
}

/** `memory.md` is the owner's: in a group, and for another user, there is none. */
export function pinnedFor(viewer: Address, memoryMd: string | undefined): string | undefined {
  return mayRead(viewerAt(viewer), { level: "owner", scope: viewer.scope }) ? memoryMd : undefined;
}

/** People's clocks and the agent's. */
const SLIP_MS = 10 * MINUTE_MS;

/** A file's own order is right as long as its times go with it, but for what two clocks differ by. */
export function inOrder(messages: readonly FiledMessage[]): readonly FiledMessage[] {
  let latest = -Infinity;
  for (const { filedAt } of messages) {
    if (latest - filedAt > SLIP_MS) return [...messages].sort((one, other) => one.filedAt - other.filedAt);
    latest = Math.max(latest, filedAt);
  }
  return messages;
}

/** What stands keeps its order; each of the others goes before the first that was not said earlier. */
export function merged(
  standing: readonly FiledMessage[],
  others: readonly FiledMessage[],
): readonly FiledMessage[] {
  const waiting = [...others].sort((one, other) => other.filedAt - one.filedAt);
  const all: FiledMessage[] = [];
  const takeBefore = (filedAt: number): void => {
    for (let next = waiting.at(-1); next !== undefined && next.filedAt <= filedAt; next = waiting.at(-1))
      addAll(all, waiting.splice(-1));
  };
  for (const filed of standing) {
    takeBefore(filed.filedAt);
    all.push(filed);
  }
  takeBefore(Infinity);
  return all;
}

/** Of several that wait, the newest are asked first. */
const MOST_INQUIRIES = 6;
/** A question that points back means the last exchange or the one before it. */
const TURNS_BEFORE = 4;
const TURN_CHARS = 600;
const TURN_KEYWORDS = 10;
/** Seed 001: "what about that one?" needs to be told who asks, and where. */
const SHORT_INPUT_CHARS = 20;
/** Of a long message the head is read. */
const MAX_CHARS = 20_000;
/** What is long holds much that belongs to none of its questions. */
const MAX_WHOLE_CHARS = 1000;
/** Encoders read no more of it. */
const MAX_MEANT_CHARS = 1000;

/** None where what waits asks nothing. */
export function inquiriesOf(inbox: readonly FiledMessage[], history: readonly FiledMessage[]): Inquiry[] {
  const waiting = spoken(inbox);
  const waitingIds = new Set(inbox.map(({ message }) => message.id));
  const before = spoken(history.filter(({ message }) => !waitingIds.has(message.id)));
  const inquiries: Inquiry[] = [];
  for (let at = waiting.length - 1; at >= 0 && inquiries.length < MOST_INQUIRIES; at--)
    addAll(inquiries, inquiriesIn(waiting[at] as Message, [...before, ...waiting.slice(0, at)]));
  return inquiries.slice(0, MOST_INQUIRIES);
}

function inquiriesIn(message: Message, before: readonly Message[]): Inquiry[] {
  const said = contentOf(message);
  const named = [...said].length <= SHORT_INPUT_CHARS ? namesAround(message) : "";
  const each = questionsIn(said).map((question): Inquiry => {
    const { text, beside } = question;
    const turns = pointsBack(question) ? before.slice(-TURNS_BEFORE).map(keywordsIn) : [];
    return {
      text,
      context: [...turns, named, beside].filter((part) => part !== ""),
      breadth: breadthOf(text),
    };
  });
  if (each.length < 2) return each;
  // What answers "where did it slip to?" may hold the words of the question before it.
  const whole = said.slice(0, MAX_WHOLE_CHARS).toWellFormed();
  return [...each, { text: whole, context: [], breadth: breadthOf(whole) }];
}

/**
 * Whether what its own words find counts by itself: "Ok, thanks." after a question
 * is none, whatever was said before it. What points back means that very thing.
 */
export function isAskedAlone({ text, context, breadth }: Inquiry): boolean {
  return breadth === "open" && context.length > 0 && !saysThatItPointsBack(text);
}

/** What the newest of these asks, in its own words: for a search by meaning. */
export function meantIn(inbox: readonly FiledMessage[]): string {
  const newest = spoken(inbox).at(-1);
  return newest === undefined ? "" : contentOf(newest).slice(0, MAX_MEANT_CHARS).toWellFormed();
}

/** Tool records say much and ask nothing; private messages ask nobody. */
function spoken(messages: readonly FiledMessage[]): Message[] {
  return messages
    .map(({ message }) => message)
    .filter((message) => message.private !== true && message.role !== "tool");
}

/** What the turn was about. */
function keywordsIn(message: Message): string {
  const head = contentOf(message).slice(0, TURN_CHARS).toWellFormed();
  return keywordsOf(head, TURN_KEYWORDS).join(" ");
}

/** Names only: the query is matched by words, and "private chat" is not what was said there. */
function namesAround(message: Message): string {
  const scope = scopeOf(message);
  const place = isGroup(scope) ? scope.slice("group:".length) : scope === "main" ? "" : scope;
  const mentions = message.text.slice(0, MAX_CHARS).match(/@[\p{L}\p{N}_]+/gu) ?? [];
  const names = [message.speaker ?? "", place, ...mentions.map((name) => name.slice(1))].map(oneLine);
  return [...new Set(names)].filter((name) => name !== "").join(" ");
}

/** The `<content>` of a framed message, else its text. */
function contentOf({ text }: Message): string {
  const from = /^\s*<message\b/.test(text) ? text.indexOf("<content>") : -1;
  if (from < 0) return plain(text.slice(0, MAX_CHARS));
  const start = from + "<content>".length;
  const end = text.indexOf("</content>", start);
  return plain(text.slice(start, end < 0 ? start + MAX_CHARS : Math.min(end, start + MAX_CHARS)));
}
