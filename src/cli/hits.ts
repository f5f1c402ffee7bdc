/** What was found, on the terminal. */
import pc from "picocolors";
import type { Found } from "../model/found.js";
import { terminal } from "../platform/process.js";
import type { Marked } from "../service/operations/memories.js";
import { printLine } from "./context.js";
import { hitLine } from "./hit-line.js";

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
