/** What differs between two texts, line by line, as `diff -u` prints it. Pure. */

/** Lines that are told around each change. */
const AROUND = 3;
/** Beyond so many pairs of lines what differs is told as one change: a table of them would take too much room. */
const MOST_PAIRS = 4_000_000;

type Line = readonly [mark: " " | "-" | "+", text: string];

/** Undefined stands for no file; empty where nothing differs. */
export function unifiedDiff(path: string, before: string | undefined, after: string | undefined): string {
  const lines = comparedLines(linesOf(before), linesOf(after));
  const hunks = hunksOf(lines);
  if (hunks.length === 0) return "";
  const name = (text: string | undefined): string => (text === undefined ? "/dev/null" : path);
  return [`--- ${name(before)}`, `+++ ${name(after)}`, ...hunks, ""].join("\n");
}

function linesOf(text: string | undefined): string[] {
  if (text === undefined || text === "") return [];
  const lines = text.split("\n");
  // A last line without an end is another line than the same one with it.
  const last = lines.pop() ?? "";
  return last === "" ? lines : [...lines, `${last}\n\\ No newline at end of file`];
}

function comparedLines(a: readonly string[], b: readonly string[]): Line[] {
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const same = (text: string): Line => [" ", text];
  return [
    ...a.slice(0, head).map(same),
    ...middleOf(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail).map(same),
  ];
}

/** By the longest list of lines that both have in the same order. */
function middleOf(a: readonly string[], b: readonly string[]): Line[] {
  const isMuch = a.length * b.length > MOST_PAIRS;
  const width = b.length + 1;
  const common = new Uint32Array(isMuch ? 0 : (a.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  if (!isMuch)
    for (let i = a.length - 1; i >= 0; i--)
      for (let j = b.length - 1; j >= 0; j--)
        common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [gone, come] = [a[i], b[j]];
    if (gone !== undefined && gone === come && !isMuch) {
      lines.push([" ", gone]);
      [i, j] = [i + 1, j + 1];
    } else if (gone !== undefined && (come === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(["-", gone]);
      i++;
    } else if (come !== undefined) {
      lines.push(["+", come]);
      j++;
    }
  }
  return lines;
}

function hunksOf(lines: readonly Line[]): string[] {
  const changed = lines.flatMap(([mark], index) => (mark === " " ? [] : [index]));
  const hunks: [from: number, to: number][] = [];
  for (const index of changed) {
    const last = hunks.at(-1);
    if (last !== undefined && index - AROUND <= last[1] + AROUND) last[1] = index;
    else hunks.push([index, index]);
  }
  return hunks.map(([from, to]) => {
    const [start, end] = [Math.max(0, from - AROUND), Math.min(lines.length, to + AROUND + 1)];
    const shown = lines.slice(start, end);
    const range = (other: "-" | "+"): string => {
      const isOurs = ([mark]: Line): boolean => mark !== other;
      const count = shown.filter(isOurs).length;
      const before = lines.slice(0, start).filter(isOurs).length;
      return `${count === 0 ? before : before + 1},${count}`;
    };
    return [`@@ -${range("+")} +${range("-")} @@`, ...shown.map(([mark, text]) => mark + text)].join("\n");
  });
}
