/**
 * What is asked for and nobody has said: allergy where "allergic" stands, posgres where "postgres"
 * does. A word that the vocabulary knows, or that another language says, is never replaced; what is
 * known is decided over what is open to who asks, so that nobody else's words change an answer.
 */
import { nameKey } from "../text/dictionary.js";
import type { Words } from "../text/everyday-words.js";
import { familyOf } from "../text/families.js";
import { LONGEST_SLIP, SHORTEST_SLIP, slipsBetween, slipsOf } from "../text/slips.js";
import { stem } from "../text/terms.js";
import type { Question, QuestionTerm } from "./question.js";
import type { Weights } from "./weights.js";

/** A word of the question, and what it was taken for, as people write them. */
export interface Correction {
  asked: string;
  taken: string;
}

/** The question with what its words were taken for. */
interface Nearest {
  question: Question;
  corrections: Correction[];
}

/** What is open says of its words. */
export interface Vocabulary {
  /** In how many passages each term is. */
  frequencies(terms: readonly string[]): Promise<readonly number[]>;
  /** Terms that begin with these letters; not all of them need be open. */
  beginning(letters: string): Promise<readonly string[]>;
}

interface Asked {
  question: Question;
  /** Of each of its terms. */
  frequencies: readonly number[];
  vocabulary: Vocabulary;
  words: Pick<Words, "dictionary">;
  shares: Pick<Weights["question"], "familyAlone" | "slip">;
}

/** More than these are no slips but another language. */
const MOST_UNSAID = 2;
/** Of a family; the rest of it says hardly more. */
const MOST_OF_FAMILY = 4;
/** Letters from which two slips are no other word. */
const LONG = 8;
const TWO = 2;
/** Letters from which a word that is still being typed says something. */
const BEGUN = 2;
/** Of a word with two slips so many letters are taken for right. */
const BEGINNING = 2;
const PLAIN = /^[a-z]+$/;

/** Undefined where every word is known, or none is near. */
export async function withNearest(asked: Asked): Promise<Nearest | undefined> {
  const { question, shares } = asked;
  const terms = [...question.terms];
  const corrections: Correction[] = [];
  const unsaid = unsaidIn(asked);
  // One thread answers all of it: each word by itself would wait for its turn again and again.
  const near = await Promise.all(unsaid.map((one) => nearTo(asked, one)));
  for (const [place, { at, word }] of unsaid.entries()) {
    const term = terms[at] as QuestionTerm;
    const { family = [], meant } = near[place] ?? {};
    const [best] = family;
    const standsFor = { term: at, share: shares.familyAlone };
    for (const { term: other } of family) {
      const stands = terms.findIndex((one) => one.term === other);
      const taken = { term: other, weight: shares.familyAlone * term.weight, isCommon: false, standsFor };
      if (stands === -1) terms.push(taken);
      else if (terms[stands]?.standsFor?.term === at) terms[stands] = taken;
    }
    if (meant !== undefined) terms[at] = { ...term, term: meant.term, weight: shares.slip * term.weight };
    const taken = best?.word ?? meant?.word;
    if (taken !== undefined) corrections.push({ asked: word, taken });
  }
  if (corrections.length === 0) return withBegun(asked);
  return { question: { ...question, terms }, corrections };
}

/** Where nothing that was asked is said: what begins as its last word does, which somebody may still be typing. */
async function withBegun({ question, frequencies, vocabulary, shares }: Asked): Promise<Nearest | undefined> {
  const word = question.words.at(-1) ?? "";
  const at = question.terms.findIndex(({ term }) => term === stem(word));
  const asked = question.terms[at];
  if (asked === undefined || word.length < BEGUN || word.length > LONGEST_SLIP || !PLAIN.test(word))
    return undefined;
  if (frequencies.some((times) => times > 0)) return undefined;
  const beginning = await vocabulary.beginning(word);
  const begun = await saidOf(vocabulary, beginning, new Set(), { termOf: (other) => other });
  const [best, ...others] = begun.slice(0, MOST_OF_FAMILY);
  if (best === undefined) return undefined;
  const standsFor = { term: at, share: shares.familyAlone };
  const terms = question.terms.with(at, { ...asked, term: best.term, isCommon: false });
  for (const { term } of others)
    terms.push({ term, weight: shares.familyAlone * asked.weight, isCommon: false, standsFor });
  return { question: { ...question, terms }, corrections: [{ asked: word, taken: best.word }] };
}

