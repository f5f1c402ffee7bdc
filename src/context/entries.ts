/**
 * A conversation as entries of the prompt: one for each message, and one for a
 * tool call with its result, which stay together.
 */
import type { FiledMessage, Message, MessageId } from "../model/message.js";
import type { Zone } from "../model/time.js";
import { cutText } from "../text/cut.js";
import { estimateTokens, tokenPrefixLength } from "../text/tokens.js";
import { largestFitting } from "./fit.js";
import { joined, partsOf, type Part } from "./parts.js";
import { quoted, said } from "./quote.js";

export interface Entry {
  ids: MessageId[];
  /** What the agent said and did gives way first where room is short. */
  agentSide: boolean;
  /** Made when first asked for: most of a long conversation never is. */
  parts: () => Part[];
}

/** An entry while the conversation is gone through: a call may still get its result. */
interface Begun extends Entry {
  message: Message;
}

export interface RenderedEntry {
  ids: readonly MessageId[];
  /** Lines of the prompt. */
  text: string;
  /** What of the messages' own text is in it. */
  shown: string;
  cut: boolean;
}

/** Oldest first, each message once; without private ones and those that say nothing. `maxChars` limits what is spoken. */
export function entriesOf(messages: readonly FiledMessage[], zone: Zone, maxChars: number): Entry[] {
  const entries: (Begun | undefined)[] = [];
  const begun = new Map<string, number>();
  for (const filed of once(messages)) {
    const { message } = filed;
    const call = message.tool?.callId ?? "";
    const parts = lazily(() => partsOf(filed, zone, maxChars));
    const entry: Begun = { message, ids: [message.id], agentSide: message.role !== "user", parts };
    const at = begun.get(call);
    const earlier = at === undefined ? undefined : entries[at];
    if (at !== undefined && earlier !== undefined && isResult(message)) {
      // The record stands where the result does: it is as new as that. What was said with the call stays in its place.
      const begin = lazily(() => earlier.parts().slice(-1));
      const spoke = /\S/.test(earlier.message.text);
      entries[at] = spoke ? { ...earlier, parts: lazily(() => earlier.parts().slice(0, -1)) } : undefined;
      begun.delete(call);
      if (!spoke) entry.ids = [...earlier.ids, message.id];
      entry.parts = lazily(() => joined(begin(), parts()));
    } else if (call !== "" && !isResult(message)) {
      begun.set(call, entries.length);
    }
    entries.push(entry);
  }
  return entries.filter((entry) => entry !== undefined);
}

/** `capTokens` holds for each text of the entry, on top of its limit in characters. */
export function renderEntry(entry: Entry, capTokens = Infinity): RenderedEntry {
  const shown: string[] = [];
  let cut = false;
  const parts = entry.parts().map(({ head, voice, fields }) => {
    const texts = fields.map(({ label, text, maxChars }) => {
      const short = cutText(text, Math.min(maxChars, tokenPrefixLength(text, capTokens)));
      cut ||= short !== text;
      shown.push(short);
      return label === "" ? short : `${label}: ${short}`;
    });
    return voice === "spoken" ? said(head, texts.join("\n")) : [`${head}:`, ...texts.map(quoted)].join("\n");
  });
  return { ids: entry.ids, text: parts.join("\n"), shown: shown.join("\n"), cut };
}

/** The entry with its texts cut so that all of it fits; undefined where not even its heads do. */
export function renderWithin(entry: Entry, budgetTokens: number): RenderedEntry | undefined {
  const whole = renderEntry(entry);
  if (estimateTokens(whole.text) <= budgetTokens) return whole;
  const fits = (cap: number): boolean => estimateTokens(renderEntry(entry, cap).text) <= budgetTokens;
  const cap = largestFitting(0, Math.floor(budgetTokens), fits);
  return cap === undefined ? undefined : renderEntry(entry, cap);
}

/** Two copies of one message by seed 000's natural key, createdAt and text; who said it, or did what, too. */
export function repeats(one: Message, other: Message): boolean {
  return (
    one.createdAt === other.createdAt &&
    one.role === other.role &&
    one.user === other.user &&
    one.text === other.text &&
    JSON.stringify(one.tool) === JSON.stringify(other.tool)
  );
}

/** The last version of each id, where its first one stood, and no repeats. */
function once(messages: readonly FiledMessage[]): FiledMessage[] {
  const latest = new Map<MessageId, FiledMessage>();
  for (const filed of messages) latest.set(filed.message.id, filed);
  const byTime = new Map<string, Message[]>();
  return [...latest.values()].filter(({ message }) => {
    if (message.private === true || saysNothing(message)) return false;
    const simultaneous = byTime.get(message.createdAt) ?? [];
    if (simultaneous.some((other) => repeats(message, other))) return false;
    simultaneous.push(message);
    byTime.set(message.createdAt, simultaneous);
    return true;
  });
}

function saysNothing({ text, tool, attachments = [] }: Message): boolean {
  return tool === undefined && attachments.length === 0 && !/\S/.test(text);
}

function isResult(message: Message): boolean {
  return message.tool?.result !== undefined || message.role === "tool";
}

function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
