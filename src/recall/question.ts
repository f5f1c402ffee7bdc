/**
 * A question, taken apart into what can be matched; 医院 stands for "hospital" and counts as that
 * word, a little less. Pure, and plain data: it is sent to the thread that searches. What it cannot
 * know without the corpus (how rare a word is, who of its names speaks there) is left to the scorer.
 */
import { asksHowOften, breadthOf, quotedIn } from "../text/asking.js";
import type { DateHint } from "../text/dates/hints.js";
import { NO_WORDS, type Words } from "../text/everyday-words.js";
import { foldText, foldWord } from "../text/fold.js";
import { CHINESE_SMALL_TALK, termsOf } from "../text/terms.js";
import { type Wants, wantsOf } from "./index/cues.js";
import { ASKING, COMMON, isTelling, standInsFor, termsAlike } from "./other-words.js";
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
  /** It has a word of its own that tells more than that something is asked. */
  hasMatter: boolean;
}

export interface QuestionTerm {
  term: string;
  /** How much of the question it is, without how rare it is here. */
  weight: number;
  /** Common in any talk, however rare it is here. */
  isCommon: boolean;
  /** The index of the term that it says in the other language, or of whose family it is: it counts as that one, by this share, and not for itself. */
  standsFor?: { term: number; share: number };
}

const HAN = /\p{Script=Han}/u;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const MOST_WORDS = 64;

interface Asking {
  weights?: Weights;
  /** What else may be meant, the newest last. */
  context?: readonly string[];
  /** Words of its own language that mean the same too, and not only those of the other. */
  paraphrased?: boolean;
  /** What else stands for its words. */
  words?: Words;
}

export function questionOf(
  text: string,
  dates: readonly DateHint[],
  {
    weights: { question: shares } = WEIGHTS,
    context = [],
    paraphrased = false,
    words = NO_WORDS,
  }: Asking = {},
): Question {
  const { olderTurn, singleHan, common, asking, chineseTalk } = shares;
  const { weights, pairs } = ownTerms(text, olderTurn);
  const talk = talkAmong(weights, text);
  const telling = [...weights.keys()].filter((term) => !talk.has(term));
  const own = [...weights].map(([term, times]) => [term, (2 * times) / (times + 1)] as const);
  const around = [...termsAround(context, olderTurn)].filter(
    ([term]) => !weights.has(term) && !COMMON.has(term),
  );
  const perShare = shareOf(own, around, shares.context);
  const lent = around.map(([term, share]) => [term, perShare * share] as const);
  // A question about one thing names it, as one about how often; what is no question asks for nothing by its kind.
  const kinds = breadthOf(text) === "list" && !asksHowOften(text) ? [...weights.keys()] : [];
  const named = kinds
    .flatMap((term) => [...words.membersOfKind(term)])
    .filter((term) => !weights.has(term))
    .map((term) => [term, shares.kind] as const);
  const alike = termsAlike(own, talk, words, paraphrased ? shares.alikeWithin : 0).filter(
    ([term]) => !weights.has(term) && !COMMON.has(term),
  );
  const meant = standInsFor(text, telling, words, shares);
  const weightOf = new Map(own);
  const inOtherWords = [...meant].map(
    ([term, { of, share }]) => [term, share * (weightOf.get(of) ?? 0)] as const,
  );
  const taken = [...joined([...own, ...lent, ...named, ...alike, ...inOtherWords])]
    .filter(([, share]) => share > 0)
    .slice(0, MOST_QUERY_TERMS);
  const indexOf = new Map(taken.map(([term], index) => [term, index]));
  const terms = taken.map(([term, share]): QuestionTerm => {
    const other = meant.get(term);
    const of = other && indexOf.get(other.of);
    return {
      term,
      weight:
        share *
        (isSingleHan(term) ? singleHan : 1) *
        (COMMON.has(term) ? common : 1) *
        (talk.has(term) ? chineseTalk : 1) *
        (ASKING.has(term) ? asking : 1),
      isCommon: COMMON.has(term),
      ...(other && of !== undefined && { standsFor: { term: of, share: other.share } }),
    };
  });
  return {
    terms,
    pairs: pairs.flatMap(([a, b]) => {
      const [first, second] = [indexOf.get(a), indexOf.get(b)];
      return first === undefined || second === undefined ? [] : [[first, second] as const];
    }),
    words: [...new Set(foldText(text).match(WORD)?.slice(0, MOST_WORDS).map(foldWord))],
    dates,
    wants: wantsOf(text),
    hasMatter: telling.some(isTelling),
  };
}

