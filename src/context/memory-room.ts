/** The room of the section Memory: what has been taken, what it cost, and whether a line more fits. Nothing is said twice in it. */
import { addAll, entryOf, groupBy } from "../model/collections.js";
import type { Hit, Passage } from "../model/passage.js";
import { isDay, type Zone } from "../model/time.js";
import { bestStretch, type Wanted } from "../text/best-stretch.js";
import { sentencesOf } from "../text/sentences.js";
import { estimateTokens } from "../text/tokens.js";
import { NEWLINE_TOKENS } from "./fit.js";
import { DISTILLED, saidBy, SUMMARIES } from "./distilled.js";
import { nameOf, oneLine } from "./quote.js";

/** Shorter ones stand in too many lines by chance. */
const LEAST_QUOTED_CHARS = 12;
/** So much of a text tells whether it was said already. */
const SAID_CHARS = 300;

/** One line that might be shown. */
export interface Snippet {
  hit: Hit;
  question: number;
  text: () => string;
  maxChars: number;
  wanted: Wanted;
  /** What it answers, where that was found too: it is shown with it where it costs little. */
  answers?: Snippet | undefined;
}

export interface Chosen extends MemoryLine {
  /** Place of the question that it was chosen for. */
  question: number;
  tokens: number;
}

export interface Limits {
  budgetTokens: number;
  lines: number;
  /** Of these kinds of what was distilled, at most. */
  events: number;
}

/** What is taken, and what room is left. */
export class Room {
  readonly chosen: Chosen[] = [];
  readonly #groups = new Map<string, { lines: number; tokens: number }>();
  readonly #said = new Set<string>();
  readonly #used: number[];
  #left: number;
  /** Of so many lines it is known what they cost as they are printed. */
  #counted = 0;
  #events = 0;
  /** Of each line as it is printed, with its line break: most are printed many times. */
  readonly #costs = new Map<string, number>();

  constructor(
    readonly limits: Limits,
    readonly zone: Zone,
    questions: number,
  ) {
    this.#left = limits.budgetTokens;
    this.#used = Array.from({ length: questions }, () => 0);
  }

  usedBy(question: number): number {
    return this.#used[question] ?? 0;
  }

