/** What is found in a text, and how two findings stand to each other, as data that survives JSON. */
import type { Day } from "./time.js";

/** What is found in a conversation or a document; a trait feeds the profile of whoever it is of. */
export const FINDING_KINDS = ["trait", "fact", "episode", "foresight"] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

export interface Finding {
  kind: FindingKind;
  /** As it was found: it may still point at somebody. */
  text: string;
  /** Of the utterances that say it, 1-based, those looked at before first. */
  from: number[];
  /** When it happened or, of a foresight, from when on it is expected. */
  on?: Day;
  /** Of a foresight: until when. */
  until?: Day;
}

export interface DatedText {
  /** `YYYY-MM-DD`, of when it happened. */
  date: string;
  text: string;
}

/** `contradicts`: they cannot both hold at one time. */
export interface Verdict {
  is: "same" | "contradicts" | "different";
  /** Of two that are the same: both in one. */
  text?: string;
}
