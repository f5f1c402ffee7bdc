/** What messages say as one text, what they would be called by, and what they cost in a prompt. Pure. */
import { type FiledMessage, utteranceOf } from "../model/message.js";
import type { Zone } from "../model/time.js";
import { keywordsOf } from "../text/keywords.js";
import { thingsIn } from "../text/things.js";
import { estimateTokens } from "../text/tokens.js";

const NAME_WORDS = 3;
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

/** What was spoken of: `lease, deposit, landlord`; where nothing was, its keywords. */
export function nameFor(messages: readonly FiledMessage[], zone: Zone): string {
  const said = messages.map((filed) => utteranceOf(filed, zone));
  const speakers = new Set(said.flatMap(({ name }) => name.toLowerCase().split(/\s+/)));
  const text = said
    .map((each) => each.text)
    .join("\n")
    .slice(0, NAMED_BY_CHARS);
  const things = thingsIn(text, NAME_WORDS + speakers.size).filter(
    (word) => !speakers.has(word.toLowerCase()),
  );
  return (things.length > 0 ? things : keywordsOf(text, NAME_WORDS)).slice(0, NAME_WORDS).join(", ");
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
