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
    const body = withoutComments(open.lines.join("\n")).trim();
    if (body !== "") sections.push({ heading: open.heading, text: body, lines: [open.from, to] });
  };
  const lines = text.split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    const heading = fence === "" ? headingOf(line) : undefined;
    fence = fenceAfter(fence, line);
    if (heading === undefined) {
      open.lines.push(withoutIds(line));
      continue;
    }
    close(index);
    open = { heading, from: index + 1, lines: [] };
  }
  close(lines.length);
  return sections;
}

/** A comment that begins a line is for who edits the file, and no memory. */
function withoutComments(text: string): string {
  let told = "";
  let from = 0;
  for (let at = nextComment(text, 0); at !== -1; at = nextComment(text, from)) {
    const end = text.indexOf("-->", at);
    if (end === -1) break;
    told += text.slice(from, at);
    from = end + "-->".length;
  }
  return told + text.slice(from);
}

function nextComment(text: string, from: number): number {
  if (from === 0 && text.startsWith("<!--")) return 0;
  const at = text.indexOf("\n<!--", from);
  return at === -1 ? -1 : at + 1;
}

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
