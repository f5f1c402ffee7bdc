/**
 * A stretch of a stored text on one line, around what was asked for, and cleared of control characters: what was
 * stored must not be able to drive a terminal, or pass for another line. Pure.
 */

type Mark = readonly [from: number, to: number];

/** `width`: in characters. `dress`: how a marked word is shown. */
export function excerptOf(
  text: string,
  marks: readonly Mark[],
  width: number,
  dress: (word: string) => string = (word) => word,
): string {
  return excerpt(lineOf(text, marks), width, dress);
}

export function onOneLine(text: string): string {
  return text.replace(UNPRINTABLE, " ").trim();
}

/** Controls, line ends, and marks that turn the direction of text. */
const UNPRINTABLE = /[\s\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g;

type Line = { text: string; marks: Mark[] };

/** No marked word has anything in it that cannot be printed, so the text changes between them alone. */
function lineOf(text: string, marks: readonly Mark[]): Line {
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
