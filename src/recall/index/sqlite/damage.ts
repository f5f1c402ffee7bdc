/** Whether an error of SQLite says that the file itself is of no use: then it is made again. Pure. */

const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;
/** The file is shorter than it says. Any other I/O error is the disk's. */
const SQLITE_IOERR_SHORT_READ = 522;
/** A table that is not there, or a full-text table whose parts are not. */
const MISSING_PART = /no such (?:table|column)|vtable constructor failed/;

export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // What it holds is written by this program alone: JSON that does not parse is damage as well.
  if (error instanceof SyntaxError || MISSING_PART.test(error.message)) return true;
  const code = "errcode" in error && typeof error.errcode === "number" ? error.errcode : 0;
  return [SQLITE_CORRUPT, SQLITE_NOTADB].includes(code & 0xff) || code === SQLITE_IOERR_SHORT_READ;
}
