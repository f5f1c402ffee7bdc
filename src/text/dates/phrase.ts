/** A phrase that tells a time from the day on which it is said, wherever one is looked for. Pure. */
import type { Day } from "../../model/time.js";

/** Where a relative date stands, and what it means: `YYYY-MM-DD`, `YYYY-MM`, `YYYY` or a week, `A – B`. */
export interface DatePhrase {
  from: number;
  to: number;
  date: string;
}

export type Solve = (phrase: string, reference: Day) => Day | undefined;

export interface Given {
  text: string;
  today: Day;
  solve: Solve;
  /** Also where a sentence leaves it open. */
  mayGuess: boolean;
}

/** Where a match stands, `’s` with it, and what it means. */
export function at(text: string, match: RegExpMatchArray, date: string | undefined): DatePhrase[] {
  return date === undefined ? [] : [{ from: match.index ?? 0, to: endOf(text, match), date }];
}

export function endOf(text: string, match: RegExpMatchArray): number {
  const end = (match.index ?? 0) + match[0].length;
  return /^['’]s\b/.test(text.slice(end, end + 3)) ? end + 2 : end;
}
