/**
 * What the lines of a summary are about, as headings: things, people and places, never what is done to them
 * or how they are (text/things.ts). Pure.
 */
import { keywordsOf } from "../../text/keywords.js";
import { isThing, spelled } from "../../text/things.js";

/** A line with its telling words, lower case. */
export interface Line {
  text: string;
  keys: ReadonlySet<string>;
}

const MOST_HEADINGS = 4;
const KEYWORDS_TRIED = 60;
/** A word in more of the lines than this sorts nothing. */
const MOST_SHARE = 0.6;

/** Each with the lines that it holds, in the order of the first of them, and what is left; `names` are of who speaks, lower case. */
export function underHeadings<T extends Line>(
  lines: readonly T[],
  names: ReadonlySet<string>,
): { groups: { heading: string; lines: T[] }[]; rest: T[] } {
  const texts = lines.map(({ text }) => text);
  const holding = (word: string, of: readonly T[]): T[] =>
    of.filter(({ keys }) => keys.has(word.toLowerCase()));
  const words = keywordsOf(texts.join("\n"), KEYWORDS_TRIED)
    // A speaker stands in every line of his own.
    .filter((word) => !names.has(word.toLowerCase()) && isThing(word, texts))
    .filter((word) => holding(word, lines).length <= lines.length * MOST_SHARE);
  const groups: { heading: string; lines: T[] }[] = [];
  let rest = [...lines];
  while (groups.length < MOST_HEADINGS) {
    const sized = words
      .map((word) => ({ word, holds: holding(word, rest) }))
      .filter(({ holds }) => holds.length >= 2);
    const best = sized.sort((a, b) => b.holds.length - a.holds.length)[0];
    if (best === undefined) break;
    groups.push({ heading: spelled(best.word, best.holds), lines: best.holds });
    rest = rest.filter((line) => !best.holds.includes(line));
  }
  const first = (group: { lines: readonly T[] }): number =>
    lines.findIndex((line) => line === group.lines[0]);
  return { groups: groups.sort((a, b) => first(a) - first(b)), rest };
}
