/**
 * What happened lately, numbered, for streams: whoever was cut off tells the last number
 * that came, and is given what was missed.
 */
import type { LogEvent } from "../platform/log.js";

/** Whoever was away for longer looks at everything anew. */
const MOST_KEPT = 1000;

/** The name under which a stream tells that something came which it does not tell. */
export const MISSED = "missed";

export interface Numbered {
  /** Of this run of memd: `1767225600000-42`. */
  id: string;
  event: LogEvent;
}

/** Calls back for each event until the returned function is called. */
export type Listen = (hear: (event: LogEvent) => void) => () => void;

export class RecentEvents {
  readonly #kept: Numbered[] = [];
  readonly #hearers = new Set<(numbered: Numbered) => void>();
  #count = 0;

  /** `run` tells the numbers of one memd from those of the next. */
  constructor(
    listen: Listen,
    readonly run: string,
  ) {
    listen((event) => {
      this.#count += 1;
      const numbered = { id: `${run}-${this.#count}`, event };
      this.#kept.push(numbered);
      if (this.#kept.length > MOST_KEPT) this.#kept.shift();
      for (const hear of this.#hearers) hear(numbered);
    });
  }

  /** What came behind that one; undefined where nobody can tell: it is of another run, or too long ago. */
  after(id: string): readonly Numbered[] | undefined {
    const [, number = ""] = id.startsWith(`${this.run}-`) ? id.split("-") : [];
    const last = /^\d{1,15}$/.test(number) ? Number(number) : -1;
    const missed = this.#count - last;
    if (last < 0 || missed < 0 || missed > this.#kept.length) return undefined;
    return missed === 0 ? [] : this.#kept.slice(-missed);
  }

  hear(hearer: (numbered: Numbered) => void): () => void {
    this.#hearers.add(hearer);
    return () => this.#hearers.delete(hearer);
  }
}
