/** What the ledger knows of a message; its hash is that of the newest version. Pure. */
import type { FiledMessage } from "../model/message.js";
import type { Day } from "../model/time.js";
import type { JournalPlace, Origin } from "../protocol/journal.js";
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
  settled?: string;
  /** The host took it out of history.json while an older message stayed there. */
  removed?: boolean;
  /** Its block stands in a file that a person changed, and no mark tells what memd wrote there. */
  blockEdited?: boolean;
}
