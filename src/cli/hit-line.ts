/**
 * What was found on the terminal, a thing a line: `path:line  score  date  text`; what no longer holds says
 * so. The text is shortened around what was asked for and cleared of control characters: what was stored
 * must not be able to drive a terminal.
 */
import pc from "picocolors";
import type { Found } from "../model/found.js";
import type { Hit } from "../model/passage.js";
import { terminal } from "../platform/process.js";
import type { Marked } from "../service/operations/shapes.js";
import { printLine } from "./context.js";

type Mark = readonly [from: number, to: number];

/** `width`: of the text, in characters. `dress`: a marked word, for a terminal. */
export function hitLine(
  { source, score, date, text, standing, overtakenOn, marks = [] }: Found & Marked,
  width: number,
  dress: (word: string) => string = (word) => word,
): string {
  const past = standing ?? (overtakenOn === undefined ? undefined : `overtaken ${overtakenOn}`);
  const said = `${past === undefined ? "" : `(${past}) `}${excerpt(oneLine(text, marks), width, dress)}`;
  return [source, ...(score === undefined ? [] : [score.toFixed(2)]), date, said].join("  ");
}

/** The messages that it comes from, on one line; undefined where none is known. */
export function sourcesLine({ messageIds }: Pick<Found, "messageIds">): string | undefined {
  return messageIds.length === 0
    ? undefined
    : `from ${messageIds.map((id) => id.replace(UNPRINTABLE, " ").trim()).join(", ")}`;
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
const MULTIPLIED: ReadonlySet<string> = new Set(["speaker", "agent", "tellsTime", "recency"]);
const ADDED: ReadonlySet<string> = new Set(["neighbours", "vector", "session", "date", "later"]);
const NAMES: Readonly<Record<string, string>> = { tellsTime: "tells a time", agent: "said by the agent" };

/** Controls, line ends, and marks that turn the direction of text. */
const UNPRINTABLE = /[\s\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g;

type Line = { text: string; marks: Mark[] };

/** No marked word has anything in it that cannot be printed, so the text changes between them alone. */
function oneLine(text: string, marks: readonly Mark[]): Line {
  const line: Line = { text: "", marks: [] };
  const add = (between: string): void => {
    const clean = between.replace(UNPRINTABLE, " ");
    line.text += line.text === "" ? clean.trimStart() : clean;
  };
  let done = 0;
  for (const [from, to] of marks) {
    add(text.slice(done, from));
    line.marks.push([line.text.length, line.text.length + to - from]);
    line.text += text.slice(from, to);
    done = to;
  }
  add(text.slice(done));
  return { ...line, text: line.text.trimEnd() };
}

/** The stretch with most marks; `…` where something was left out. Never through a surrogate pair. */
function excerpt({ text, marks }: Line, width: number, dress: (word: string) => string): string {
  if (text.length <= width) return dressed(text, 0, text.length, marks, dress);
  const room = Math.max(1, width - 2);
  let best = { from: 0, marks: -1 };
  for (const [at] of [[0] as const, ...marks]) {
    const from = Math.max(0, Math.min(at - Math.floor(room / 4), text.length - room));
    const inside = marks.filter((mark) => mark[0] >= from && mark[1] <= from + room).length;
    if (inside > best.marks) best = { from, marks: inside };
  }
  const from = isLowSurrogate(text, best.from) ? best.from + 1 : best.from;
  const end = Math.min(text.length, best.from + room);
  const to = isLowSurrogate(text, end) ? end - 1 : end;
  return `${from > 0 ? "…" : ""}${dressed(text, from, to, marks, dress)}${to < text.length ? "…" : ""}`;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

function dressed(
  text: string,
  from: number,
  to: number,
  marks: readonly Mark[],
  dress: (word: string) => string,
): string {
  let result = "";
  let done = from;
  for (const [begin, end] of marks) {
    if (end <= from || begin >= to) continue;
    result += text.slice(done, Math.max(begin, from));
    done = Math.min(end, to);
    result += dress(text.slice(Math.max(begin, from), done));
  }
  return result + text.slice(done, to);
}

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
