/** What was found, on the terminal. */
import pc from "picocolors";
import { terminal, type Terminal } from "../platform/process.js";
import { MARKS } from "../serve/marks.js";
import { printLine } from "./context.js";

/** Beside path, score and date. */
const COLUMNS_BESIDE = 60;
const LEAST_WIDTH = 60;
const WIDTH_IN_FILES = 160;

/** Characters of text in one line. */
export function lineWidth({ isTTY, columns }: Pick<Terminal, "isTTY" | "columns">): number {
  return isTTY ? Math.max(LEAST_WIDTH, columns - COLUMNS_BESIDE) : WIDTH_IN_FILES;
}

/** The lines with the words that matched in bold; where there are none, that, and what to try. */
export function printFound(
  { lines = [], warnings, advice }: { lines?: string[]; warnings: string[]; advice?: string },
  nothing: string,
): void {
  for (const warning of warnings) terminal.err(`${pc.yellow(warning)}\n`);
  for (const line of lines) printLine(coloured(line));
  if (lines.length === 0) printLine(advice === undefined ? nothing : `${nothing} ${advice}`);
}

function coloured(line: string): string {
  return line
    .split(MARKS.open)
    .map((part, index) => {
      const end = part.indexOf(MARKS.close);
      return index === 0 || end === -1
        ? part
        : pc.bold(part.slice(0, end)) + part.slice(end + MARKS.close.length);
    })
    .join("");
}
