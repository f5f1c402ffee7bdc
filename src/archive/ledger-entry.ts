/** What the ledger knows of a message; its hash is that of the newest version. Pure. */
import { entryOf } from "../model/collections.js";
import type { FiledMessage } from "../model/message.js";
import type { Day } from "../model/time.js";
import type { JournalPlace, Origin } from "../protocol/journal.js";
import { own } from "../text/fold.js";
import type { Sighting } from "./sighting.js";

export interface LedgerEntry extends Sighting {
  day: Day;
  /** Counts up in the order in which messages were first seen. */
  seen: number;
  from: Origin | "verbatim";
  /** The newest version, until its block is written, and its journal line. */
  held?: FiledMessage | undefined;
  place?: JournalPlace | undefined;
  /** Hash of the version whose block was written. */
  settled?: string | undefined;
  /** The host took it out of history.json while an older message stayed there. */
  removed?: boolean;
  /** Its block stands in a file that a person changed, and no mark tells what memd wrote there. */
  blockEdited?: boolean;
}

/** Hundreds of thousands of entries share one shape, and the names that thousands of them have in common. */
export class EntryMaking {
  readonly #names = new Map<string, string>();

  entryOf(sighting: Sighting, { from, day, seen }: Pick<LedgerEntry, "from" | "day" | "seen">): LedgerEntry {
    const { key, scope, session, createdAt, role, filedAt, hash, belongsTo } = sighting;
    const isOwn = sighting.isOwn === true;
    // Neither spread nor deleted from.
    const entry: LedgerEntry = {
      key: isOwn ? key : own(key),
      scope: isOwn ? scope : this.#once(scope),
      session: isOwn ? session : this.#once(session),
      createdAt: isOwn || createdAt === undefined ? createdAt : own(createdAt),
      role,
      filedAt,
      day,
      seen,
      from,
      hash,
      belongsTo: isOwn || belongsTo === undefined ? belongsTo : this.#once(belongsTo),
      settled: undefined,
    };
    return entry;
  }

  /** Of names that thousands of messages share, one in memory of its own. */
  #once<T extends string>(name: T): T {
    // It is what it was when it was put there.
    return entryOf(this.#names, name, () => own(name)) as T;
  }
}
