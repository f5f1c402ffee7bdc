/**
 * The lists that people write, as the tables that memd reads: each word as the term that it is
 * looked for by, with all that stands beside it in any line. Pure.
 */
import { entryOf } from "../src/model/collections.js";
import type { WordTable } from "../src/text/everyday-words.js";
import { stem, wordTerms } from "../src/text/terms.js";
import { inByteOrder } from "./byte-order.js";

export const LISTS = ["everyday", "phrases", "kinds"] as const satisfies readonly WordTable[];
export type List = (typeof LISTS)[number];

export function tableOf(list: List, text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const rows = { everyday: synonyms, phrases, kinds }[list](lines);
  return inByteOrder([...rows].map(([key, values]) => `${key}\t${[...values].join(" ")}`));
}

type Rows = Map<string, Set<string>>;

/** A line is a meaning; one word may stand in several. */
function synonyms(lines: readonly string[]): Rows {
  const rows: Rows = new Map();
  for (const line of lines) {
    const terms = termsIn(line);
    for (const term of terms)
      for (const other of terms) if (other !== term) entryOf(rows, term, () => new Set()).add(other);
  }
  return rows;
}

/** A line is a meaning; `throw_up` in it is one phrase. */
function phrases(lines: readonly string[]): Rows {
  const rows: Rows = new Map();
  for (const line of lines)
    for (const written of wordsIn(line).filter(isPhrase)) {
      const stems = written.split("_").map(stem);
      const terms = new Set(termsIn(line));
      entryOf(rows, stems[0] ?? "", () => new Set()).add(`${stems.join("_")}:${[...terms].join(",")}`);
    }
  return rows;
}

/** A line is a kind: the words that ask for it, a colon, the words that tell of it. */
function kinds(lines: readonly string[]): Rows {
  const rows: Rows = new Map();
  for (const line of lines) {
    const [asking = "", telling = ""] = line.split(":");
    for (const kind of termsIn(asking))
      for (const term of termsIn(telling)) entryOf(rows, kind, () => new Set()).add(term);
  }
  return rows;
}

/** Of the single words; phrases are looked for in questions alone. */
function termsIn(line: string): string[] {
  return wordsIn(line).flatMap((word) => (isPhrase(word) ? [] : wordTerms(word)));
}

function wordsIn(line: string): string[] {
  return line.split(/\s+/).filter(Boolean);
}

function isPhrase(written: string): boolean {
  return written.includes("_");
}
