/** The words that stand for others, read from the tables of the package. */
import { dictionaryTable } from "../platform/package-root.js";
import { type Words, WORD_TABLES, wordsIn } from "../text/everyday-words.js";

/** Those of tables that are not there say nothing. */
export async function readWords(): Promise<Words> {
  const tables = await Promise.all(
    WORD_TABLES.map(async (name) => [name, await dictionaryTable(name)] as const),
  );
  return wordsIn(Object.fromEntries(tables));
}
