/** What the ledger knows of a message. Pure. */
import type { MessageKey, ScopeId } from "../model/address.js";
import type { FiledMessage, Role } from "../model/message.js";
import type { Day, EpochMs } from "../model/time.js";
import type { JournalPlace, Origin } from "../protocol/journal.js";

export interface LedgerEntry {
  key: MessageKey;
  scope: ScopeId;
  session: string;
  createdAt: string;
  role: Role;
  filedAt: EpochMs;
  day: Day;
  /** Counts up in the order in which messages were first seen. */
  seen: number;
  from: Origin | "verbatim";
  /** Of the newest version. */
  hash: string;
  belongsTo?: string;
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
