/** A conversation as the material of a prompt: its lines, which stay data, and windows of them that fit a model's context. Pure. */
import { estimateTokens } from "../text/tokens.js";
import type { Settings } from "../model/settings.js";
import type { Utterance } from "../model/message.js";
import type { Prompt } from "./prompts.js";

/** Pieces in order, packed as full as they fit; a piece that is too long alone is cut near its middle until it fits. */
export function windowsOf(pieces: readonly string[], budgetTokens: number): string[] {
  const windows: { text: string; tokens: number }[] = [];
  for (const text of pieces.flatMap((whole) => fitting(whole, budgetTokens))) {
    const tokens = estimateTokens(text) + 1;
    const open = windows.at(-1);
    if (open === undefined || open.tokens + tokens > budgetTokens) windows.push({ text, tokens });
    else {
      open.text += `\n${text}`;
      open.tokens += tokens;
    }
  }
  return windows.map(({ text }) => text);
}

const MIN_CUT_CHARS = 64;

function fitting(text: string, budgetTokens: number): string[] {
  if (text.length < MIN_CUT_CHARS || estimateTokens(text) <= budgetTokens) return [text];
  const at = cutPoint(text);
  const halves = [text.slice(0, at).trimEnd(), text.slice(at).trimStart()];
  return halves.flatMap((half) => fitting(half, budgetTokens));
}

/** The end of a line, else of a sentence, else of a word, in the middle half; else the middle, between two characters. */
function cutPoint(text: string): number {
  const from = Math.floor(text.length / 4);
  const middleHalf = text.slice(from, from * 3);
  for (const end of [/\n(?=[^\n]*$)/, /[.!?。！？](?=[^.!?。！？]*$)/, /\s(?=\S*$)/]) {
    const found = end.exec(middleHalf);
    if (found !== null) return from + found.index + 1;
  }
  const middle = Math.floor(text.length / 2);
  return /[\uDC00-\uDFFF]/.test(text.charAt(middle)) ? middle + 1 : middle;
}

/** Room for what the estimate may be off by. */
const SAFETY = 0.9;
const LEAST_WINDOW_TOKENS = 500;

/** What is left of the context for material once prompt, answer and a repair round have their room. */
export function windowSize(llm: Settings["llm"], prompts: Readonly<Record<string, Prompt>>): number {
  const reserve = Math.min(2 * llm.max_output_tokens, llm.context_tokens / 2);
  const prompt = Math.max(...Object.values(prompts).map(({ tokens }) => tokens));
  return Math.max(LEAST_WINDOW_TOKENS, Math.floor((llm.context_tokens - reserve - prompt) * SAFETY));
}

export function utterancePiece({ day, clock, name, role, text }: Utterance): string {
  // Later lines are set in, so that a message cannot pass one of its lines off as another's.
  return `[${day} ${clock}] ${name} (${role}): ${text.trim().replace(/\r?\n/g, "\n    ")}`;
}

/** Each behind its number, `1 [2026-01-28 14:03] Lin Yue (user): Hello.`, so that an answer can name it. */
export function numberedPieces(utterances: readonly Utterance[], first = 1): string[] {
  return utterances.map((utterance, index) => `${first + index} ${utterancePiece(utterance)}`);
}

/** Data may not close the tags that the prompts put around it. */
export function inert(data: string): string {
  return data.replace(
    /<(?=\/?(?:material|previous|recent|source|notes|profile|observations|earlier|pairs|topics|topic|messages|query|passages|found)\b)/gi,
    "‹",
  );
}
