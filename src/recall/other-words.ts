/**
 * What else says a word of the question: 医院 says "hospital", and to be sick says what "throw up" does. Where it
 * stands in a text it counts as that word, a little less. Pure.
 */
import { translated } from "../text/dictionary.js";
import type { Words } from "../text/everyday-words.js";
import { foldText, foldWord } from "../text/fold.js";
import { QUESTION_WORDS, SMALL_TALK, stem } from "../text/terms.js";
import type { Weights } from "./weights.js";

/** Terms that are common in any talk, and those of which questions are made. */
export const COMMON: ReadonlySet<string> = new Set([...SMALL_TALK].map(stem));
export const ASKING: ReadonlySet<string> = new Set([...QUESTION_WORDS].map(stem));

const HAN = /\p{Script=Han}/u;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

export function isTelling(term: string): boolean {
  return !COMMON.has(term) && !ASKING.has(term);
}

interface StandsFor {
  /** A term of the question. */
  of: string;
  /** Of one that is said itself. */
  share: number;
}

/** By the term that stands for another. */
export function standInsFor(
  text: string,
  terms: readonly string[],
  words: Words,
  shares: Pick<Weights["question"], "family" | "meaning">,
): ReadonlyMap<string, StandsFor> {
  return new Map([
    ...ofFamilies(terms, words, shares.family),
    ...meaningsOf(text, terms, words, shares.meaning),
  ]);
}

/** By the term that is of another's family; what the question says itself stands for nothing. */
function ofFamilies(
  terms: readonly string[],
  { families }: Words,
  perShare: number,
): ReadonlyMap<string, StandsFor> {
  const asked = new Set(terms);
  const found = new Map<string, StandsFor>();
  for (const of of terms.filter(isTelling))
    for (const { word, share } of families(of))
      if (!asked.has(word) && isTelling(word) && !found.has(word))
        found.set(word, { of, share: perShare * share });
  return found;
}

/** By the term that stands for another; of several the one it says best. */
function meaningsOf(
  text: string,
  terms: readonly string[],
  { dictionary, synonymsOf, phrasesIn }: Words,
  perShare: number,
): ReadonlyMap<string, StandsFor> {
  const asked = new Set(terms);
  const found = new Map<string, StandsFor>();
  const put = (of: string, term: string, share: number): void => {
    if (!asked.has(of) || asked.has(term) || !isTelling(term)) return;
    const counts = perShare * share;
    if (counts > (found.get(term)?.share ?? 0)) found.set(term, { of, share: counts });
  };
  for (const { of, term, share } of translated(text, dictionary)) if (isTelling(of)) put(of, term, share);
  for (const of of terms.filter(isTelling))
    for (const term of synonymsOf(of)) if (HAN.test(of) !== HAN.test(term)) put(of, term, 1);
  for (const { stems, terms: same } of phrasesIn(stemsIn(text))) {
    const of = stems.find((word) => asked.has(word));
    if (of !== undefined) for (const term of same) put(of, term, 1);
  }
  return found;
}

/** Every word, also those that are no terms: a phrase hangs on them. */
function stemsIn(text: string): string[] {
  return (foldText(text.slice(0, MOST_PHRASED_CHARS)).match(WORD) ?? []).map((word) => stem(foldWord(word)));
}

const MOST_PHRASED_CHARS = 1000;

/** What says nearly the same as a word of the question in its own language. */
export function termsAlike(
  own: readonly (readonly [string, number])[],
  talk: ReadonlySet<string>,
  { synonymsOf }: Words,
  within: number,
): (readonly [string, number])[] {
  return own
    .filter(([term]) => !COMMON.has(term) && !talk.has(term))
    .flatMap(([term, share]) =>
      [...synonymsOf(term)]
        .filter((other) => HAN.test(term) === HAN.test(other))
        .map((other) => [other, share * within] as const),
    );
}
