/**
 * The section Memory as lines: how each is printed, and in which order and
 * under which headings they stand. Pure.
 *
 * One heading a day, whatever of it is quoted: a day is one file. A day with
 * one line has no heading, its line carries the date; several such of one month
 * share the month and have the day alone. What is of no day stands under the
 * path of its file. Oldest first, so that of two statements the later stands
 * after the earlier.
 */
import type { Hit, Passage } from "../model/passage.js";
import { isDay, type Zone } from "../model/time.js";
import { estimateTokens } from "../text/tokens.js";
import { NEWLINE_TOKENS } from "./fit.js";
import { DISTILLED, SUMMARIES } from "./memory-candidates.js";
import { nameOf, oneLine } from "./quote.js";

export interface MemoryLine {
  hit: Hit;
  /** `14:03 ` of a message, else empty: a line that is all of its day in a month needs none. */
  clock: string;
  text: string;
}

/** The heading under which a passage is quoted. */
export function headingOf({ kind, day, path }: Passage): string {
  const isOfDay =
    isDay(day) &&
    (kind === "message" || (DISTILLED.has(kind) && kind !== "profile") || kind === "day_summary");
  return `${MARK}${isOfDay ? day : fileName(path)}`;
}

/** No file poses as a day or a month, whatever its name is. */
function fileName(path: string): string {
  const name = oneLine(path);
  return /^[\d-]+$/.test(name) ? `./${name}` : name;
}

/** `14:03 Lin Yue: …`; whatever is not anybody's words says what it is. */
export function lineOf(hit: Hit, excerpt: string, zone: Zone): MemoryLine {
  const { passage, standing, overtaken } = hit;
  const { kind, trust, saidAt, day } = passage;
  const past =
    standing !== undefined
      ? ` (${standing})`
      : overtaken === undefined
        ? ""
        : ` (overtaken ${overtaken.on === day ? "later that day" : overtaken.on})`;
  const clock = kind === "message" ? `${zone.clockOf(saidAt).slice(0, 5)} ` : "";
  switch (trust) {
    case "tool":
    case "document":
      return { hit, clock, text: `quoted from a ${trust}${past}: “${excerpt}”` };
    case "human":
    case "agent":
      return {
        hit,
        clock,
        text: `${kind === "message" ? nameOf(passage) : labelOf(passage)}${past}: ${excerpt}`,
      };
    default:
      return trust satisfies never;
  }
}

function labelOf({ kind }: Passage): string {
  if (SUMMARIES.has(kind)) return "summary";
  return kind === "memory" ? "kept" : kind === "profile" ? "profile" : "noted";
}

/** An upper bound of what a line adds to its group, in which so many lines stand already. */
export function costOf(line: MemoryLine, standing: number): number {
  const heading = headingOf(line.hit.passage);
  const own = estimateTokens(line.clock + line.text) + NEWLINE_TOKENS;
  const date = isDated(heading) ? dateTokens(heading) : Infinity;
  const ofHeading = estimateTokens(heading) + NEWLINE_TOKENS;
  if (standing === 0) return own + Math.min(date, ofHeading);
  // Two lines have a heading; the first gives up its date.
  return own + (standing === 1 ? Math.max(0, ofHeading - date) : 0);
}

export function bodyOf(lines: readonly MemoryLine[]): string {
  const groups = new Map<string, MemoryLine[]>();
  for (const line of [...lines].sort(byTime)) {
    const heading = headingOf(line.hit.passage);
    groups.set(heading, [...(groups.get(heading) ?? []), line]);
  }
  const printed: string[] = [];
  let alone: MemoryLine[] = [];
  for (const [heading, under] of groups) {
    const isAlone = under.length === 1 && isDated(heading);
    const [first = under[0]] = alone;
    if (!isAlone || first === undefined || monthIn(headingOf(first.hit.passage)) !== monthIn(heading)) {
      printed.push(...datedLines(alone));
      alone = [];
    }
    if (isAlone) alone.push(...under);
    else printed.push(heading, ...under.map(({ clock, text }) => clock + text));
  }
  return [...printed, ...datedLines(alone)].join("\n");
}

/** Each the one line of its day, in order, all of one month: where they are several, it is said once. */
function datedLines(alone: readonly MemoryLine[]): string[] {
  const [first] = alone;
  if (first === undefined || alone.length < FEWEST_OF_A_MONTH)
    return alone.map((line) => `${dateOf(line)} ${line.clock}${line.text}`);
  const month = monthIn(headingOf(first.hit.passage));
  return [month, ...alone.map((line) => `${dateOf(line).slice("2026-01-".length)} ${line.text}`)];
}
const FEWEST_OF_A_MONTH = 3;

const MARK = "### ";

/** Of the heading of a day that of its month. */
function monthIn(heading: string): string {
  return heading.slice(0, "### 2026-01".length);
}

function dateOf({ hit }: MemoryLine): string {
  return headingOf(hit.passage).slice(MARK.length);
}

function isDated(heading: string): boolean {
  return isDay(heading.slice(MARK.length));
}

function dateTokens(heading: string): number {
  return estimateTokens(`${heading.slice(MARK.length)} `) + 1;
}

/** What is of no time stands first, a summary before the words it is of. */
function byTime({ hit: one }: MemoryLine, { hit: other }: MemoryLine): number {
  const [a, b] = [one.passage, other.passage];
  return (
    timeOf(a) - timeOf(b) ||
    (dayOf(a) < dayOf(b) ? -1 : dayOf(a) > dayOf(b) ? 1 : 0) ||
    rankOf(a) - rankOf(b) ||
    a.saidAt - b.saidAt ||
    (a.sequence ?? 0) - (b.sequence ?? 0)
  );
}

const TIMELESS: ReadonlySet<Passage["kind"]> = new Set(["memory", "profile", "document"]);

function timeOf({ kind }: Passage): number {
  return TIMELESS.has(kind) ? 0 : 1;
}

/** Of a month the last day, so that its summary stands before the next. */
function dayOf({ kind, day, path }: Passage): string {
  if (TIMELESS.has(kind)) return path;
  return kind === "month_summary" ? `${day}-00` : day;
}

function rankOf({ kind }: Passage): number {
  return kind === "day_summary" ? 0 : 1;
}
