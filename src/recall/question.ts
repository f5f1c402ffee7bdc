/**
 * A question, taken apart into what can be matched.
 *
 * Pure, and plain data: it is sent to the thread that searches. What it cannot
 * know without the corpus (how rare a word is, who of its names speaks there)
 * is left to the scorer.
 */
import { foldText, foldWord } from "../text/fold.js";
import { stem } from "../text/stem.js";
import { QUESTION_WORDS, SMALL_TALK } from "../text/stop-words.js";
import { termsOf } from "../text/terms.js";
import type { DateHint } from "../text/date-hints.js";
import { wantsOf, type Wants } from "./cues.js";
import { MOST_QUERY_TERMS, WEIGHTS, type Weights } from "./weights.js";

export interface Question {
  /** Distinct, in the order of the question. */
  terms: readonly QuestionTerm[];
  /** Neighbours in the question, by their index in `terms`; only of scripts that put spaces between words. */
  pairs: readonly (readonly [number, number])[];
  /** Words as written, folded: a speaker is named by one of them. */
  words: readonly string[];
  dates: readonly DateHint[];
  wants: Wants;
}

export interface QuestionTerm {
  term: string;
  /** How much of the question it is, without how rare it is here. */
  weight: number;
  /** Common in any talk, however rare it is here. */
  isCommon: boolean;
}

const COMMON = new Set([...SMALL_TALK].map(stem));
const ASKING = new Set([...QUESTION_WORDS].map(stem));

const HAN = /\p{Script=Han}/u;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const MOST_WORDS = 64;
/** Several quoted sentences, one after another: the newest is what is talked about now. */
const TURNS = /["”]\s+["“]/;

export function questionOf(
  text: string,
  dates: readonly DateHint[],
  { question: { olderTurn, singleHan, common, asking } }: Weights = WEIGHTS,
): Question {
  const weights = new Map<string, number>();
  const pairs = new Map<string, readonly [string, string]>();
  const turns = text.split(TURNS);
  for (const [turn, said] of turns.entries()) {
    const fresh = olderTurn ** (turns.length - 1 - turn);
    let before: string | undefined;
    for (const term of termsOf(said)) {
      weights.set(term, (weights.get(term) ?? 0) + fresh);
      if (before !== undefined && before !== term && !HAN.test(term))
        pairs.set(`${before} ${term}`, [before, term]);
      before = HAN.test(term) ? undefined : term;
    }
  }
  const terms = [...weights].slice(0, MOST_QUERY_TERMS).map(([term, times]) => ({
    term,
    weight:
      ((2 * times) / (times + 1)) *
      (isSingleHan(term) ? singleHan : 1) *
      (COMMON.has(term) ? common : 1) *
      (ASKING.has(term) ? asking : 1),
    isCommon: COMMON.has(term),
  }));
  const indexOf = new Map(terms.map(({ term }, index) => [term, index]));
  return {
    terms,
    pairs: [...pairs.values()].flatMap(([a, b]) => {
      const [first, second] = [indexOf.get(a), indexOf.get(b)];
      return first === undefined || second === undefined ? [] : [[first, second] as const];
    }),
    words: [...new Set(foldText(text).match(WORD)?.slice(0, MOST_WORDS).map(foldWord))],
    dates,
    wants: wantsOf(text),
  };
}

function isSingleHan(term: string): boolean {
  return term.length <= 2 && HAN.test(term) && [...term].length === 1;
}
