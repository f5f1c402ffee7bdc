/**
 * How much of the day a sentence carries.
 *
 * Pure. Cues, numbers, names and the day's recurring words add; questions that
 * were answered, lists, boilerplate and noise take away. 0 is chit-chat.
 */
import type { Candidate } from "./candidates.js";
import { CUES, isChat, isQuestion } from "./cues.js";

/** What people say of themselves counts most; what a tool printed least. */
const VOICE = { user: 1, summary: 1.1, agent: 0.65, tool: 0.5, system: 0.3 } as const;

/** In how many sentences each word stands. */
export function frequencies(candidates: readonly Candidate[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { keys } of candidates) for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

export function worthOf(candidate: Candidate, counts: ReadonlyMap<string, number>): number {
  const { text, keys, from } = candidate;
  const paired = text.includes(" → ");
  if (candidate.code || (!paired && isChat(text)) || keys.size === 0) return 0;

  let worth = 0.2 * Math.min(keys.size, 8);
  for (const [weight, cue] of CUES) if (cue.test(text)) worth += weight;
  worth += 0.6 * Math.min(2, text.match(/\d+(?:[.,:]\d+)*/g)?.length ?? 0);
  worth +=
    0.4 *
    Math.min(
      3,
      text.match(/(?<=[a-z,;] )\p{Lu}\p{L}+|[“"「『][^”"」』]{2,40}[”"」』]|`[^`]+`/gu)?.length ?? 0,
    );
  worth += 0.2 * Math.min(5, [...keys].filter((key) => (counts.get(key) ?? 0) > 1).length);
  if (/^(?:I|we|my|our)\b|^我/i.test(text)) worth += 0.5;
  if (paired) worth += 1;
  else if (isQuestion(text)) worth *= candidate.answered ? 0.3 : 0.7;

  return worth * VOICE[from] * shapeFactor(text);
}

/** Too short to stand alone, too long to be one thought, an opening of a list, or mostly signs. */
function shapeFactor(text: string): number {
  const letters = text.match(/[\p{L}\p{N}\s]/gu)?.length ?? 0;
  if (letters < text.length * 0.7) return 0.3;
  if (/[:：]$/.test(text)) return 0.3;
  const width = [...text].reduce((sum, char) => sum + (/\p{Script=Han}/u.test(char) ? 3 : 1), 0);
  if (width < 15) return 0.6;
  return width > 400 ? 0.6 : 1;
}
