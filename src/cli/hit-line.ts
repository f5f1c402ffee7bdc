/** What was found on the terminal, a thing a line: `path:line  score  date  text`; what no longer holds says so. */
import pc from "picocolors";
import type { Found } from "../model/found.js";
import type { Hit } from "../model/passage.js";
import { terminal } from "../platform/process.js";
import { excerptOf, onOneLine } from "../service/excerpt.js";
import type { Marked } from "../service/operations/shapes.js";
import { printLine } from "./context.js";

/** `width`: of the text, in characters. `dress`: a marked word, for a terminal. */
export function hitLine(
  { source, score, date, text, standing, overtakenOn, marks = [] }: Found & Marked,
  width: number,
  dress: (word: string) => string = (word) => word,
): string {
  const past = standing ?? (overtakenOn === undefined ? undefined : `overtaken ${overtakenOn}`);
  const said = `${past === undefined ? "" : `(${past}) `}${excerptOf(text, marks, width, dress)}`;
  return [source, ...(score === undefined ? [] : [score.toFixed(2)]), date, said].join("  ");
}

/** The messages that it comes from, on one line; undefined where none is known. */
export function sourcesLine({ messageIds }: Pick<Found, "messageIds">): string | undefined {
  return messageIds.length === 0 ? undefined : `from ${messageIds.map((id) => onOneLine(id)).join(", ")}`;
}

/** The parts of its score on one line: what was summed, what multiplied it (×), what was added (+). */
export function scoreLine({ score, parts }: Pick<Hit, "score" | "parts">): string {
  const shown = Object.entries(parts).flatMap(([name, value]) => {
    const sign = MULTIPLIED.has(name) ? "×" : ADDED.has(name) ? "+" : "";
    return Math.abs(value) < LEAST_SHOWN ? [] : [`${NAMES[name] ?? name} ${sign}${value.toFixed(2)}`];
  });
  return `${shown.join(" · ")} → ${score.toFixed(2)}`;
}

const LEAST_SHOWN = 0.005;
const MULTIPLIED: ReadonlySet<string> = new Set(["speaker", "agent", "asked", "tellsTime", "recency"]);
const ADDED: ReadonlySet<string> = new Set(["neighbours", "vector", "session", "date", "later"]);
const NAMES: Readonly<Record<string, string>> = {
  tellsTime: "tells a time",
  agent: "said by the agent",
  asked: "a question",
};

/** Beside path, score and date. */
const COLUMNS_BESIDE = 60;
const LEAST_WIDTH = 60;
const WIDTH_IN_FILES = 160;

/** With the words that matched in bold. */
export function foundLine(found: Found & Marked): string {
  const { isTTY, columns } = terminal;
  return hitLine(found, isTTY ? Math.max(LEAST_WIDTH, columns - COLUMNS_BESIDE) : WIDTH_IN_FILES, pc.bold);
}

/** Where there are no lines, that, and what to try. */
export function printFound(
  lines: readonly string[],
  { warnings, advice }: { warnings: readonly string[]; advice?: string },
  nothing: string,
): void {
  for (const warning of warnings) terminal.err(`${pc.yellow(warning)}\n`);
  for (const line of lines) printLine(line);
  if (lines.length === 0) printLine(advice === undefined ? nothing : `${nothing} ${advice}`);
}
