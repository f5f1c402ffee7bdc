/**
 * What recall is asked before a reply: every question of what waits in its own
 * words, and beside it, at less weight, what it needs of the words before it.
 */
import type { FiledMessage, Message } from "../model/message.js";
import { isGroup, scopeOf } from "../model/address.js";
import { breadthOf, pointsBack, questionsIn, saysThatItPointsBack } from "../text/asking.js";
import type { Inquiry } from "./inputs.js";
import { keywordsOf } from "../text/keywords.js";
import { oneLine, plain } from "./quote.js";

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
  const inquiries = waiting.toReversed().flatMap((message, fromEnd) => {
    const earlier = [...before, ...waiting.slice(0, waiting.length - 1 - fromEnd)];
    return inquiriesIn(message, earlier);
  });
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
