/**
 * Entries of the ledger by conversation, oldest first: what was said last in one
 * is found without going through all of them. Made when first asked for.
 *
 * No I/O. It owns the order, not the entries.
 */
import { groupBy } from "../model/group.js";
import type { ScopeId } from "../model/address.js";
import type { EpochMs } from "../model/time.js";

interface Entry {
  scope: ScopeId;
  session: string;
  filedAt: EpochMs;
  /** Counts up in the order in which they were first seen. */
  seen: number;
}

export class Conversations<T extends Entry> {
  #byPlace: Map<string, T[]> | undefined;
  /** Places whose last entry is not the newest. */
  readonly #unsorted = new Set<string>();

  constructor(readonly all: () => Iterable<T>) {}

  add(entry: T): void {
    if (this.#byPlace === undefined) return;
    const place = placeOf(entry);
    const entries = this.#byPlace.get(place) ?? [];
    const last = entries.at(-1);
    if (last !== undefined && last.filedAt > entry.filedAt) this.#unsorted.add(place);
    entries.push(entry);
    this.#byPlace.set(place, entries);
  }

  /** Entries have gone: the order is made anew. */
  reset(): void {
    this.#byPlace = undefined;
    this.#unsorted.clear();
  }

  /** Of a place and session, oldest first; of one moment in the order in which they were first seen. */
  of(scope: ScopeId, session: string): readonly T[] {
    const place = placeOf({ scope, session });
    this.#byPlace ??= this.#grouped();
    const entries = this.#byPlace.get(place) ?? [];
    if (this.#unsorted.delete(place))
      entries.sort((one, other) => one.filedAt - other.filedAt || one.seen - other.seen);
    return entries;
  }

  #grouped(): Map<string, T[]> {
    const byPlace = groupBy(this.all(), placeOf);
    for (const place of byPlace.keys()) this.#unsorted.add(place);
    return byPlace;
  }
}

function placeOf({ scope, session }: Pick<Entry, "scope" | "session">): string {
  return `${scope}\u0000${session}`;
}
