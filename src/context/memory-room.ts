/**
 * The room of the section Memory: what has been taken, what it cost, and
 * whether a line more fits. Nothing is said twice in it.
 */
import type { Hit } from "../model/passage.js";
import type { Zone } from "../model/time.js";
import { bestStretch, type Wanted } from "../text/best-stretch.js";
import { sentencesOf } from "../text/sentences.js";
import { estimateTokens } from "../text/tokens.js";
import { bodyOf, costOf, headingOf, lineOf, type MemoryLine } from "./memory-lines.js";
import { DISTILLED, saidBy, SUMMARIES } from "./memory-candidates.js";

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
    const costs = bodyOf(lines)
      .split("\n")
      .map((line) => {
        const cost = this.#costs.get(line) ?? estimateTokens(`${line}\n`);
        this.#costs.set(line, cost);
        return cost;
      });
    return costs.reduce((sum, cost) => sum + cost, 0);
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
