/** Whether an error of SQLite says that the file itself is of no use: then it is made again. Pure. */

/** SQLITE_CORRUPT, SQLITE_NOTADB. */
const DAMAGED = new Set([11, 26]);
const MISSING_PART = /no such (?:table|column)/;

export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "errcode" in error && typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
  // What it holds is written by this program alone: JSON that does not parse is damage as well.
  return DAMAGED.has(code ?? 0) || MISSING_PART.test(error.message) || error instanceof SyntaxError;
}
