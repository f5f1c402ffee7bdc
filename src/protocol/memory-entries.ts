/**
 * The bullets of `memory.md`: finding, adding, changing, taking one away. Pure.
 *
 * A change is of whole lines in one place: nothing else in the file changes by a
 * byte. What is added never reads as anything but one bullet, whatever its text.
 * A bullet that memd wrote ends in a comment with its id, which moves with it;
 * one without is told by its place or its text.
 */
import { defined } from "../model/collections.js";
import { fenceAfter } from "../text/sentences.js";

export interface MemoryEntry {
  /** Title of the heading it stands under; empty above the first one. */
  heading: string;
  /** Without the bullet's mark, its id and the indentation of further lines. */
  text: string;
  id?: string;
  /** Where it stands in the file, line breaks included. */
  from: number;
  to: number;
}

/** Deeper than any fence, heading or bullet may begin. */
const INDENT = "    ";
const BULLET = /^(?:[-*+]|\d{1,9}[.)])[ \t]+(?=\S)/;
const RULE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
/** What would make a line of a text a rule or a comment: it gets a backslash, and reading takes one away. */
const MISREAD = /^\\*(?:[-*_ \t]+$|<!--)/;

/** Wherever a person has moved it to. */
const ID = / ?<!-- ?id=([a-z0-9]{4,16}) ?-->/g;

/** Bullets outside code and comments, in the order of the file. */
export function entriesOf(text: string): MemoryEntry[] {
  const entries: MemoryEntry[] = [];
  let heading = "";
  let open: { entry: MemoryEntry; lines: string[] } | undefined;
  const close = (): void => {
    if (open !== undefined) entries.push({ ...open.entry, ...read(open.lines) });
    open = undefined;
  };
  for (const line of linesOf(text)) {
    const bullet = line.inside || RULE.test(line.text) ? null : BULLET.exec(line.text);
    if (bullet !== null) {
      close();
      const entry = { heading, text: "", from: line.from, to: line.to };
      open = { entry, lines: [line.text.slice(bullet[0].length)] };
    } else if (open !== undefined && goesOn(line)) {
      open.lines.push(line.text);
      open.entry.to = line.to;
    } else {
      close();
      heading = line.title?.text ?? heading;
    }
  }
  close();
  return entries;
}

/** The file with one more bullet, the last under its heading, which is made where there is none; undefined when it stands there. */
export function withEntry(
  text: string,
  entry: Pick<MemoryEntry, "text" | "heading" | "id">,
): string | undefined {
  const lines = linesOf(text);
  const said = plainText(entry.text);
  const wanted = sameTitle(plainTitle(entry.heading));
  const isThere = ({ heading, text: standing }: MemoryEntry): boolean =>
    sameTitle(heading) === wanted && standing === said;
  const entries = entriesOf(text);
  if (entries.some(isThere)) return undefined;

  const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  const bullet = printLines(said).join(eol) + printId(entry.id) + eol;
  const titles = lines.filter((line) => line.title !== undefined && sameTitle(line.title.text) === wanted);
  const title = titles.find((line) => line.title?.level === 2) ?? titles[0];
  const from = title === undefined ? lines.length - 1 : lines.indexOf(title);
  const next =
    title === undefined ? -1 : lines.findIndex((line, at) => at > from && line.title !== undefined);
  const section = lines.slice(0, next === -1 ? undefined : next);
  const last = section.findLast((line) => line.text.trim() !== "");
  // Code or a comment that nobody ended runs to the end of the file: ended there, it stays what it is.
  const ending = next === -1 ? (lines.at(-1)?.ending ?? "") : "";
  const at = ending === "" ? (last?.to ?? text.length) : text.length;
  const before = text.slice(0, at);
  const after = text.slice(at);
  const head =
    (before === "" || before === "\ufeff" || before.endsWith("\n") ? "" : eol) +
    (ending === "" ? "" : ending + eol);
  const isBelowBullet = title !== undefined && ending === "" && entries.some(({ to }) => to === at);
  const gap = (before === "" || before === "\ufeff") && head === "" ? "" : isBelowBullet ? "" : eol;
  const heading = title === undefined ? `## ${plainTitle(entry.heading)}${eol}${eol}` : "";
  const tail = after === "" || /^\s*?\r?\n/.test(after) ? "" : eol;
  return before + head + gap + heading + bullet + tail + after;
}

