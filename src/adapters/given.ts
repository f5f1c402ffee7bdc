/**
 * What was told, as messages that memd takes in. Pure.
 *
 * A message's id is the one it had, so that it comes once, however often it is read.
 */
import { MAIN_SCOPE, type ScopeId } from "../model/address.js";
import { defined } from "../model/collections.js";
import { type EpochMs, epochMs } from "../model/time.js";
import { type Fields, stringOf, timeOf, wordsOf } from "./fields.js";
import { withoutBriefings } from "./hooks/marks.js";
import { placeOfKey } from "./openclaw/keys.js";
import { type Conversation, nameOf, type Skipped } from "./told.js";

export interface Wanted {
  /** What tools were given and gave comes too. */
  tools: boolean;
  /** Whether something that was said then comes; without it all of any time does. */
  isInTime?: ((at: EpochMs) => boolean) | undefined;
}

/** In the order in which they were said; one without a time is of the time of the one before it. */
export function messagesOf(conversation: Conversation, scope: ScopeId | undefined, wanted: Wanted): Fields[] {
  const { id: session, messages } = conversation;
  const place = placeOfKey(session) ?? scope ?? MAIN_SCOPE;
  let at = messages.find((message) => message.at !== undefined)?.at;
  return messages.flatMap((message): Fields[] => {
    at = message.at ?? at;
    const { role, speaker } = message;
    const text = withoutBriefings(message.text).trim();
    const [tool, ...moreTools] = wanted.tools ? (message.tools ?? []) : [];
    if ((text === "" && tool === undefined) || isTooOld(at, wanted)) return [];
    const id = nameOf(message, session);
    const more = moreTools.length === 0 ? undefined : moreTools;
    const where = { scope: place, session };
    return [defined({ id, role, text, createdAt: at, speaker, tool, moreTools: more, ...where })];
  });
}

/** Lists of messages: memd's own as they are; of others what people and agents said. */
export function listedMessages(messages: readonly Fields[], wanted: Wanted, skipped: Skipped): Fields[] {
  return messages.flatMap((given): Fields[] => {
    const isWhole = wanted.tools || isOwn(given);
    const message = withTime(given);
    const { conversation, ...own } = message;
    const why = leftOutAs(message, wanted, isWhole);
    if (why !== undefined) {
      skipped.note(why);
      return [];
    }
    const placed = conversation === undefined ? own : { ...own, scope: `${conversation as string | number}` };
    if (isWhole) return [placed];
    const { tool: _tool, moreTools: _more, tool_calls: _calls, content: _content, ...said } = placed;
    return [{ ...said, text: textOf(message) }];
  });
}

function leftOutAs(message: Fields, wanted: Wanted, isWhole: boolean): string | undefined {
  const { conversation, createdAt } = message;
  if (!["undefined", "string", "number"].includes(typeof conversation)) return "lines that are no message";
  if (isTooOld(stringOf(createdAt), wanted)) return "messages from before";
  if (isWhole) return undefined;
  if (OF_TOOLS.has(message["role"])) return "what tools and programs said";
  return textOf(message).trim() === "" ? "messages without words" : undefined;
}

function isOwn({ text, createdAt }: Fields): boolean {
  return typeof text === "string" && createdAt !== undefined;
}

/** Programs note under one of these names when a message was said, where the API has no place for it. */
const TIMES = ["created_at", "timestamp", "created", "time", "date", "ts"] as const;

function withTime(message: Fields): Fields {
  if (message["createdAt"] !== undefined) return message;
  const createdAt = TIMES.map((name) => timeOf(message[name])).find((time) => time !== undefined);
  return createdAt === undefined ? message : { ...message, createdAt };
}

function textOf({ text, content }: Fields): string {
  return stringOf(text) ?? wordsOf(content, TEXTS);
}

/** As the APIs call blocks of words. */
const TEXTS = ["text", "input_text", "output_text"];

const OF_TOOLS: ReadonlySet<unknown> = new Set(["tool", "function", "system", "developer", undefined]);

/** What has no time is of any. */
function isTooOld(at: string | undefined, { isInTime }: Wanted): boolean {
  if (at === undefined || isInTime === undefined) return false;
  const ms = Date.parse(at);
  return !Number.isNaN(ms) && !isInTime(epochMs(ms));
}
