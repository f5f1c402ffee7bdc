/** Signs that somebody has told something before and misses it. Pure. */
import { foldText } from "../text/fold.js";

/** Whatever the case and the shape of its letters. */
export function isReminder(text: string, signs: readonly string[]): boolean {
  const said = plain(text);
  return signs.some((sign) => {
    const wanted = plain(sign);
    // A sign in letters is words, not a part of one.
    return /\p{Script=Han}/u.test(wanted)
      ? said.includes(wanted)
      : new RegExp(`(?<![\\p{L}\\p{N}])${escaped(wanted)}(?![\\p{L}\\p{N}])`, "u").test(said);
  });
}

function plain(text: string): string {
  return foldText(text).toLowerCase().replaceAll("’", "'").replace(/\s+/g, " ");
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
