/**
 * A conversation as entries of the prompt: one for each message, and one for a
 * tool call with its result, which stay together.
 */
import { fairShare } from "../model/collections.js";
import { toolsOf, type FiledMessage, type Message, type MessageId } from "../model/message.js";
import type { Zone } from "../model/time.js";
import { besideOf, type Secret, secretsBeside } from "../text/redact.js";
import { cutMiddle, cutText } from "../text/sentences.js";
import { estimateTokens, tokenPrefixLength } from "../text/tokens.js";
import { largestFitting } from "./fit.js";
import {
  type Field,
  headOf,
  isSilent,
  joined,
  type Part,
  partsOf,
  quoted,
  said,
  secretsOf,
  shortLine,
} from "./quote.js";
import type { Steps } from "../model/steps.js";

export interface Entry {
  ids: MessageId[];
  /** What the agent said and did gives way first where room is short. */
  agentSide: boolean;
  /** Made when first asked for: most of a long conversation never is. */
  parts: () => Part[];
  /** The same ahead, message by message of those whose secrets are none to be read in it. */
  prepare: () => Steps<void>;
}

/** An entry while the conversation is gone through: a call may still get its result. */
interface Begun extends Entry {
  message: Message;
  /** Of the message itself. */
  own: () => Part[];
  /** Calls that stand with their results, in a later entry. */
  taken: Set<string>;
}

export interface RenderedEntry {
  ids: readonly MessageId[];
  /** Lines of the prompt. */
  text: string;
  /** What of the messages' own text is in it. */
  shown: string;
  cut: boolean;
}

/** Of messages that are shown, and not cut anywhere. */
export function wholeIdsOf(entries: readonly RenderedEntry[]): ReadonlySet<MessageId> {
  const cut = new Set(entries.flatMap((entry) => (entry.cut ? entry.ids : [])));
  return new Set(entries.flatMap(({ ids }) => ids.filter((id) => !cut.has(id))));
}

/** So much of a message, and of a conversation, is looked through for secrets that are hidden beside it. */
const LOOKED_AT_CHARS = { message: 32_000, conversation: 4_000_000 };

/** What is spoken in a message may have so many characters. */
type MaxChars = (message: Message) => number;

/** Oldest first, each message once; without private ones and those that say nothing. `maxChars` limits what is spoken. */
export function entriesOf(
  messages: readonly FiledMessage[],
  zone: Zone,
  maxChars: number | MaxChars,
): Entry[] {
  const entries = new Set<Begun>();
  const calling = new Map<string, Begun>();
  const conversation = once(messages);
  const lengths = conversation.map(({ message }) => message.text.length);
  const looked = Math.min(LOOKED_AT_CHARS.message, fairShare(lengths, LOOKED_AT_CHARS.conversation));
  for (const [index, filed] of conversation.entries()) {
    const { message } = filed;
    const calls = new Map<string, Begun>();
    const secretsIn = (each: FiledMessage): readonly Secret[] => secretsOf(each.message, looked);
    const own = lazily(() => {
      const beside = secretsBeside(conversation, index, secretsIn);
      return partsOf(filed, zone, typeof maxChars === "number" ? maxChars : maxChars(message), beside);
    });
    const prepare = function* (): Steps<void> {
      for (const each of besideOf(conversation, index)) {
        secretsIn(each);
        yield;
      }
      own();
    };
    const entry: Begun = { ...begun(message, own, calls), prepare };
    for (const { callId, result } of toolsOf(message)) {
      if (callId === "") continue;
      const caller = calling.get(callId);
      if (result === undefined && message.role !== "tool") calling.set(callId, entry);
      else if (caller !== undefined) {
        // The record stands where the result does: it is as new as that. What was said with the call stays in its place.
        calls.set(callId, caller);
        calling.delete(callId);
        caller.taken.add(callId);
        if (!isEmptied(caller)) continue;
        entry.ids = [...caller.ids, ...entry.ids];
        entries.delete(caller);
      }
    }
    entries.add(entry);
  }
  return [...entries];
}