/** The same place, mark and id, another text. */
export function withChangedEntry(text: string, entry: MemoryEntry, next: string): string {
  const standing = text.slice(entry.from, entry.to);
  const mark = BULLET.exec(standing)?.[0] ?? "- ";
  const eol = /\r?\n/.exec(standing)?.[0] ?? "";
  const within = eol === "" ? (/\r?\n/.exec(text)?.[0] ?? "\n") : eol;
  const [, ...more] = printLines(plainText(next));
  const first = (printLines(plainText(next))[0] ?? "").replace(BULLET, mark);
  const said = [first, ...more].join(within) + printId(entry.id);
  return text.slice(0, entry.from) + said + eol + text.slice(entry.to);
}

/** A text for people and models: ids are between memd and the file. */
export function withoutIds(text: string): string {
  return text.replace(ID, "");
}

export function withoutEntry(text: string, { from, to }: Pick<MemoryEntry, "from" | "to">): string {
  return text.slice(0, from) + text.slice(to);
}

/** A text as an entry can hold it: without blank lines, control characters and halves of characters. */
export function plainText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, "")
    .replace(ID, "")
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .join("\n")
    .trim();
}

/** A title as a heading can hold it: one line, without the marks. */
export function plainTitle(title: string): string {
  const line = plainText(title).replace(/\s+/g, " ").replace(/^#+ /, "");
  const text = titleIn(`## ${line}`)?.text ?? "";
  return text === line ? text : plainTitle(text);
}

interface Line {
  /** Without its line break. */
  text: string;
  from: number;
  /** Behind its line break. */
  to: number;
  title: { level: number; text: string } | undefined;
  /** Whether it is code, a comment, or the mark of one. */
  inside: boolean;
  /** What would end the code or comment that is open after it; empty when none is. */
  ending: string;
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let fence: string | undefined;
  let inComment = false;
  for (let from = text.startsWith("\ufeff") ? 1 : 0; from < text.length;) {
    const found = text.indexOf("\n", from);
    const to = found === -1 ? text.length : found + 1;
    const line = text.slice(from, to).replace(/\r?\n?$/, "");
    const wasInside = fence !== undefined || inComment;
    if (!inComment) fence = fenceAfter(line, fence);
    if (fence === undefined) inComment = commentAfter(line, inComment);
    const inside = wasInside || fence !== undefined || /^ {0,3}<!--/.test(line);
    const ending = fence ?? (inComment ? "-->" : "");
    lines.push({ text: line, from, to, title: inside ? undefined : titleIn(line), inside, ending });
    from = to;
  }
  return lines;
}

/** A comment begins at the start of a line, as in Markdown; elsewhere the marks are text. */
function commentAfter(line: string, open: boolean): boolean {
  if (!open && !/^ {0,3}<!--/.test(line)) return false;
  return !line.slice(open ? 0 : line.indexOf("<!--") + "<!--".length).includes("-->");
}

/** In steps: one pattern for all of it is quadratic. */
function titleIn(line: string): Line["title"] {
  const marks = /^ {0,3}(#{1,6})(?:\s|$)/.exec(line)?.[1];
  if (marks === undefined) return undefined;
  const text = line.trimStart().slice(marks.length).trim();
  let end = text.length;
  while (text[end - 1] === "#") end--;
  const isClosed = end === 0 || /\s/.test(text[end - 1] ?? "");
  return { level: marks.length, text: isClosed ? text.slice(0, end).trim() : text };
}

function sameTitle(title: string): string {
  return title.toLowerCase();
}

/** Whether a line after a bullet is still the bullet's. */
function goesOn({ text, inside, title }: Line): boolean {
  if (title !== undefined || RULE.test(text)) return false;
  if (inside) return /^ {2,}/.test(text) || text.trim() === "";
  return text.trim() !== "";
}

function read(lines: readonly string[]): Pick<MemoryEntry, "text" | "id"> {
  const [id] = [...lines.join("\n").matchAll(ID)].map(([, named]) => named);
  return { text: readLines(lines.map(withoutIds)), ...defined({ id }) };
}

function printId(id: string | undefined): string {
  return id === undefined ? "" : ` <!-- id=${id} -->`;
}

function readLines(lines: readonly string[]): string {
  return lines
    .map((line, index) => (index === 0 ? line : line.replace(/^ {1,4}/, "")).trimEnd())
    .filter((line) => line !== "")
    .map((line) => (line.startsWith("\\") && MISREAD.test(line) ? line.slice(1) : line))
    .join("\n");
}

function printLines(text: string): string[] {
  return text
    .split("\n")
    .map((line, index) => (index === 0 ? "- " : INDENT) + (MISREAD.test(line) ? `\\${line}` : line));
}
