/**
 * How much room a text takes on a terminal, and where its lines end there: between words, and between characters
 * where these are wide, as in Chinese. Pure. The text is one line, without anything that drives a terminal.
 */

/** From a character of a text up to the one after the last. */
export type Span = readonly [from: number, to: number];

const WIDE =
  "\\u1100-\\u115f\\u2e80-\\ua4cf\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe30-\\ufe6f\\uff00-\\uff60\\uffe0-\\uffe6\\u{20000}-\\u{3fffd}\\p{Emoji_Presentation}";
const IS_WIDE = new RegExp(`[${WIDE}]`, "u");
/** Accents, joiners and what else stands on the character before it. */
const NO_COLUMN = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** Of a text on one line. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const char of text) columns += columnsOfChar(char);
  return columns;
}

function columnsOfChar(char: string): number {
  if (char >= " " && char <= "~") return 1;
  if (IS_WIDE.test(char)) return 2;
  return NO_COLUMN.test(char) ? 0 : 1;
}

/** No line begins with what closes, and none ends with what opens. */
const OPENS = "（［｛〈《「『【〔“‘";
const CLOSES = "）］｝〉》」』】〕”’、。，．！？：；…·";
/** A word, or one wide character, with the signs around it. */
const PIECE = new RegExp(`[${OPENS}]{0,4}(?:[${WIDE}]\\p{M}*|(?:(?![${WIDE}])\\S)+)[${CLOSES}]*`, "gu");

/** Each as wide as it can be. Only a word that alone is wider than a line is cut. */
export function* linesOf(text: string, width: number): Generator<Span> {
  let line: Span | undefined;
  let columns = 0;
  for (const [from, to] of piecesOf(text)) {
    const more = columnsOf(text.slice(line?.[1] ?? from, to));
    if (line !== undefined && columns + more <= width) {
      line = [line[0], to];
      columns += more;
      continue;
    }
    if (line !== undefined) yield line;
    const parts = partsOf(text, [from, to], width);
    line = parts.pop() ?? [from, to];
    columns = columnsOf(text.slice(...line));
    yield* parts;
  }
  if (line !== undefined) yield line;
}

/** What stays on one line: words and single wide characters. */
export function* piecesOf(text: string): Generator<Span> {
  for (const { 0: piece, index: from } of text.matchAll(PIECE)) yield [from, from + piece.length];
}

/** A piece, in several where it is wider than a line. */
function partsOf(text: string, [from, to]: Span, width: number): Span[] {
  const parts: Span[] = [];
  let [begin, at, columns] = [from, from, 0];
  for (const char of text.slice(from, to)) {
    const more = columnsOfChar(char);
    if (columns + more > width && at > begin) {
      parts.push([begin, at]);
      [begin, columns] = [at, 0];
    }
    columns += more;
    at += char.length;
  }
  return [...parts, [begin, to]];
}

/** The text, or as much of it as there is room for, cut between words, and `…`. */
export function cutToColumns(text: string, width: number): string {
  const whole = text.trim();
  if (columnsOf(whole) <= width) return whole;
  const [first] = linesOf(whole, width - 1);
  return `${whole.slice(...(first ?? [0, 0]))}…`;
}
