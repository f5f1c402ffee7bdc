/** Where in a text the words that were asked for stand, in whatever form: `deployed` for `deployment`. Pure. */
import { termsOf } from "../text/terms.js";

/** The first character, and the one after the last. */
type Mark = [from: number, to: number];

const WORD_OR_HAN = /\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}_'’])+/gu;

/** For one question; touching marks are one. */
export function markerOf(query: string): (text: string) => Mark[] {
  const wanted = new Set(termsOf(query));
  return (text) => {
    const marks: Mark[] = [];
    for (const { 0: word, index: from } of text.matchAll(WORD_OR_HAN)) {
      if (!termsOf(word).some((term) => wanted.has(term))) continue;
      const last = marks.at(-1);
      if (last?.[1] === from) last[1] = from + word.length;
      else marks.push([from, from + word.length]);
    }
    return marks;
  };
}
