/**
 * Conversations of many files as one past: every message once, where it was said first.
 *
 * Pure. A conversation that was resumed, branched or forked holds what came before
 * it, under the same ids or, where the copy got new ones, in the same order.
 */
import { groupBy } from "../model/collections.js";
import { type Conversation, nameOf, type Skipped, type ToldMessage } from "./told.js";

/** Oldest first; of one id, told in several files, one. */
export function eachToldOnce(told: readonly Conversation[], skipped: Skipped): Conversation[] {
  const conversations = underFirstIds(told);
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
    const messages = conversation.messages.slice(past).filter((message) => {
      const name = nameOf(message, conversation.id);
      if (!seen.has(name)) return seen.add(name);
      skipped.note("copies");
      return false;
    });
    return messages.length === 0 ? [] : [{ ...conversation, messages }];
  });
}

/** A copy of a copy names that one, which names the first. */
function underFirstIds(conversations: readonly Conversation[]): Conversation[] {
  const before = new Map(
    conversations.flatMap(({ messages }) =>
      messages.flatMap(({ id, copyId }) => (copyId === undefined ? [] : [[copyId, id] as const])),
    ),
  );
  if (before.size === 0) return [...conversations];
  const firstOf = (id: string): string => {
    const seen = new Set<string>();
    for (let at = id; ; at = before.get(at) ?? at) {
      if (seen.has(at)) return at;
      seen.add(at);
    }
  };
  return conversations.map((conversation) => ({
    ...conversation,
    messages: conversation.messages.map((message) => ({ ...message, id: firstOf(message.id) })),
  }));
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