interface Unsaid {
  /** Of the question's terms. */
  at: number;
  word: string;
  /** Something that is said stands for it. */
  isMeant: boolean;
}

/** Telling words of its own that nothing says. */
function unsaidIn({ question, frequencies }: Asked): Unsaid[] {
  const isSaid = (at: number): boolean => (frequencies[at] ?? 0) > 0;
  const meant = new Set(
    question.terms.flatMap(({ standsFor }, at) =>
      standsFor !== undefined && isSaid(at) ? [standsFor.term] : [],
    ),
  );
  const words = new Map(question.words.filter((word) => PLAIN.test(word)).map((word) => [stem(word), word]));
  const unsaid = question.terms.flatMap(({ term, isCommon, standsFor }, at): Unsaid[] => {
    const word = words.get(term);
    if (word === undefined || word.length < SHORTEST_SLIP || word.length > LONGEST_SLIP) return [];
    return isCommon || isSaid(at) || standsFor !== undefined ? [] : [{ at, word, isMeant: meant.has(at) }];
  });
  return unsaid.slice(0, MOST_UNSAID);
}

/** Of one word: those of its family that are said, else what it may have been meant for. */
async function nearTo(asked: Asked, unsaid: Unsaid): Promise<{ family?: SaidWord[]; meant?: SaidWord }> {
  const { question, frequencies, vocabulary } = asked;
  const { at, word, isMeant } = unsaid;
  const told = question.terms.flatMap(({ term, standsFor }, place) =>
    standsFor?.term === at && PLAIN.test(term) && (frequencies[place] ?? 0) > 0 ? [{ term, word: term }] : [],
  );
  if (told.length > 0) return { family: told };
  const head = word.slice(0, BEGINNING);
  const beginning = new Set(await vocabulary.beginning(head));
  // Of hundreds of words that are made most begin as this one does, and few of those stand anywhere.
  const mayBe = (other: string): boolean => !other.startsWith(head) || beginning.has(other);
  const known = new Set(question.terms.map(({ term }) => term));
  const family = await saidOf(vocabulary, familyOf(word), known, { mayBe });
  if (family.length > 0) return { family: family.slice(0, MOST_OF_FAMILY) };
  const term = question.terms[at]?.term ?? "";
  if (isMeant || isWord(term, asked)) return {};
  const [near] = await saidOf(vocabulary, slipsOf(word), known, { mayBe });
  if (near !== undefined) return { meant: near };
  if (word.length < LONG) return {};
  const further = [...beginning].filter((other) => slipsBetween(term, other, TWO) <= TWO);
  const [furthest] = await saidOf(vocabulary, further, known, { termOf: (other) => other });
  return furthest === undefined ? {} : { meant: furthest };
}

function isWord(term: string, { words: { dictionary } }: Asked): boolean {
  return dictionary(term).length > 0 || dictionary(nameKey(term)).length > 0;
}

/** A term that is said, as people write it. */
interface SaidWord {
  term: string;
  word: string;
}

async function saidOf(
  vocabulary: Vocabulary,
  words: Iterable<string>,
  without: ReadonlySet<string>,
  { termOf = stem, mayBe = () => true }: { termOf?: typeof stem; mayBe?: (term: string) => boolean } = {},
): Promise<SaidWord[]> {
  const byTerm = new Map<string, string>();
  for (const word of words) {
    const term = termOf(word);
    if (!without.has(term) && !byTerm.has(term) && mayBe(term)) byTerm.set(term, word);
  }
  const terms = [...byTerm.keys()];
  if (terms.length === 0) return [];
  const frequencies = await vocabulary.frequencies(terms);
  return terms
    .flatMap((term, at) => {
      const times = frequencies[at] ?? 0;
      return times === 0 ? [] : [{ term, word: byTerm.get(term) ?? term, times }];
    })
    .sort((one, other) => other.times - one.times || (one.term < other.term ? -1 : 1));
}
