/**
 * Words that say in the other language what a question says: 医院 for
 * "hospital". Each stands for a word of the question and counts as that word,
 * a little less. Pure.
 */
import { translated, type Dictionary } from "../text/dictionary.js";
import { synonymsOf } from "../text/everyday-words.js";

export interface StandsFor {
  /** A term of the question. */
  of: string;
  /** Of one that is said itself. */
  share: number;
}

const HAN = /\p{Script=Han}/u;

/** By the term that stands for another; of several the one it says best. `isTelling`: whether a term is worth telling otherwise. */
export function meaningsOf(
  text: string,
  terms: readonly string[],
  dictionary: Dictionary,
  isTelling: (term: string) => boolean,
): ReadonlyMap<string, StandsFor> {
  const asked = new Set(terms);
  const found = new Map<string, StandsFor>();
  const put = (of: string, term: string, share: number): void => {
    if (!asked.has(of) || asked.has(term) || !isTelling(of) || !isTelling(term)) return;
    if (share > (found.get(term)?.share ?? 0)) found.set(term, { of, share });
  };
  for (const { of, term, share } of translated(text, dictionary)) put(of, term, share);
  for (const of of terms)
    for (const term of synonymsOf(of)) if (HAN.test(of) !== HAN.test(term)) put(of, term, 1);
  return found;
}
