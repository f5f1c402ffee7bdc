/**
 * What is found in a text, and a remembered thing as an answer shows it to
 * programs: what it says, when that was, how well it fits, where it stands. Pure.
 */
import { defined } from "./collections.js";
import type { MessageId, Role } from "./message.js";
import type { Hit, PassageKind } from "./passage.js";
import { RECORD_KINDS, type Trust } from "./record.js";
import { type Day, isoOf } from "./time.js";

/** What a message answers: what somebody else said right before it. */
export interface Asked {
  /** As a prompt names whoever said it. */
  speaker: string;
  /** An instant, ISO 8601. */
  at: string;
  /** On one line, its beginning. */
  text: string;
  /** `path:line`, relative to the workspace. */
  source: string;
}

/** What is told beside a thing that was found. */
export interface Beside {
  /** Of a document that is read from a file of the owner's: the `path:line` in that file. */
  original?: string;
  /** Only where it was asked for. */
  answers?: Asked;
}

export interface Found extends Beside {
  /** Of the record; of what is none, `path#` and a name in that file. */
  id: string;
  kind: PassageKind;
  text: string;
  /** 0–1, comparable between questions. Absent in a list, which asks nothing. */
  score?: number;
  /** Local day, `YYYY-MM-DD`, when it happened or was said; of a month's summary the month. */
  date: string;
  /** The same as an instant, ISO 8601. */
  at: string;
  /** `path:line`, relative to the workspace. */
  source: string;
  /** The messages it comes from. */
  messageIds: readonly MessageId[];
  scope: string;
  user?: string;
  session?: string;
  role?: Role;
  speaker?: string;
  trust: Trust;
  /** The words that say it, where the text names a day that they do not: "last Friday". */
  said?: string;
  /** Absent where it still holds. */
  standing?: "superseded" | "expired";
  /** The day of a later statement on the same matter that was found too. */
  overtakenOn?: string;
}

/** A hit, or one thing of a list. */
export type Listed = Omit<Hit, "score" | "parts"> & Partial<Pick<Hit, "score" | "parts">> & Beside;

const IS_RECORD: ReadonlySet<PassageKind> = new Set(RECORD_KINDS);

export function foundOf({ passage, score, standing, overtaken, original, answers }: Listed): Found {
  const { path, kind, text, day: date, messageIds, scope, user, session, role, speaker, trust } = passage;
  const id = IS_RECORD.has(kind) ? passage.id.slice(path.length + 1) : passage.id;
  const [at, source] = [isoOf(passage.saidAt), `${path}:${passage.lines[0]}`];
  const what = { id, kind, text, score, date, at, source, messageIds };
  const by = { scope, user, session, role, speaker, trust, said: passage.said };
  return defined({ ...what, ...by, standing, overtakenOn: overtaken?.on, original, answers });
}

/** What is found in a conversation or a document; a trait feeds the profile of whoever it is of. */
export const FINDING_KINDS = ["trait", "fact", "episode", "foresight"] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

export interface Finding {
  kind: FindingKind;
  /** As it was found: it may still point at somebody. */
  text: string;
  /** The words that say it, where they were others. */
  said?: string;
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
