/** A conversation as the material of a prompt: its lines, how much of it fits, and that it stays data. Pure. */
import type { Settings } from "../model/settings.js";
import type { Utterance } from "../model/utterance.js";
import type { Prompt } from "./prompts.js";

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
    /<(?=\/?(?:material|previous|recent|source|notes|profile|observations|earlier|pairs|topics|topic|messages|query)\b)/gi,
    "‹",
  );
}
