/** The messages of each conversation of a place, whoever speaks in it; put together when first asked for. No I/O. */
import type { ScopeId } from "../model/address.js";
import { groupBy } from "../model/collections.js";
import type { LedgerEntry } from "./ledger-entry.js";

export class Conversations {
  #byPlace: Map<string, LedgerEntry[]> | undefined;
  /** Conversations whose last entry is not the newest. */
  readonly #unsorted = new Set<string>();

  /** Oldest first; of one moment in the order in which they were first seen. `all`: every message there is. */
  of(scope: ScopeId, session: string, all: () => Iterable<LedgerEntry>): readonly LedgerEntry[] {
    const place = placeOf({ scope, session });
    if (this.#byPlace === undefined) {
      this.#byPlace = groupBy(all(), placeOf);
      for (const each of this.#byPlace.keys()) this.#unsorted.add(each);
    }
    const entries = this.#byPlace.get(place) ?? [];
    if (this.#unsorted.delete(place))
      entries.sort((one, other) => one.filedAt - other.filedAt || one.seen - other.seen);
    return entries;
  }

  enter(entry: LedgerEntry): void {
    if (this.#byPlace === undefined) return;
    const place = placeOf(entry);
    const entries = this.#byPlace.get(place) ?? [];
    if ((entries.at(-1)?.filedAt ?? 0) > entry.filedAt) this.#unsorted.add(place);
    entries.push(entry);
    this.#byPlace.set(place, entries);
  }

  /** Some are gone. */
  clear(): void {
    this.#byPlace = undefined;
  }
}

function placeOf({ scope, session }: Pick<LedgerEntry, "scope" | "session">): string {
  return `${scope}\u0000${session}`;
}