/** Of what somebody said the last is what is talked about now; what two say to each other is one matter. */
function ownTerms(
  text: string,
  olderTurn: number,
): { weights: Map<string, number>; pairs: (readonly [string, string])[] } {
  const weights = new Map<string, number>();
  const pairs = new Map<string, readonly [string, string]>();
  const turns = quotedIn(text);
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
  return { weights, pairs: [...pairs.values()] };
}

/** Those that stand only where Chinese says what any question says. */
function talkAmong(weights: ReadonlyMap<string, number>, text: string): ReadonlySet<string> {
  const telling = new Set(termsOf(foldText(text).replace(CHINESE_TALK, " ")));
  return new Set([...weights.keys()].filter((term) => HAN.test(term) && !telling.has(term)));
}

/** The longest first, so that no part of one is left. */
const CHINESE_TALK = new RegExp(
  [...CHINESE_SMALL_TALK].sort((one, other) => other.length - one.length).join("|"),
  "gu",
);

/**
 * The same in the words of the other language alone: beside what is found in both, which where most is
 * told in one may leave no room for the other. Each word of the question counts once, by whichever of
 * its meanings is said. Undefined where there are none.
 */
export function inOtherLanguage(question: Question): Question | undefined {
  const terms: QuestionTerm[] = [];
  for (const [at, asked] of question.terms.entries()) {
    const meanings = question.terms.filter(
      ({ term, standsFor }) => standsFor?.term === at && HAN.test(term) !== HAN.test(asked.term),
    );
    if (meanings.length === 0) continue;
    const place = terms.length;
    terms.push({ ...asked, term: unsaid(asked.term) });
    for (const { standsFor, ...meaning } of meanings)
      terms.push({ ...meaning, standsFor: { term: place, share: standsFor?.share ?? 1 } });
  }
  return terms.length === 0 ? undefined : { ...question, terms, pairs: [] };
}

/** In the place of a word that is not looked for itself: with a letter of runes before it no text has it. */
function unsaid(term: string): string {
  return `\u16a0${term}`;
}

/** Together the words around a question weigh no more than its own; one that has hardly any is lent some. */
function shareOf(
  own: readonly (readonly [string, number])[],
  around: readonly (readonly [string, number])[],
  aside: number,
): number {
  const sum = (of: typeof own): number => of.reduce((total, [, share]) => total + share, 0);
  return Math.min(aside, Math.max(LENT_AT_LEAST, sum(own)) / Math.max(1, sum(around)));
}

const LENT_AT_LEAST = 4;

/** Each term once, with the largest of its shares. */
function joined(terms: readonly (readonly [string, number])[]): Map<string, number> {
  const shares = new Map<string, number>();
  for (const [term, share] of terms) shares.set(term, Math.max(share, shares.get(term) ?? 0));
  return shares;
}

/** Each term with how near it was said, 1 for the newest; the newest first. */
function termsAround(context: readonly string[], olderTurn: number): Map<string, number> {
  const shares = new Map<string, number>();
  for (const [back, said] of context.toReversed().entries())
    for (const term of termsOf(said)) if (!shares.has(term)) shares.set(term, olderTurn ** back);
  return shares;
}

function isSingleHan(term: string): boolean {
  return term.length <= 2 && HAN.test(term) && [...term].length === 1;
}

const WORD_OR_HAN = /\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}_'’])+/gu;

/** Where in a text the words that were asked for stand, in whatever form (`deployed` for `deployment`); touching marks are one. */
export function markerOf(query: string): (text: string) => [from: number, to: number][] {
  const wanted = new Set(termsOf(query));
  return (text) => {
    const marks: [from: number, to: number][] = [];
    for (const { 0: word, index: from } of text.matchAll(WORD_OR_HAN)) {
      if (!termsOf(word).some((term) => wanted.has(term))) continue;
      const last = marks.at(-1);
      if (last?.[1] === from) last[1] = from + word.length;
      else marks.push([from, from + word.length]);
    }
    return marks;
  };
}
