/**
 * A file of the index read once from end to end while nobody asks: a question
 * looks at hundreds of rows all over it, and from a cold disk each costs as
 * much as all of a warm one.
 *
 * Through the database: a file that is opened beside it and closed again would
 * take the database's locks with it.
 */
import type { Database } from "../../../platform/sqlite.js";

/** Rows of a step; it takes a millisecond, or some on a cold disk. */
const ROWS = 400;

/** The last column of a row is read with all that stands before it. */
const TABLES = [
  { table: "words_data", last: "block" },
  { table: "passages", last: "passage" },
] as const;

/** One step at each call; false when nothing is left to read. */
export function readAhead(db: Database): () => boolean {
  const waiting = TABLES.map(({ table, last }) =>
    db.prepare(
      // As text: a number of `words_data` may be larger than JavaScript's are.
      `SELECT CAST(max(id) AS TEXT) AS id, sum(size) FROM (SELECT id, length(${last}) AS size FROM ${table}
        WHERE id > CAST(? AS INTEGER) ORDER BY id LIMIT ${ROWS})`,
    ),
  );
  let after = FROM_THE_FIRST;
  return () => {
    const [next] = waiting;
    if (next === undefined) return false;
    const reached = next.get(after)?.["id"] ?? undefined;
    if (reached === undefined) waiting.shift();
    after = reached === undefined ? FROM_THE_FIRST : String(reached);
    return true;
  };
}

const FROM_THE_FIRST = "-1";
