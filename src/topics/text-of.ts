/** What messages say as one text, what they would be called by, and what they cost in a prompt. Pure. */
import { type FiledMessage, utteranceOf } from "../model/message.js";
import type { Zone } from "../model/time.js";
import { keywordsOf } from "../text/keywords.js";
import { estimateTokens } from "../text/tokens.js";

const NAME_WORDS = 4;
const NAMED_BY_CHARS = 20_000;
/** So much tells what else belongs to it. */
const MOST_CHARS = 30_000;
/** A message's minute and name. */
const HEAD_TOKENS = 12;

/** `Lin Yue: …`, a line each. */
export function textOf(messages: readonly FiledMessage[], zone: Zone): string {
  let text = "";
  for (const filed of messages) {
    const { name, text: said } = utteranceOf(filed, zone);
    text += `${name}: ${said}\n`;
    if (text.length > MOST_CHARS) break;
  }
  return text.slice(0, MOST_CHARS).toWellFormed();
}

/** Keywords of what was said: `lease, deposit, landlord, keys`. */
export function nameFor(messages: readonly FiledMessage[], zone: Zone): string {
  return keywordsOf(textOf(messages, zone).slice(0, NAMED_BY_CHARS), NAME_WORDS).join(", ");
}

export function tokensOf(messages: readonly FiledMessage[], zone: Zone): number {
  return messages.reduce((sum, filed) => sum + costOf(filed, zone), 0);
}

const costs = new WeakMap<FiledMessage, number>();

function costOf(filed: FiledMessage, zone: Zone): number {
  const known = costs.get(filed);
  if (known !== undefined) return known;
  const cost = estimateTokens(utteranceOf(filed, zone).text) + HEAD_TOKENS;
  costs.set(filed, cost);
  return cost;
}
