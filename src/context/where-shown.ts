/** On which lines of a prompt the lines of Memory stand. Pure. */
import type { ShownHit } from "./fit-memory.js";

/** What may stand before a line of Memory: its day, its clock. */
const BEFORE = /^[\d:\- ]*$/;

/** Of each hit, counted from 1; of a hit whose section is not printed none. `title`: of the section. */
export function linesOf(markdown: string, title: string, hits: readonly ShownHit[]): number[][] {
  const lines = markdown.split("\n");
  const begin = lines.indexOf(`## ${title}`) + 1;
  const next = lines.findIndex((line, at) => at >= begin && line.startsWith("## "));
  const end = next === -1 ? lines.length : next;
  const taken = new Set<number>();
  return hits.map(({ texts }) =>
    texts.flatMap((text) => {
      for (let at = begin; begin > 0 && at < end; at++) {
        const line = lines[at] ?? "";
        const isIt = line.endsWith(text) && BEFORE.test(line.slice(0, line.length - text.length));
        if (!isIt || taken.has(at)) continue;
        taken.add(at);
        return [at + 1];
      }
      return [];
    }),
  );
}
