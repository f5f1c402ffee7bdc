/**
 * What a new summary must not lose of the one before it.
 *
 * Pure. A model is told to carry the previous summary on, and mostly does; a
 * line whose words are gone from the new text is put back as it stood. A
 * person's edit lives in that text too.
 */
import { keywordsOf } from "../text/keywords.js";
import { clean, type Notes } from "./notes.js";

/** Below this share of its telling words a line counts as dropped: a line that was reworded keeps its names and numbers. */
const KEPT_SHARE = 0.4;
const WORDS_PER_LINE = 40;

/** The lines of `previous` that `next` says nothing of. */
export function droppedLines(previous: string, next: string): string[] {
  const there = next.toLowerCase();
  return previous
    .split("\n")
    .filter((line) => !/^\s*(?:#{1,6}\s|```|$)/.test(line))
    .map(clean)
    .filter((line) => {
      const words = keywordsOf(line, WORDS_PER_LINE);
      if (words.length === 0) return line.length > 1 && !there.includes(line.toLowerCase());
      return words.filter((word) => there.includes(word.toLowerCase())).length < words.length * KEPT_SHARE;
    });
}

/** The notes with every dropped line of `previous` in front, under the headings' own level. */
export function carriedOn(previous: string, notes: Notes): Notes {
  const next = notes.map(({ heading, bullets }) => [heading ?? "", ...bullets].join("\n")).join("\n");
  const dropped = droppedLines(previous, next);
  return dropped.length === 0 ? notes : [{ bullets: dropped }, ...notes];
}
