/** `memory.md`: long-term memory that people edit. Here it is only read, by section. */
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
  let fenced = false;
  const close = (to: number): void => {
    const body = open.lines.join("\n").trim();
    if (body !== "") sections.push({ heading: open.heading, text: body, lines: [open.from, to] });
  };
  const lines = text.split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced;
    const heading = fenced ? null : /^#{1,6}\s+(.*?)\s*#*$/.exec(line);
    if (heading === null) {
      open.lines.push(line);
      continue;
    }
    close(index);
    open = { heading: heading[1] ?? "", from: index + 1, lines: [] };
  }
  close(lines.length);
  return sections;
}
