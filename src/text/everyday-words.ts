/**
 * What stands for a word besides itself: the other language's, words that people
 * use for each other in everyday talk, and what tells of the kind of thing that it
 * asks for. Pure; the tables are the files of `dictionary/`.
 */
import { entryOf } from "../model/collections.js";
import { type Dictionary, dictionaryIn } from "./dictionary.js";
import { stem, wordTerms } from "./terms.js";

/** Terms by a term; none where nobody wrote them down. */
type Table = (term: string) => ReadonlySet<string>;

interface Phrase {
  stems: readonly string[];
  /** That say the same, in both languages. */
  terms: ReadonlySet<string>;
}

export interface Words {
  dictionary: Dictionary;
  /** Of a stem, those of the same family: who asks for a decision is answered by what was decided. */
  families: Dictionary;
  /** That say nearly the same: who asks what the trip cost is answered by what was paid, who asks about a knee by 膝盖. */
  synonymsOf: Table;
  /** Phrases among words that follow each other, in stems: "throw it up" is to vomit, and has little to do with throwing. */
  phrasesIn: (stems: readonly string[]) => readonly Phrase[];
  /** That tell of a kind by its name: who asks for activities is answered by "we went camping", who asks for 宠物 by 猫. */
  membersOfKind: Table;
}

/** By the name of a table its text; undefined in a package without it. */
export function wordsIn(
  tableOf: (name: "words" | "families" | "everyday" | "phrases" | "kinds") => string | undefined,
): Words {
  return {
    dictionary: dictionaryIn(tableOf("words") ?? ""),
    families: dictionaryIn(tableOf("families") ?? ""),
    synonymsOf: synonymsIn(linesOf(tableOf("everyday"))),
    phrasesIn: phrasesOf(linesOf(tableOf("phrases"))),
    membersOfKind: membersIn(tableOf("kinds") ?? ""),
  };
}

/** The words of each line. */
function linesOf(table = ""): string[][] {
  return table.split("\n").map((line) => line.split(/\s+/).filter(Boolean));
}

/** For what needs no more than a text's own words. */
export const NO_WORDS: Words = wordsIn(() => undefined);

/** A line is a meaning; one word may stand in several. Kept by line: most words are never asked for. */
function synonymsIn(lines: readonly (readonly string[])[]): Table {
  const meanings = new Map<string, (readonly string[])[]>();
  for (const line of lines) {
    const terms = termsOfAll(line);
    for (const term of new Set(terms)) entryOf(meanings, term, () => []).push(terms);
  }
  return (term) => {
    const same = new Set((meanings.get(term) ?? []).flat());
    same.delete(term);
    return same;
  };
}

/** A line is a kind: the words that ask for it, a colon, the words that tell of it. */
function membersIn(table: string): Table {
  const members = new Map<string, Set<string>>();
  for (const line of table.split("\n")) {
    const [asking = "", telling = ""] = line.split(":");
    const told = termsIn(telling);
    for (const kind of termsIn(asking))
      for (const term of told) entryOf(members, kind, () => new Set<string>()).add(term);
  }
  return (term) => members.get(term) ?? NONE;
}

/** Between the words of a phrase so many others may stand: "turn the whole offer down". */
const MOST_BETWEEN = 3;

/** A line is a meaning; `throw_up` in it is one phrase. */
function phrasesOf(lines: readonly (readonly string[])[]): Words["phrasesIn"] {
  const byFirst = new Map<string, Phrase[]>();
  for (const line of lines)
    for (const written of line.filter(isPhrase)) {
      const stems = written.split("_").map(stem);
      entryOf(byFirst, stems[0] ?? "", () => []).push({ stems, terms: new Set(termsOfAll(line)) });
    }
  return (said) =>
    said.flatMap((first, at) => (byFirst.get(first) ?? []).filter(({ stems }) => isSaidAt(said, at, stems)));
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

function isPhrase(written: string): boolean {
  return written.includes("_");
}

/** Of the single words; phrases are looked for in questions alone. */
function termsOfAll(line: readonly string[]): string[] {
  return line.flatMap((word) => (isPhrase(word) ? [] : wordTerms(word)));
}

function termsIn(words: string): string[] {
  return termsOfAll(words.split(/\s+/).filter(Boolean));
}

const NONE: ReadonlySet<string> = new Set();
