/** What is said now in a conversation, and what of it is in no topic yet. Pure. */
import type { Address } from "../model/address.js";
import type { FiledMessage, MessageId } from "../model/message.js";
import { inConversation } from "../model/access.js";
import { termsOf } from "../text/terms.js";
import type { TopicStore } from "./store.js";
import type { Lists } from "../model/conversations.js";

/** Where hardly anything is said now, what was said before tells what it is about. */
const FEW_TERMS = 4;
const SAID_CHARS = 4000;
const RECENT_BEFORE = 2;

export interface NextInput {
  /** What waits, else what a person said last: whoever hands it over how is one turn. */
  newest: FiledMessage;
  waits: boolean;
  words: string;
  /** What they go on from, where they are few. */
  before: string;
}

export function askedIn(viewer: Address, lists: Lists): NextInput | undefined {
  const mine = (filed: FiledMessage): boolean => inConversation(viewer, filed);
  const [waiting, history] = [lists.inbox.filter(mine), lists.history.filter(mine)];
  const newest = waiting.at(-1) ?? history.findLast(({ message }) => message.role === "user");
  if (newest === undefined) return undefined;
  const waits = waiting.length > 0;
  const words = wordsOf(waits ? waiting : [newest]);
  const before = history.filter((filed) => filed !== newest).slice(-RECENT_BEFORE);
  return { newest, waits, words, before: termsOf(words).length < FEW_TERMS ? wordsOf(before) : "" };
}

/** What stands in no topic, and the last that was said, of the viewer's conversation, oldest first. */
export function recentOf(
  store: TopicStore,
  viewer: Address,
  lists: Lists,
  kept: number,
  idOf: (filed: FiledMessage) => MessageId,
): FiledMessage[] {
  const said = lists.history.filter((filed) => inConversation(viewer, filed));
  const listed = new Set([...said, ...lists.inbox].map(idOf));
  const older = store.unsplit.filter(
    (filed) => inConversation(viewer, filed) && !listed.has(filed.message.id),
  );
  const stays = new Set(said.slice(-kept));
  return [...older, ...said.filter((filed) => stays.has(filed) || store.holderOf(idOf(filed)) === undefined)];
}

/** Tool records say much and ask nothing; private messages ask nobody. */
function wordsOf(messages: readonly FiledMessage[]): string {
  return messages
    .filter(({ message }) => message.private !== true && message.role !== "tool")
    .map(({ message }) => message.text.slice(0, SAID_CHARS))
    .join("\n");
}
