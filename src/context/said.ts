/**
 * Whether something stands above as a bullet, in nearly the same words: a trait
 * in a profile, "Prefers oolong (2026-01-28)", and the event that it came from,
 * "Lin Yue prefers oolong.", are one thing. Pure.
 */
import { termsOf } from "../text/terms.js";

/** `above`: what the sections before show. */
export function saidIn(above: string): (text: string) => boolean {
  const said = bulletsIn(above).filter((bullet) => bullet.length >= LEAST_SAID_CHARS);
  return (text) => {
    const told = bulletsIn(text);
    // A profile is said when all that it lists is.
    const parts = told.length > 0 ? told : [wordsOf(text)];
    return parts.every((part) => said.some((bullet) => part.endsWith(bullet)));
  };
}
/** Of its telling words so many in one line say the same in other words. */
const SAME_SHARE = 0.7;

/** Whether one line above says it too, perhaps in other words: what a person has pinned need not be told again as a trait. */
export function meantIn(above: string): (text: string) => boolean {
  const lines = above.split("\n").map((line) => new Set(termsOf(line)));
  return (text) => {
    const told = new Set(termsOf(text.replace(DATE_BEHIND, "")));
    const shared = (line: ReadonlySet<string>): number => [...told].filter((term) => line.has(term)).length;
    return told.size > 1 && lines.some((line) => shared(line) >= SAME_SHARE * told.size);
  };
}

/** Shorter ones end too many sentences by chance. */
const LEAST_SAID_CHARS = 4;

/** Without the date behind them. */
function bulletsIn(text: string): string[] {
  return text
    .split("\n")
    .flatMap((line) => /^\s*[-*+]\s+(.+)$/.exec(line)?.[1] ?? [])
    .map((bullet) => wordsOf(bullet.replace(DATE_BEHIND, "")));
}
const DATE_BEHIND = /\s*[(（]\d{4}-\d{2}-\d{2}[)）]\s*$/u;

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
