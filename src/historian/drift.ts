/**
 * Whether a sentence that was written again still speaks of the same: every id
 * that it named is there, and none came from nowhere.
 *
 * Pure. An id is what stands in brackets behind a name, `Lin Yue(u-17)`, any
 * word of letters and digits, and any number of five digits or more; dates and
 * times are none, since they are what is added.
 */
export interface Drift {
  /** In the original and no more in the rewriting. */
  lost: string[];
  /** In the rewriting and in nothing that was known. */
  invented: string[];
}

/** `known`: all else that the rewriting may have taken ids from. */
export function driftOf(original: string, rewritten: string, known: readonly string[] = []): Drift {
  const before = idsIn(original);
  const after = idsIn(rewritten);
  const allowed = new Set([...before, ...known.flatMap((text) => [...idsIn(text)])]);
  return {
    lost: [...before].filter((id) => !after.has(id)),
    invented: [...after].filter((id) => !allowed.has(id)),
  };
}

export function hasDrifted({ lost, invented }: Drift): boolean {
  return lost.length > 0 || invented.length > 0;
}

const DATE_OR_TIME =
  /\d{4}-\d{1,2}(?:-\d{1,2})?(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?|\d{4}\s*年(?:\s*\d{1,2}\s*月)?(?:\s*\d{1,2}\s*[日号])?|\d{1,2}:\d{2}(?::\d{2})?|\d{4}\/\d{1,2}\/\d{1,2}|\b\d{1,2}(?:st|nd|rd|th)\b|\b\d{1,2}(?:am|pm)\b/giu;
const IN_BRACKETS = /[(（]([\p{L}\p{N}][\p{L}\p{N}_.:@-]*)[)）]/gu;
const LETTERS_AND_DIGITS =
  /(?<![\p{L}\p{N}])(?=[A-Za-z0-9_-]*\d)(?=[A-Za-z0-9_-]*[A-Za-z])[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*|\d{5,}/gu;

function idsIn(text: string): Set<string> {
  const rest = text.replace(DATE_OR_TIME, " ");
  const ids = new Set<string>();
  for (const [, id = ""] of rest.matchAll(IN_BRACKETS))
    if (/[\d_@-]|^\p{Ll}+$/u.test(id)) ids.add(id.toLowerCase());
  for (const [id] of rest.matchAll(LETTERS_AND_DIGITS)) ids.add(id.toLowerCase());
  return ids;
}
