/** One word of a table as the terms it is indexed by. Pure. */
import { foldText } from "./fold.js";
import { stem } from "./stem.js";
import { termsOf } from "./terms.js";

const HAN = /\p{Script=Han}/u;

/** Of English its stem; of Chinese the pairs of its characters, or the one character it has: 新书 is 新书, 猫 is 猫. */
export function wordTerms(word: string): string[] {
  return HAN.test(word) ? hanTerms(foldText(word)) : [stem(word)];
}

/** The same of a Chinese word that is folded. */
export function hanTerms(word: string): string[] {
  const terms = termsOf(word);
  const pairs = terms.filter((term) => [...term].length === 2);
  return pairs.length > 0 ? pairs : terms;
}
