/**
 * How many bytes an entry takes in its list. To print every entry of a long list takes
 * a while, so what is known is kept for as long as the entry stands.
 */
import type { Pace } from "../model/work.js";

const known = new WeakMap<object, number>();

/** As JSON. */
export function bytesOf(raw: unknown): number {
  if (typeof raw !== "object" || raw === null) return printedBytes(raw);
  const bytes = known.get(raw) ?? printedBytes(raw);
  known.set(raw, bytes);
  return bytes;
}

/** All of them ahead, in small steps. */
export async function countBytes(entries: readonly { raw: unknown }[], pace: Pace): Promise<void> {
  for (const { raw } of entries) {
    bytesOf(raw);
    await pace();
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** Notes what an entry takes that was made of another by changing a few of its fields: only those are printed. */
export function noteChanged(before: Fields, after: Fields): void {
  const changed = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]);
  known.set(after, bytesOf(before) + partOf(after, changed) - partOf(before, changed));
}

/** What these fields take, each with a comma. */
function partOf(fields: Fields, names: readonly string[]): number {
  return names
    .filter((name) => fields[name] !== undefined)
    .reduce((sum, name) => sum + printedBytes({ [name]: fields[name] }) - BRACES + COMMA, 0);
}
const BRACES = 2;
const COMMA = 1;

function printedBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