  /** Half of the budget is of its day. */
  isCrowded({ hit }: Snippet): boolean {
    return (this.#groups.get(headingOf(hit.passage))?.tokens ?? 0) > this.limits.budgetTokens / 2;
  }

  /** False where it does not fit, or costs more than it may. What is said already is not said again, and costs nothing. */
  take({ hit, question, text: textOf, maxChars, wanted }: Snippet, mostTokens = Infinity): boolean {
    const text = textOf();
    const said = `${hit.passage.day} ${saidBy(text).slice(0, SAID_CHARS)}`;
    if (text === "" || this.#said.has(said) || this.#isQuoted(hit, text)) return true;
    const isEvent = hit.passage.kind === "event" && hit.standing === undefined;
    if (this.chosen.length >= this.limits.lines || (isEvent && this.#events >= this.limits.events))
      return false;
    const line = lineOf(hit, bestStretch(text, wanted, maxChars), this.zone);
    const heading = headingOf(hit.passage);
    const group = this.#groups.get(heading) ?? { lines: 0, tokens: 0 };
    const tokens = costOf(line, group.lines);
    if (tokens > mostTokens) return false;
    if (tokens > this.#left) this.#recount();
    if (tokens > this.#left || !this.#fitsAsPrinted(line)) return false;
    this.#left -= tokens;
    this.#used[question] = this.usedBy(question) + tokens;
    this.#groups.set(heading, { lines: group.lines + 1, tokens: group.tokens + tokens });
    this.#said.add(said);
    if (isEvent) this.#events += 1;
    this.chosen.push({ ...line, question, tokens });
    return true;
  }

  /** What lines cost one by one is an upper bound: days of one month share it. */
  #recount(): void {
    if (this.#counted === this.chosen.length) return;
    this.#counted = this.chosen.length;
    this.#left = this.limits.budgetTokens - this.#printed(this.chosen);
  }

  /** Once it was counted as printed, a line may part days that shared their month. */
  #fitsAsPrinted(line: MemoryLine): boolean {
    return this.#counted === 0 || this.#printed([...this.chosen, line]) <= this.limits.budgetTokens;
  }

  /** A line break parts what is counted: lines cost together what each costs. */
  #printed(lines: readonly MemoryLine[]): number {
    const tokensOf = (line: string): number => entryOf(this.#costs, line, () => estimateTokens(`${line}\n`));
    const printed = bodyOf(lines).split("\n");
    return printed.reduce((sum, line) => sum + tokensOf(line), 0);
  }

  /** A summary's line whose message is quoted already; a record and a message, one of which says the other word for word. */
  #isQuoted({ passage }: Hit, text: string): boolean {
    const isQuotedWhole = (words: string): boolean =>
      words.length >= LEAST_QUOTED_CHARS && this.chosen.some((line) => line.text.includes(words));
    if (SUMMARIES.has(passage.kind)) return isQuotedWhole(saidBy(text));
    if (DISTILLED.has(passage.kind)) return sentencesOf(text).some(isQuotedWhole);
    const records = this.chosen.filter(({ hit }) => DISTILLED.has(hit.passage.kind));
    return text.length >= LEAST_QUOTED_CHARS && records.some((line) => line.text.includes(text));
  }
}

/** A line of the section as it is printed. */
interface MemoryLine {
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
  const state =
    standing ?? (overtaken && `overtaken ${overtaken.on === day ? "later that day" : overtaken.on}`);
  const past = state === undefined ? "" : ` (${state})`;
  const who = kind === "message" ? nameOf(passage) : labelOf(passage);
  const clock = kind === "message" ? `${zone.clockOf(saidAt).slice(0, 5)} ` : "";
  switch (trust) {
    case "tool":
    case "document":
      return { hit, clock, text: `quoted from a ${trust}${past}: “${excerpt}”` };
    case "human":
    case "agent":
      return { hit, clock, text: `${who}${past}: ${excerpt}` };
    default:
      return trust satisfies never;
  }
}

function labelOf({ kind }: Passage): string {
  if (SUMMARIES.has(kind)) return "summary";
  return kind === "memory" ? "kept" : kind === "profile" ? "profile" : "noted";
}

/** An upper bound of what a line adds to its group, in which so many lines stand already. */
function costOf(line: MemoryLine, standing: number): number {
  const heading = headingOf(line.hit.passage);
  const own = estimateTokens(line.clock + line.text) + NEWLINE_TOKENS;
  const date = isDated(heading) ? estimateTokens(`${heading.slice(MARK.length)} `) + 1 : Infinity;
  const ofHeading = estimateTokens(heading) + NEWLINE_TOKENS;
  if (standing === 0) return own + Math.min(date, ofHeading);
  // Two lines have a heading; the first gives up its date.
  return own + (standing === 1 ? Math.max(0, ofHeading - date) : 0);
}

/**
 * One heading a day, whatever of it is quoted: a day is one file. A day with one line has no heading, its
 * line carries the date; several such of one month share the month and have the day alone. What is of no day
 * stands under the path of its file. Oldest first, so that of two statements the later stands after the earlier.
 */
export function bodyOf(lines: readonly MemoryLine[]): string {
  const groups = groupBy([...lines].sort(byTime), ({ hit }) => headingOf(hit.passage));
  const printed: string[] = [];
  let alone: MemoryLine[] = [];
  for (const [heading, under] of groups) {
    const isAlone = under.length === 1 && isDated(heading);
    const [first = under[0]] = alone;
    if (!isAlone || first === undefined || monthIn(headingOf(first.hit.passage)) !== monthIn(heading)) {
      addAll(printed, datedLines(alone));
      alone = [];
    }
    if (isAlone) addAll(alone, under);
    else addAll(printed, [heading].concat(under.map(({ clock, text }) => clock + text)));
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

/** What is of no time stands first, a summary before the words it is of. */
function byTime({ hit: one }: MemoryLine, { hit: other }: MemoryLine): number {
  const [a, b] = [one.passage, other.passage];
  return (
    Number(TIMELESS.has(b.kind)) - Number(TIMELESS.has(a.kind)) ||
    (dayOf(a) < dayOf(b) ? -1 : dayOf(a) > dayOf(b) ? 1 : 0) ||
    Number(b.kind === "day_summary") - Number(a.kind === "day_summary") ||
    a.saidAt - b.saidAt ||
    (a.sequence ?? 0) - (b.sequence ?? 0)
  );
}

const TIMELESS: ReadonlySet<Passage["kind"]> = new Set(["memory", "profile", "document"]);

/** Of a month the last day, so that its summary stands before the next. */
function dayOf({ kind, day, path }: Passage): string {
  if (TIMELESS.has(kind)) return path;
  return kind === "month_summary" ? `${day}-00` : day;
}