/** `callers` get filled: where the calls stand that this message answers. */
function begun(
  message: Message,
  own: Begun["own"],
  callers: ReadonlyMap<string, Begun>,
): Omit<Begun, "prepare"> {
  const taken = new Set<string>();
  const parts = lazily(() =>
    own()
      .filter(({ call }) => call === undefined || !taken.has(call.id))
      .map((part) => {
        const call = callers
          .get(part.call?.id ?? "")
          ?.own()
          .find((one) => one.call?.id === part.call?.id);
        return call === undefined ? part : joined(call, part);
      }),
  );
  return { message, ids: [message.id], agentSide: message.role !== "user", parts, own, taken };
}

/** Nothing is left of it but what stands with the results. */
function isEmptied({ message, taken }: Begun): boolean {
  return isSilent(message) && toolsOf(message).every(({ callId }) => taken.has(callId));
}

/** What holds for each text of an entry, on top of its own limit in characters. */
export interface Caps {
  tokens?: number;
  /** By the part that it stands in. */
  charsOf?: (part: Part) => number;
}

export function renderEntry(
  entry: Entry,
  { tokens = Infinity, charsOf = uncapped }: Caps = {},
): RenderedEntry {
  return rendered(entry, ({ text, maxChars }, part) =>
    cutText(text, Math.min(maxChars, charsOf(part), tokenPrefixLength(text, tokens))),
  );
}

const uncapped = (): number => Infinity;

/** Of a huge entry the beginning and the end of each text, and where the whole is. */
export function renderEnds(entry: Entry, budgetTokens: number): RenderedEntry {
  const where = `the whole is message ${entry.ids.map(shortLine).join(", ")} in history.json or memory/`;
  const at = (cap: number): RenderedEntry =>
    rendered(entry, ({ text, maxChars }) => cutMiddle(cutText(text, maxChars), cap, where));
  const fits = (cap: number): boolean => estimateTokens(at(cap).text) <= budgetTokens;
  return at(largestFitting(0, Math.floor(budgetTokens), fits) ?? 0);
}

function rendered(entry: Entry, shorten: (field: Field, part: Part) => string): RenderedEntry {
  const shown: string[] = [];
  let cut = false;
  const parts = entry.parts().map((part) => {
    const { voice, fields } = part;
    const head = headOf(part);
    const texts = fields.map((field) => {
      const { label, text } = field;
      const short = shorten(field, part);
      cut ||= short !== text;
      shown.push(short);
      return label === "" ? short : `${label}: ${short}`;
    });
    return voice === "spoken" ? said(head, texts.join("\n")) : [`${head}:`, ...texts.map(quoted)].join("\n");
  });
  return { ids: entry.ids, text: parts.join("\n"), shown: shown.join("\n"), cut };
}

/** The entry with its texts cut so that all of it fits; undefined where not even its heads do. */
export function renderWithin(
  entry: Entry,
  budgetTokens: number,
  caps: Pick<Caps, "charsOf"> = {},
): RenderedEntry | undefined {
  const whole = renderEntry(entry, caps);
  if (estimateTokens(whole.text) <= budgetTokens) return whole;
  const at = (tokens: number): RenderedEntry => renderEntry(entry, { ...caps, tokens });
  const fits = (cap: number): boolean => estimateTokens(at(cap).text) <= budgetTokens;
  const cap = largestFitting(0, Math.floor(budgetTokens), fits);
  return cap === undefined ? undefined : at(cap);
}

/** Two copies of one message by seed 000's natural key, createdAt and text; who said it, or did what, too. */
export function repeats(one: Message, other: Message): boolean {
  return (
    one.createdAt === other.createdAt &&
    one.role === other.role &&
    one.user === other.user &&
    one.text === other.text &&
    JSON.stringify(toolsOf(one)) === JSON.stringify(toolsOf(other))
  );
}

/** The last version of each id, where its first one stood, and no repeats. */
function once(messages: readonly FiledMessage[]): FiledMessage[] {
  const latest = new Map<MessageId, FiledMessage>();
  for (const filed of messages) latest.set(filed.message.id, filed);
  const byTime = new Map<string, Message[]>();
  return [...latest.values()].filter(({ message }) => {
    if (!isShown(message)) return false;
    const simultaneous = byTime.get(message.createdAt) ?? [];
    if (simultaneous.some((other) => repeats(message, other))) return false;
    simultaneous.push(message);
    byTime.set(message.createdAt, simultaneous);
    return true;
  });
}

/** Whether anything of it may stand in a prompt. */
export function isShown(message: Message): boolean {
  return message.private !== true && (toolsOf(message).length > 0 || !isSilent(message));
}

function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
