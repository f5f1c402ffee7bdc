/**
 * What stands for a word besides itself: the other language's, words that people
 * use for each other in everyday talk, and what tells of the kind of thing that it
 * asks for. Pure; the tables are the files of `dictionary/`.
 */
import { type Dictionary, dictionaryIn } from "./dictionary.js";
import { wordTerms } from "./terms.js";

/** Terms by a term; none where nobody wrote them down. */
type Table = (term: string) => ReadonlySet<string>;

export interface Words {
  dictionary: Dictionary;
  /** Of a stem, those of the same family: who asks for a decision is answered by what was decided. */
  families: Dictionary;
  /** That say nearly the same: who asks what the trip cost is answered by what was paid, who asks about a knee by 膝盖. */
  synonymsOf: Table;
  /** That tell of a kind by its name: who asks for activities is answered by "we went camping", who asks for 宠物 by 猫. */
  membersOfKind: Table;
}

/** By the name of a table its text; undefined in a package without it. */
export function wordsIn(
  tableOf: (name: "words" | "families" | "everyday" | "kinds") => string | undefined,
): Words {
  return {
    dictionary: dictionaryIn(tableOf("words") ?? ""),
    families: dictionaryIn(tableOf("families") ?? ""),
    synonymsOf: synonymsIn(tableOf("everyday") ?? ""),
    membersOfKind: membersIn(tableOf("kinds") ?? ""),
  };
}

/** For what needs no more than a text's own words. */
export const NO_WORDS: Words = wordsIn(() => undefined);

/** A line is a meaning; one word may stand in several. */
function synonymsIn(table: string): Table {
  const same = new Map<string, Set<string>>();
  for (const line of table.split("\n")) {
    const terms = termsIn(line);
    for (const term of terms) for (const other of terms) if (other !== term) add(same, term, other);
  }
  return (term) => same.get(term) ?? NONE;
}

/** A line is a kind: the words that ask for it, a colon, the words that tell of it. */
function membersIn(table: string): Table {
  const members = new Map<string, Set<string>>();
  for (const line of table.split("\n")) {
    const [asking = "", telling = ""] = line.split(":");
    const told = termsIn(telling);
    for (const kind of termsIn(asking)) for (const term of told) add(members, kind, term);
  }
  return (term) => members.get(term) ?? NONE;
}

function add(table: Map<string, Set<string>>, key: string, value: string): void {
  const known = table.get(key);
  if (known === undefined) table.set(key, new Set([value]));
  else known.add(value);
}

function termsIn(words: string): string[] {
  return words.split(/\s+/).flatMap((word) => (word === "" ? [] : wordTerms(word)));
}

const NONE: ReadonlySet<string> = new Set();
