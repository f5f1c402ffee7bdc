/**
 * What stands for a word besides itself: the other language's, words that people
 * use for each other in everyday talk, and what tells of the kind of thing that it
 * asks for. Pure; the tables are the files of `dictionary/`.
 */
import { type Dictionary, dictionaryIn } from "./dictionary.js";
import { tableIn } from "./tables.js";

/** Terms by a term; none where nobody wrote them down. */
type TermsOf = (term: string) => ReadonlySet<string>;

interface Phrase {
  stems: readonly string[];
  /** That say the same, in both languages. */
  terms: readonly string[];
}

export interface Words {
  dictionary: Dictionary;
  /** Of a stem, those of the same family: who asks for a decision is answered by what was decided. */
  families: Dictionary;
  /** That say nearly the same: who asks what the trip cost is answered by what was paid, who asks about a knee by 膝盖. */
  synonymsOf: TermsOf;
  /** Phrases among words that follow each other, in stems: "throw it up" is to vomit, and has little to do with throwing. */
  phrasesIn: (stems: readonly string[]) => readonly Phrase[];
  /** That tell of a kind by its name: who asks for activities is answered by "we went camping", who asks for 宠物 by 猫. */
  membersOfKind: TermsOf;
}

export const WORD_TABLES = ["words", "families", "everyday", "phrases", "kinds"] as const;
export type WordTable = (typeof WORD_TABLES)[number];

/** By the names of tables their bytes; those of a package without them say nothing. */
export function wordsIn(tables: Partial<Record<WordTable, Uint8Array | undefined>>): Words {
  const { words = EMPTY, families = EMPTY, everyday = EMPTY, phrases = EMPTY, kinds = EMPTY } = tables;
  return {
    dictionary: dictionaryIn(words),
    families: dictionaryIn(families),
    synonymsOf: termsIn(everyday),
    phrasesIn: phrasesOf(phrases),
    membersOfKind: termsIn(kinds),
  };
}

const EMPTY = new Uint8Array();
const NONE: ReadonlySet<string> = new Set();

/** For what needs no more than a text's own words. */
export const NO_WORDS: Words = wordsIn({});

function termsIn(bytes: Uint8Array): TermsOf {
  const lineOf = tableIn(bytes);
  return (term) => {
    const line = lineOf(term);
    return line === undefined ? NONE : new Set(line.split(" "));
  };
}

/** Between the words of a phrase so many others may stand: "turn the whole offer down". */
const MOST_BETWEEN = 3;

/** By the first of its stems: `throw_up:vomit,呕吐`, with blanks between. */
function phrasesOf(bytes: Uint8Array): Words["phrasesIn"] {
  const lineOf = tableIn(bytes);
  const beginningWith = (first: string): Phrase[] =>
    (lineOf(first)?.split(" ") ?? []).map((written) => {
      const [stems = "", terms = ""] = written.split(":");
      return { stems: stems.split("_"), terms: terms.split(",") };
    });
  return (said) =>
    said.flatMap((first, at) => beginningWith(first).filter(({ stems }) => isSaidAt(said, at, stems)));
}

function isSaidAt(said: readonly string[], at: number, [, ...rest]: readonly string[]): boolean {
  let place = at;
  return rest.every((word) => {
    const next = said.indexOf(word, place + 1);
    const isNear = next !== -1 && next - place <= MOST_BETWEEN + 1;
    place = next;
    return isNear;
  });
}
