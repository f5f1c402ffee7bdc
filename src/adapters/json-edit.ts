/**
 * Adding to JSON that a person keeps, and taking away again, with every other character left as it is.
 *
 * Pure. What is added and then taken away leaves the text that stood before, byte for byte.
 */
import { behindBlanks, commentEnd, type Container, type Part } from "./json-tree.js";

/** How the text around is written. */
interface Manner {
  eol: string;
  /** One step of indentation. */
  step: string;
  /** All on one line, without blanks. */
  dense: boolean;
}

function mannerOf(text: string): Manner {
  const eol = /\r?\n/.exec(text)?.[0];
  const step = /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
  const dense = eol === undefined && /[^\s{}[\]]/.test(text);
  return { eol: eol ?? "\n", step: step.length > MOST_STEP ? "  " : step, dense };
}

const MOST_STEP = 8;

interface Edit {
  start: number;
  end: number;
  text: string;
}

/** The text with another part at the end of the container; `key` for a member. */
export function withPart(text: string, container: Container, value: unknown, key?: string): string {
  const last = container.parts.at(-1);
  const print = (manner: Manner, gap?: string): string => printed(value, key, manner, gap);
  const edits =
    last === undefined ? firstPart(text, container, print) : nextPart(text, container, last, print);
  return edited(text, edits);
}

type Print = (manner: Manner, gap?: string) => string;

function firstPart(text: string, { start }: Container, print: Print): Edit[] {
  const manner = mannerOf(text);
  const at = start + 1;
  if (manner.dense) return [{ start: at, end: at, text: print(manner) }];
  const close = manner.eol + indentOf(text, start);
  const open = close + manner.step;
  return [{ start: at, end: at, text: open + print(manner, open) + close }];
}

function nextPart(text: string, { start }: Container, last: Part, print: Print): Edit[] {
  const manner = mannerOf(text);
  const isOnItsLine = lineStart(text, last.start) > start;
  const gap = isOnItsLine
    ? manner.eol + indentOf(text, last.start)
    : blanksBefore(text, last.start) || (manner.dense ? "" : " ");
  const part = gap + print(manner, isOnItsLine ? gap : undefined);
  const next = behindBlanks(text, last.end);
  const hasComma = text[next] === ",";
  const behind = hasComma ? next + 1 : last.end;
  const at = isOnItsLine ? behindRemarks(text, behind) : behind;
  if (hasComma) return [{ start: at, end: at, text: `${part},` }];
  return [
    { start: last.end, end: last.end, text: "," },
    { start: at, end: at, text: part },
  ];
}

/** The text without that part, and without what made it one of a list. */
export function withoutPart(text: string, container: Container, part: Part): string {
  const before = container.parts[container.parts.indexOf(part) - 1];
  const comma = behindBlanks(text, part.end);
  const hasComma = text[comma] === ",";
  const remark = lastRemark(text, before?.end ?? container.start + 1, part.start);
  // Blanks at the end of a remark are its own.
  const blanks = Math.max(remark?.end ?? 0, part.start - blanksBefore(text, part.start).length);
  const behind = hasComma ? comma + 1 : part.end;
  const cut: Edit[] = [];
  if (hasComma) cut.push({ start: comma, end: behind, text: "" });
  else if (before !== undefined) {
    const own = behindBlanks(text, before.end);
    cut.push({ start: own, end: own + 1, text: "" });
  }
  // What stands on the line of a remark would become a part of it.
  const isBehindRemark = remark?.end === blanks && text.startsWith("//", remark.start);
  const isKept = isBehindRemark && !startsLine(text, hasComma && comma === part.end ? behind : part.end);
  cut.push({ start: isKept ? part.start : blanks, end: part.end, text: "" });
  if (container.parts.length === 1 && !isBehindRemark) {
    const { eol, step } = mannerOf(text);
    const gap = text.slice(blanks, part.start);
    // As the part was set apart, or as a program would have done it.
    const ends = [
      gap.endsWith(step) ? gap.slice(0, -step.length) : "",
      eol + indentOf(text, container.start),
    ];
    const [close] = ends
      .filter((end) => gap !== "" && end !== "" && text.startsWith(end, behind))
      .sort((x, y) => y.length - x.length);
    if (close !== undefined) cut.push({ start: behind, end: behind + close.length, text: "" });
  }
  return edited(text, cut);
}

/** The text with another value in that place. */
export function withValue(text: string, { value: { start, end } }: Part, value: unknown): string {
  const manner = mannerOf(text);
  const gap = manner.eol + indentOf(text, start);
  const isOnOneLine = !text.slice(start, end).includes("\n");
  return edited(text, [
    { start, end, text: printed(value, undefined, manner, isOnOneLine ? undefined : gap) },
  ]);
}

/** The text with another one in the place of a value, as it is written. */
export function withText(
  text: string,
  { start, end }: { start: number; end: number },
  written: string,
): string {
  return edited(text, [{ start, end, text: written }]);
}

/** Whether nothing stands in it, not even a remark. */
export function isBare(text: string, { start, end }: Container): boolean {
  return text.slice(start + 1, end - 1).trim() === "";
}

/** `gap`: what begins each of its lines; without one it is put on one line. */
function printed(value: unknown, key: string | undefined, { dense, step }: Manner, gap?: string): string {
  const name = key === undefined ? "" : `${JSON.stringify(key)}:${dense ? "" : " "}`;
  if (dense) return name + JSON.stringify(value);
  if (gap === undefined) return name + JSON.stringify(value, null, 1).replace(/\n */g, " ");
  return name + JSON.stringify(value, null, step).replaceAll("\n", gap);
}

/** Of two in one place the first comes first. */
function edited(text: string, edits: readonly Edit[]): string {
  let done = "";
  let at = 0;
  for (const { start, end, text: put } of edits.toSorted((a, b) => a.start - b.start)) {
    done += text.slice(at, start) + put;
    at = end;
  }
  return done + text.slice(at);
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

function indentOf(text: string, at: number): string {
  let end = lineStart(text, at);
  const start = end;
  while (text[end] === " " || text[end] === "\t") end++;
  return text.slice(start, end);
}

function startsLine(text: string, at: number): boolean {
  let end = at;
  while (text[end] === " " || text[end] === "\t" || text[end] === "\r") end++;
  return text[end] === "\n";
}

function blanksBefore(text: string, at: number): string {
  let start = at;
  while (start > 0 && " \t\r\n".includes(text[start - 1] ?? "x")) start--;
  return text.slice(start, at);
}

/** Behind the remarks that stand on the same line. */
function behindRemarks(text: string, from: number): number {
  let behind = from;
  for (let at = from; ;) {
    while (text[at] === " " || text[at] === "\t") at++;
    const end = commentEnd(text, at);
    if (end === at) return behind;
    behind = at = end;
  }
}

/** The last one between two parts. */
function lastRemark(text: string, from: number, to: number): { start: number; end: number } | undefined {
  let found: { start: number; end: number } | undefined;
  for (let at = from; at < to;) {
    const end = commentEnd(text, at);
    if (end > at) found = { start: at, end };
    at = end > at ? end : at + 1;
  }
  return found;
}
