/** What was distilled of a conversation: one remembered thing, and one line on what the agent did. Shapes only. */
import type { Belonging } from "./access.js";
import type { MessageId } from "./message.js";
import type { ScopeId } from "./address.js";
import type { EpochMs } from "./time.js";

export type RecordId = string & { readonly __of: "record" };

export const RECORD_KINDS = ["event", "fact", "episode", "foresight"] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** Of whose making the text is; a summary is trusted as little as its least trusted source. */
export type Trust = "human" | "agent" | "tool" | "document";

/** Of the line in `memory/records/`. */
export const RECORD_SCHEMA = 1;

export interface MemoryRecord extends Belonging {
  id: RecordId;
  kind: RecordKind;
  /** From whose side it is told: an observation in a group gives one record of the group's and one of the sender's. */
  perspective?: string;
  text: string;
  /** When it happened. */
  at: EpochMs;
  /** Only the day of `at` was told. */
  allDay?: true;
  recordedAt: EpochMs;
  /** Whether it stands alone: no pronouns, no relative times. */
  isAbsolute: boolean;
  sources: readonly MessageId[];
  trust: Trust;
  /** The older record that this one contradicts. */
  supersedes?: RecordId;
  /** The newer record that contradicts this one. */
  supersededBy?: RecordId;
  supersededAt?: EpochMs;
  validFrom?: EpochMs;
  validTo?: EpochMs;
}

/** One line on what the agent did in a turn. */
export interface Memo {
  /** Of the job that brought it. */
  id?: string;
  at: EpochMs;
  user?: string;
  scope: ScopeId;
  session: string;
  text: string;
}
