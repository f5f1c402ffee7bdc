/** `memory.md`: long-term memory that people edit. Here it is only read, by section. */
import { withoutIds } from "./memory-entries.js";

export interface MemorySection {
  /** Heading line without its marks; empty for what stands above the first heading. */
  heading: string;
  text: string;
  /** First and last line in the file, 1-based. */
  lines: readonly [number, number];
}

/** Sections at every heading outside code fences; sections without text are left out. */
export function parseMemory(text: string): MemorySection[] {
  const sections: MemorySection[] = [];
  let open = { heading: "", from: 1, lines: [] as string[] };
  let fence = "";
  const close = (to: number): void => {
    const body = open.lines.join("\n").trim();
    if (body !== "") sections.push({ heading: open.heading, text: body, lines: [open.from, to] });
  };
  const lines = text.split(/\r?\n/).map(withoutIds);
  const lastEnd = lines.findLastIndex((line) => line.includes(COMMENT.end));
  let isComment = false;
  for (const [index, line] of lines.entries()) {
    // One that nobody ended is text.
    isComment ||= fence === "" && index <= lastEnd && line.startsWith(COMMENT.begin);
    if (isComment) {
      const end = line.indexOf(COMMENT.end);
      isComment = end === -1;
      if (!isComment) open.lines.push(line.slice(end + COMMENT.end.length));
      continue;
    }
    const heading = fence === "" ? headingOf(line) : undefined;
    fence = fenceAfter(fence, line);
    if (heading === undefined) {
      open.lines.push(line);
      continue;
    }
    close(index);
    open = { heading, from: index + 1, lines: [] };
  }
  close(lines.length);
  return sections;
}

/** One that begins a line is for who edits the file: no memory, and no heading is in it. */
const COMMENT = { begin: "<!--", end: "-->" };

/** The heading's text without its marks; undefined for any other line. In two steps: one pattern for both is quadratic. */
function headingOf(line: string): string | undefined {
  if (!/^#{1,6}(?:\s|$)/.test(line)) return undefined;
  const text = line.replace(/^#+/, "").trim();
  let end = text.length;
  while (text[end - 1] === "#") end--;
  return text.slice(0, end).trimEnd();
}

/** The fence that is open after this line: it is closed by one of its own kind, at least as long. */
function fenceAfter(open: string, line: string): string {
  const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
  if (mark === undefined) return open;
  if (open === "") return mark;
  return mark.startsWith(open) && line.trim() === mark ? "" : open;
}
