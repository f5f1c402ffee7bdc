/**
 * A stretch of a stored text on one line, around what was asked for, and cleared of control characters: what was
 * stored must not be able to drive a terminal, or pass for another line. Pure.
 */
import { shown } from "../text/shown.js";

type Mark = readonly [from: number, to: number];

/** `width`: in characters. */
export function excerptOf(text: string, marks: readonly Mark[], width: number): string {
  return excerpt(lineOf(text, marks), width);
}

export function onOneLine(text: string): string {
  return shown(text.replace(UNPRINTABLE, " ")).trim();
}

/** Controls, line ends, and marks that turn the direction of text. */
const UNPRINTABLE = /[\s\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g;

export interface Line {
  text: string;
  marks: Mark[];
}

/** All of it. No marked word has anything in it that cannot be printed, so the text changes between them alone. */
export function lineOf(text: string, marks: readonly Mark[]): Line {
  const line: Line = { text: "", marks: [] };
  const add = (between: string): void => {
    const clean = shown(between.replace(UNPRINTABLE, " "));
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
function excerpt({ text, marks }: Line, width: number): string {
  if (text.length <= width) return text;
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
  return `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}
