/** The unit of search: one stretch of one file, with all that decides who may see it and how it ranks. */
import type { Belonging } from "./address.js";
import type { MessageId, Role } from "./message.js";
import { RECORD_KINDS, type Trust } from "./record.js";
import type { Day, EpochMs } from "./time.js";

export const PASSAGE_KINDS = [
  "message",
  "memory",
  "day_summary",
  "month_summary",
  ...RECORD_KINDS,
  "profile",
  "document",
] as const;
export type PassageKind = (typeof PASSAGE_KINDS)[number];

/** Whether it still holds: what does not ranks last, and says so. */
export type Standing = "current" | "superseded" | "expired";

export interface Passage extends Belonging {
  /** Stable while the file is unchanged: `path#ordinal`, or `path#` and the id of the message or record. */
  id: string;
  kind: PassageKind;
  /** Relative to the workspace, `/` between parts. */
  path: string;
  /** First and last line in the file, 1-based, inclusive. */
  lines: readonly [number, number];
  text: string;
  /** When it was said or, of a record, happened; what decay and the printed date use. */
  saidAt: EpochMs;
  /** Local day of `saidAt`, or of what a summary covers. */
  day: string;
  role?: Role;
  speaker?: string;
  /** Position in its session: neighbours are sequence ± 1. */
  sequence?: number;
  messageIds: readonly MessageId[];
  trust: Trust;
  /** Summaries only: the days this text stands for, each with the hash of its ids. */
  covers?: readonly { day: Day; hash: string }[];
  /** Records only: the words that say it, where the text names a day that they do not. */
  said?: string;
  /** Records of a group only: from whose side it is told. */
  perspective?: string;
  /** Records only: when it was written down. */
  knownAt?: EpochMs;
  /** Records only: until when it holds. */
  validTo?: EpochMs;
  /** Records only: since when a newer one says otherwise. */
  supersededAt?: EpochMs;
}

export interface Hit {
  passage: Passage;
  /** Final similarity, 0–1, comparable between queries. */
  score: number;
  /** Part of a score by name, for --explain. */
  parts: Readonly<Record<string, number>>;
  /** Absent where it still holds. */
  standing?: Exclude<Standing, "current">;
  /** A later statement on the same matter was found too: its day and passage. */
  overtaken?: { on: string; by: string };
}

/** How recall looks: by words, by meaning, by both, or again with other words of a model's. */
export const RECALL_MODES = ["keyword", "vector", "hybrid", "agentic"] as const;

export type RecallMode = (typeof RECALL_MODES)[number];
