/** What fitting into a budget gives, and the pieces that every section's rule is made of. */
import { openFence } from "../text/sentences.js";
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

/** Whole whatever it costs: cutting who the agent is would be worse than the cost. */
export function keepWhole(text: string, budgetTokens: number, file: string): Fitted {
  const tokens = Math.ceil(estimateTokens(text));
  const warning = `${file} takes about ${tokens} tokens, more than its budget; it is shown whole.`;
  return { body: text, cuts: [], warnings: tokens <= budgetTokens ? [] : [warning] };
}

/** Lines go from the end until the rest fits. */
export function dropLastLines(text: string, budgetTokens: number, file: string): Fitted {
  if (text === "" || estimateTokens(text) <= budgetTokens) return { ...NOTHING, body: text };
  const notice = `(Shortened; the rest is in ${file}.)`;
  const lines = text.split("\n");
  // A fence that a cut leaves open is closed again, on a line of its own.
  const fences = [...text.matchAll(/^ {0,3}(`{3,}|~{3,})/gm)].map(([, marks = ""]) => estimateTokens(marks));
  let left =
    budgetTokens - estimateTokens(notice) - Math.max(0, ...fences.slice(0, 1000)) - 2 * NEWLINE_TOKENS;
  let kept = 0;
  for (const line of lines) {
    left -= estimateTokens(line) + NEWLINE_TOKENS;
    if (left < 0) break;
    kept += 1;
  }
  const head = lines.slice(0, kept).join("\n").trimEnd();
  const cuts = [`${counted(lines.length - kept, "line")} left out`];
  if (head === "") return { body: "", cuts, warnings: [`No line of ${file} fits into its budget.`] };
  const open = openFence(head);
  return { body: [head, ...(open === undefined ? [] : [open]), notice].join("\n"), cuts, warnings: [] };
}

/** The oldest lines go until the rest fits. Every line stands for itself. */
export function dropFirstLines(text: string, budgetTokens: number, file: string): Fitted {
  if (text === "" || estimateTokens(text) <= budgetTokens) return { ...NOTHING, body: text };
  const lines = text.split("\n");
  const notice = `(Older ones are in ${file}.)`;
  let left = budgetTokens - estimateTokens(notice) - NEWLINE_TOKENS;
  let from = lines.length;
  while (from > 0) {
    left -= estimateTokens(lines[from - 1] ?? "") + NEWLINE_TOKENS;
    if (left < 0) break;
    from -= 1;
  }
  const cuts = [`${counted(from, "older line")} left out`];
  if (from === lines.length)
    return { body: "", cuts, warnings: [`No line of ${file} fits into its budget.`] };
  return { body: [notice, ...lines.slice(from)].join("\n"), cuts, warnings: [] };
}
