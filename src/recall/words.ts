/** The words that stand for others, read from the tables of the package. */
import { dictionaryTable } from "../platform/package-root.js";
import { type Words, WORD_TABLES, wordsIn } from "../text/everyday-words.js";

/** Those of tables that are not there say nothing. */
export function readWords(): Words {
  return wordsIn(Object.fromEntries(WORD_TABLES.map((name) => [name, dictionaryTable(name)])));
}
