/**
 * What was said around an observation: which message it is about, what came
 * before, who spoke. Helps to say who and when is meant; none of it is kept but
 * the ids.
 *
 * Pure. Private messages are no part of it.
 */
import type { FiledMessage, MessageId } from "../model/message.js";
import { LOCAL_USER } from "../model/address.js";
import type { Trust } from "../model/record.js";
import type { Settings } from "../model/settings.js";
import { DAY_MS, type EpochMs, type Zone } from "../model/time.js";
import { leastTrusted, leastTrustIn } from "../model/trust.js";
import { utteranceOf, type Utterance } from "../model/utterance.js";
import { characterBorder } from "../text/cut.js";

export interface Around {
  /** Text of the message; empty where there is none. */
  source: string;
  /** Oldest first. */
  recent: Utterance[];
  /** `Lin Yue(u-17)`; undefined where nobody knows. */
  speaker: string | undefined;
  /** What they are called, where they said so. */
  name: string | undefined;
  /** The message, and what was answered to it. */
  sources: MessageId[];
  trust: Trust;
}

/** `said`: the conversation, oldest first; `user` who is observed, `at` when. */
export function aroundOf(
  said: readonly FiledMessage[],
  { user, at }: { user: string | undefined; at: EpochMs },
  settings: Pick<Settings["historian"], "recent_messages" | "recent_message_chars" | "source_chars">,
  zone: Zone,
): Around {
  const heard = said.filter(
    ({ message, filedAt }) => message.private !== true && filedAt <= at && at - filedAt < LONGEST_TURN_MS,
  );
  const asked = heard.findLastIndex(
    ({ message }) =>
      message.role === "user" && (user === undefined || message.user === undefined || message.user === user),
  );
  const turn = asked === -1 ? [] : heard.slice(asked);
  const before = heard
    .slice(0, asked === -1 ? undefined : asked)
    .slice(-settings.recent_messages || heard.length);
  const name = said.findLast(
    ({ message, belongsTo }) =>
      message.role === "user" && belongsTo === user && message.speaker !== undefined,
  )?.message.speaker;
  return {
    source: short(turn[0]?.message.text ?? "", settings.source_chars),
    recent:
      settings.recent_messages === 0
        ? []
        : before.map((filed) => {
            const utterance = utteranceOf(filed, zone);
            return { ...utterance, text: short(utterance.text, settings.recent_message_chars) };
          }),
    speaker: user === undefined ? undefined : nameWithId(name, user),
    name,
    sources: turn.map(({ message }) => message.id),
    // What an agent observed is its own words, whoever it heard.
    trust: leastTrusted(["agent", ...turn.map(({ message }) => leastTrustIn(message))]),
  };
}

/** The only user of a workspace needs no id beside a name. */
export function nameWithId(name: string | undefined, user: string): string {
  if (name === undefined || name === user) return user;
  return user === LOCAL_USER ? name : `${name}(${user})`;
}

/** What was said long before has nothing to do with it. */
const LONGEST_TURN_MS = DAY_MS;

function short(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, characterBorder(text, chars))}…`;
}
