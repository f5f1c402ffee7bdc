/** The lines of a stored text that a person is shown: all of them where they are few, else those around what was asked for. Pure. */
import { type Line, lineOf } from "../service/excerpt.js";
import type { Marks } from "../service/operations/shapes.js";
import { columnsOf, linesOf, piecesOf, type Span } from "../text/columns.js";

interface Room {
  /** Columns of each line. */
  width: number;
  /** Lines. */
  most: number;
}

/** What was asked for as `dress` shows it; `…` where something was left out. */
export function stretchOf(
  text: string,
  marks: Marks,
  room: Room,
  dress: (word: string) => string,
): { line: string; columns: number }[] {
  const whole = lineOf(text, marks);
  const { lines, of } = bestStretch(whole, room);
  return lines.map(([from, to]) => ({
    line: dressed(of, [from, to], dress),
    columns: columnsOf(of.text.slice(from, to)),
  }));
}

/** Which of `of.text` are shown. */
interface Stretch {
  of: Line;
  lines: Span[];
  held: number;
}

/** As many beginnings are tried: more marks than that are in no text that is worth it. */
const MOST_TRIED = 100;

/** The first of those with most marks. */
function bestStretch(whole: Line, room: Room): Stretch {
  let best = stretchFrom(whole, 0, room);
  if (best.lines.at(-1)?.[1] === whole.text.length) return best;
  const before = Math.floor((room.width * room.most) / 4);
  const begins = [...piecesOf(whole.text)].map(([from]) => from);
  for (const [at] of whole.marks.slice(0, MOST_TRIED)) {
    const tried = stretchFrom(whole, beginBefore(whole.text, begins, at, before), room);
    if (tried.held > best.held) best = tried;
  }
  return best;
}

function stretchFrom(whole: Line, from: number, { width, most }: Room): Stretch {
  const of = from === 0 ? whole : without(whole, from);
  const lines: Span[] = [];
  for (const span of linesOf(of.text, width)) {
    if (lines.length < most) lines.push(span);
    else return ended(of, lines, width);
  }
  return { of, lines, held: heldIn(of, lines) };
}

const LEFT_OUT = "…";

/** The first of these places that is so many columns before another at the most; that one where none is. */
function beginBefore(text: string, begins: readonly number[], at: number, columns: number): number {
  const isNear = (begin: number): boolean => columnsOf(text.slice(begin, at)) <= columns;
  // No character that is shown takes less than a column.
  return begins.find((begin) => begin >= at - columns && isNear(begin)) ?? at;
}

function without({ text, marks }: Line, from: number): Line {
  const moved = LEFT_OUT.length - from;
  return {
    text: `${LEFT_OUT}${text.slice(from)}`,
    marks: marks.filter(([begin]) => begin >= from).map(([begin, end]) => [begin + moved, end + moved]),
  };
}

/** The last line says that more follows. */
function ended({ text, marks }: Line, lines: readonly Span[], width: number): Stretch {
  const before = lines.slice(0, -1);
  const [begin, end] = lines.at(-1) ?? [0, 0];
  const [cut = [0, 0] as const] = linesOf(text.slice(begin, end), width - LEFT_OUT.length);
  const to = begin + cut[1];
  const of = { text: `${text.slice(0, to)}${LEFT_OUT}`, marks: marks.filter((mark) => mark[1] <= to) };
  const shown: Span[] = [...before, [begin, of.text.length]];
  return { of, lines: shown, held: heldIn(of, shown) };
}

function heldIn({ marks }: Line, lines: readonly Span[]): number {
  const last = lines.at(-1)?.[1] ?? 0;
  return marks.filter(([, end]) => end <= last).length;
}

function dressed({ text, marks }: Line, [from, to]: Span, dress: (word: string) => string): string {
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
