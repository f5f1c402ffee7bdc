/**
 * JSON lines as programs append them. A line that is none is counted and passed;
 * the last one, where nothing ends it and it is none yet, is still being written.
 */
import { type Fields, isFields } from "./fields.js";
import type { Skipped } from "./told.js";

export interface Line {
  /** 1-based. */
  number: number;
  fields: Fields;
}

/** `pieces`: the text in pieces of any size, a line may go over their borders. `isPassed`: of lines that are passed unread. */
export function* jsonLines(
  pieces: Iterable<string>,
  skipped: Skipped,
  isPassed: (line: string) => boolean = () => false,
): Generator<Line> {
  let number = 0;
  for (const { text, isEnded } of linesIn(pieces)) {
    number++;
    if (isPassed(text)) continue;
    const line = (number === 1 ? text.replace(/^\uFEFF/, "") : text).trim();
    if (line === "") continue;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      skipped.note(isEnded ? "lines that are no JSON" : "a last line that is not whole");
      continue;
    }
    if (isFields(value)) yield { number, fields: value };
    else skipped.note("lines that are no object");
  }
}

function* linesIn(pieces: Iterable<string>): Generator<{ text: string; isEnded: boolean }> {
  let rest: string[] = [];
  for (const piece of pieces) {
    let from = 0;
    for (let end = piece.indexOf("\n"); end !== -1; end = piece.indexOf("\n", from)) {
      rest.push(piece.slice(from, end));
      yield { text: rest.join(""), isEnded: true };
      rest = [];
      from = end + 1;
    }
    if (from < piece.length) rest.push(piece.slice(from));
  }
  if (rest.length > 0) yield { text: rest.join(""), isEnded: false };
}
