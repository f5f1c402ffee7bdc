/** The unit of search: one stretch of one file, with all that decides who may see it and how it ranks. */
import type { Belonging } from "./address.js";
import type { MessageId, Role } from "./message.js";
import type { Day, EpochMs } from "./time.js";

export const PASSAGE_KINDS = ["message", "memory", "day_summary", "month_summary"] as const;
export type PassageKind = (typeof PASSAGE_KINDS)[number];

/** Of whose making the text is; a summary is trusted as little as its least trusted source. */
export type Trust = "human" | "agent" | "tool" | "document";

export interface Passage extends Belonging {
  /** Stable while the file is unchanged: `path#ordinal`, or `path#messageId` for messages. */
  id: string;
  kind: PassageKind;
  /** Relative to the workspace, `/` between parts. */
  path: string;
  /** First and last line in the file, 1-based, inclusive. */
  lines: readonly [number, number];
  text: string;
  /** When it was said; what decay and the printed date use. */
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
}

export interface Hit {
  passage: Passage;
  /** Final similarity, 0–1, comparable between queries. */
  score: number;
  /** Part of a score by name, for --explain. */
  parts: Readonly<Record<string, number>>;
}
