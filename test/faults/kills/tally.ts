/** What came of all the kills of a part, counted as they happen. */
import type { Findings } from "./oracle.js";
import type { How } from "./point.js";

/** In words, the first of each kind of trouble is enough. */
const MOST_TOLD = 50;

export class Tally {
  readonly failures: string[] = [];
  readonly byKind: Record<string, number> = {};
  readonly byOperation: Record<string, number> = {};
  readonly byHow: Record<string, number> = {};
  readonly labels = new Set<string>();
  kills = 0;
  survived = 0;
  messages = 0;
  lost = 0;
  doubled = 0;
  torn = 0;
  leftOver = 0;

  /** With a bug planted, one failure is all there is to learn. */
  constructor(readonly planted: boolean) {}

  get done(): boolean {
    return this.planted && this.failures.length > 0;
  }

  kill(kind: string, label: string, how: How): void {
    this.kills += 1;
    this.labels.add(label);
    for (const [counts, name] of [
      [this.byKind, kind],
      [this.byOperation, label.split(" ")[0] ?? ""],
      [this.byHow, how],
    ] as const)
      counts[name] = (counts[name] ?? 0) + 1;
  }

  found(where: string, { lost, doubled, torn }: Findings): void {
    this.lost += lost.length;
    this.doubled += doubled.length;
    this.torn += torn.length;
    for (const mark of lost) this.broken(`${where}: message ${mark} is nowhere`);
    for (const { mark, where: file } of doubled)
      this.broken(`${where}: message ${mark} stands twice in ${file}`);
    for (const file of torn) this.broken(`${where}: ${file} is torn or gone`);
  }

  figures(): Record<string, unknown> {
    const { kills, survived, byKind, byHow, byOperation, messages, lost, doubled, torn, leftOver } = this;
    const counts = { kills, survived, byKind, byHow, byOperation, labels: this.labels.size };
    return { ...counts, messages, lost, doubled, torn, leftOver };
  }

  broken(what: string): void {
    if (this.failures.length < MOST_TOLD) this.failures.push(what);
  }
}
