/**
 * What recall found that says something which nothing else in the prompt says.
 *
 * Pure. Memory stands before History and Input, yet gives way to them: a
 * message of the live conversation belongs between the messages around it, and
 * there it is needed whatever recall finds.
 */
import type { Address } from "../model/address.js";
import type { MessageId } from "../model/message.js";
import type { Hit, Passage, PassageKind } from "../model/passage.js";
import { RECORD_KINDS } from "../model/record.js";
import { characterBorder } from "../text/cut.js";
import { sentencesOf } from "../text/sentences.js";
import { areAllIn, mayBeShown } from "./distilled.js";
import { wholeIdsOf, type RenderedEntry } from "./entries.js";
import { oneLine, plain } from "./quote.js";
import { saidIn } from "./said.js";

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
    .filter((line) => /^\s*[-*] /.test(line));
  const parts =
    lines.length === 0 ? [oneLine(passage.text)] : lines.map((line) => oneLine(line.replace(BULLET, "")));
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
