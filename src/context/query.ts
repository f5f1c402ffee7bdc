/**
 * What recall is asked before a reply: the keywords of what waits, filled up
 * from the last of the conversation (seed 000).
 */
import { isGroup, scopeOf, type FiledMessage, type Message } from "../model/message.js";
import { oneLine, plain } from "./quote.js";

const MAX_KEYWORDS = 6;
const HISTORY_MESSAGES = 5;
/** Seed 001: "what about that one?" needs to be told who asks, and where. */
const SHORT_INPUT_CHARS = 20;
/** Keywords are chosen from the head of a long message. */
const MAX_CHARS = 20_000;
/** Encoders read no more of it. */
const MAX_MEANT_CHARS = 1000;

type KeywordsOf = (text: string, limit: number) => string[];

/** Keywords on one line; for a short input a second line with place, mentions, speaker and group. Empty when there is nothing to ask. */
export function injectionQuery(
  inbox: readonly FiledMessage[],
  history: readonly FiledMessage[],
  keywordsOf: KeywordsOf,
): string {
  const waiting = newestFirst(inbox);
  const waitingIds = new Set(waiting.map(({ id }) => id));
  const recent = newestFirst(history.filter(({ message }) => !waitingIds.has(message.id))).slice(
    0,
    HISTORY_MESSAGES,
  );
  const keywords: string[] = [];
  // The newest input comes first: what waited longer must not use up its words.
  for (const messages of [waiting.slice(0, 1), waiting.slice(1), recent]) {
    for (const word of keywordsOf(messages.map(contentOf).join("\n"), MAX_KEYWORDS)) {
      const known = keywords.some((other) => other.toLowerCase() === word.toLowerCase());
      if (!known && keywords.length < MAX_KEYWORDS) keywords.push(word);
    }
  }
  const input = waiting.map(contentOf).join(" ").trim();
  const newest = waiting[0];
  const context = newest !== undefined && [...input].length <= SHORT_INPUT_CHARS ? contextLine(newest) : "";
  return [keywords.join(" "), context].filter((line) => line !== "").join("\n");
}

/** What the newest of these asks, in its own words: for a search by meaning. */
export function meantIn(inbox: readonly FiledMessage[]): string {
  const [newest] = newestFirst(inbox);
  return newest === undefined ? "" : contentOf(newest).slice(0, MAX_MEANT_CHARS).toWellFormed();
}

/** Tool records say much and ask nothing; private messages ask nobody. */
function newestFirst(messages: readonly FiledMessage[]): Message[] {
  return messages
    .map(({ message }) => message)
    .filter((message) => message.private !== true && message.role !== "tool")
    .toReversed();
}

/** Names only: the query is matched by words, and "private chat" is not what was said there. */
function contextLine(message: Message): string {
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
