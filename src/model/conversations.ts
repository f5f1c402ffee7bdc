/** The conversations that history.json and inbox.json hold, and on whose behalf each is read. Pure. */
import {
  type Address,
  LOCAL_ADDRESS,
  LOCAL_USER,
  MAIN_SCOPE,
  type MessageKey,
  scopeOf,
  sessionOf,
} from "./address.js";
import { groupBy } from "./group.js";
import type { FiledMessage } from "./message.js";

export interface Lists {
  /** Oldest first. */
  history: readonly FiledMessage[];
  /** What waits, oldest first. */
  inbox: readonly FiledMessage[];
}

/** One for each place and session, with the newest sender, one who waits before one who has spoken. */
export function conversationsIn({ history, inbox }: Lists): Address[] {
  const byPlace = groupBy([...history, ...inbox], ({ message }) =>
    JSON.stringify([scopeOf(message), sessionOf(message)]),
  );
  const waiting = new Set(inbox);
  return [...byPlace.values()].flatMap((messages): Address[] => {
    const newest = messages.findLast((filed) => waiting.has(filed)) ?? messages.at(-1);
    if (newest === undefined) return [];
    const { message, belongsTo } = newest;
    // Nobody known opens nothing of user level.
    return [{ user: belongsTo ?? "", scope: scopeOf(message), session: sessionOf(message) }];
  });
}

/** The conversation of the newest input of `local` in `main`, whatever its session: that of `teller/prompt.md`. */
export function mainConversation({ history, inbox }: Lists): Address {
  const isMine = ({ message, belongsTo }: FiledMessage): boolean =>
    scopeOf(message) === MAIN_SCOPE && belongsTo === LOCAL_USER;
  const newest = inbox.findLast(isMine) ?? history.findLast(isMine);
  return newest === undefined ? LOCAL_ADDRESS : { ...LOCAL_ADDRESS, session: sessionOf(newest.message) };
}

export interface ListedMessage {
  filed: FiledMessage;
  key: MessageKey;
  /** Its archive* fields as they stand. */
  mirror: Record<string, unknown>;
}
