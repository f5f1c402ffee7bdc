/**
 * Conversations of many files as one past: every message once, where it was said first.
 *
 * Pure. A conversation that was resumed, branched or forked holds what came before
 * it, under the same ids or, where the copy got new ones, in the same order.
 */
import { groupBy } from "../model/collections.js";
import type { Conversation, Skipped, ToldMessage } from "./told.js";

/** Oldest first; of one id, told in several files, one. */
export function eachToldOnce(conversations: readonly Conversation[], skipped: Skipped): Conversation[] {
  const ofOneId = [...groupBy(conversations.toSorted(byTime), ({ id }) => id).values()].map(
    ([first, ...others]): Conversation => ({
      ...(first as Conversation),
      messages: [first as Conversation, ...others].flatMap(({ messages }) => messages),
    }),
  );
  const byId = new Map(ofOneId.map((conversation) => [conversation.id, conversation]));
  const seen = new Set<string>();
  return ofOneId.flatMap((conversation) => {
    const past = pastOf(conversation, byId);
    skipped.note("copies", past);
    const messages = conversation.messages.slice(past).filter(({ id }) => {
      if (!seen.has(id)) return seen.add(id);
      skipped.note("copies");
      return false;
    });
    return messages.length === 0 ? [] : [{ ...conversation, messages }];
  });
}

function byTime(one: Conversation, other: Conversation): number {
  return spanOf(one).localeCompare(spanOf(other));
}

function spanOf({ messages }: Conversation): string {
  return `${messages[0]?.at ?? ""} ${messages.at(-1)?.at ?? ""}`;
}

/** So many of the first messages are the other conversation's. */
function pastOf({ forkOf, messages }: Conversation, byId: ReadonlyMap<string, Conversation>): number {
  const before = forkOf === undefined ? [] : (byId.get(forkOf)?.messages ?? []);
  const isSame = (one: ToldMessage, other: ToldMessage | undefined): boolean =>
    one.role === other?.role && one.text === other.text;
  const differs = messages.findIndex((message, index) => !isSame(message, before[index]));
  return differs === -1 ? Math.min(messages.length, before.length) : differs;
}
