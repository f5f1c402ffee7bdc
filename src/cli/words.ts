/** Numbers and times in sentences, and tables of them. Pure. */
import { columnsOf } from "../text/columns.js";

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** `2026-01-28 14:03` in this machine's zone, from an ISO instant. */
export function shortTime(iso: string): string {
  const at = new Date(iso);
  const two = (n: number): string => String(n).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

export function seconds(ms: number): string {
  return ms < 950 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** Columns that line up, numbers to the right; Han characters count double. Pure. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(columnsOf(title), ...rows.map((row) => columnsOf(row[column] ?? ""))),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => pad(cell, widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [line(head), line(widths.map((width) => "─".repeat(width))), ...rows.map(line)].join("\n");
}

function pad(cell: string, width: number): string {
  const gap = " ".repeat(Math.max(0, width - columnsOf(cell)));
  return /^[\d.,]+$/.test(cell) ? gap + cell : cell + gap;
}

/** `share` of it filled. */
export function bar(share: number, width: number): string {
  const filled = Math.min(width, Math.max(0, Math.round(share * width)));
  return "█".repeat(filled) + "░".repeat(width - filled);
}
