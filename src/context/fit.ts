/** What fitting into a budget gives, and the pieces that every section's rule is made of. */
import { estimateTokens } from "../text/tokens.js";

export interface Fitted {
  /** The section below its heading; empty when it has nothing to say. */
  body: string;
  /** What was shortened or left out, in words. */
  cuts: string[];
  warnings: string[];
}

export const NOTHING: Fitted = { body: "", cuts: [], warnings: [] };

/** One newline between two lines, at most. */
export const NEWLINE_TOKENS = 1;

/** What lines cost when they stand one below the other; an upper bound, as a whole never costs more than its parts. */
export function costOfLines(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + estimateTokens(line) + NEWLINE_TOKENS, 0);
}

/** The largest whole number in [`low`, `high`] found to fit; undefined when `low` does not. */
export function largestFitting(
  low: number,
  high: number,
  fits: (value: number) => boolean,
): number | undefined {
  if (high < low || !fits(low)) return undefined;
  let best = low;
  for (let from = low + 1, to = high; from <= to;) {
    const middle = Math.floor((from + to) / 2);
    if (fits(middle)) {
      best = middle;
      from = middle + 1;
    } else {
      to = middle - 1;
    }
  }
  return best;
}

export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}
