/** One slip of a finger in the longest word of a question: the same one every time. */
import type { Query } from "./set.js";

const WORD = /[A-Za-z]{4,}/g;
/** On a keyboard beside the one that was meant. */
const BESIDE: Readonly<Record<string, string>> = Object.fromEntries(
  ["qwertyuiop", "asdfghjkl", "zxcvbnm"].flatMap((row) =>
    [...row].map((letter, at) => [letter, row[at + 1] ?? row[at - 1] ?? letter] as const),
  ),
);

type Slip = (word: string, at: number) => string;
const SLIPS: readonly Slip[] = [
  (word, at) => word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2),
  (word, at) => word.slice(0, at) + word.slice(at + 1),
  (word, at) => word.slice(0, at) + word.charAt(at) + word.slice(at),
  (word, at) => word.slice(0, at) + (BESIDE[word.charAt(at).toLowerCase()] ?? "e") + word.slice(at + 1),
];

/** Undefined where the question has no word to slip in. */
export function withSlip({ id, text }: Pick<Query, "id" | "text">): string | undefined {
  const words = [...text.matchAll(WORD)];
  const longest = words.reduce((length, [word]) => Math.max(length, word.length), 0);
  const found = words.find(([word]) => word.length === longest);
  if (found === undefined) return undefined;
  const [word] = found;
  let number = 0;
  for (const char of id) number = (Math.imul(number, 31) + char.charCodeAt(0)) >>> 0;
  // Not its first letter: who types looks at that. A swap of two that are alike is none.
  for (let turn = 0; turn < word.length * SLIPS.length; turn++) {
    const pick = number + turn;
    const slip = SLIPS[pick % SLIPS.length] as Slip;
    const slipped = slip(word, 1 + (Math.floor(pick / SLIPS.length) % (word.length - 2)));
    if (slipped !== word) return text.slice(0, found.index) + slipped + text.slice(found.index + word.length);
  }
  return undefined;
}
