/**
 * What the files of other agents tell, in one shape: conversations of people and
 * agents, and what was remembered of them.
 *
 * Pure. Every reader below gives these, whatever it read; what it passed over is
 * counted by why.
 */
import type { ToolUse } from "../model/message.js";

export interface ToldMessage {
  /** The same at every reading, and in every copy that a resumed or forked conversation holds. */
  id: string;
  /** Under which the copy stands that this was read from, where that has an id of its own. */
  copyId?: string;
  role: "user" | "agent";
  text: string;
  /** ISO 8601; absent where the source tells none. */
  at?: string;
  speaker?: string;
  /** What was called beside it, and what that gave. */
  tools?: ToolUse[];
}

export interface Conversation {
  id: string;
  title?: string;
  /** The folder that it was about, as it was called on that machine. */
  project?: string;
  /** The conversation whose past this one begins with, under ids of its own. */
  forkOf?: string;
  /** As they were said. */
  messages: ToldMessage[];
}

/** What another memory holds of somebody, or a note of theirs. */
export interface Note {
  id: string;
  text: string;
  title?: string;
  /** ISO 8601. */
  at?: string;
  /** Whom it is about, as that system names them. */
  about?: string;
}

export interface Told {
  conversations: Conversation[];
  notes: Note[];
}

/** Where a reader found what it reads. */
export interface Source {
  /** Name of the file, without its folder. */
  name: string;
  /** ISO 8601, of the last change; all that is known where nothing inside tells a time. */
  changedAt?: string;
  /** What tools gave is not wanted: a line of it need not be read. */
  withoutResults?: boolean;
}

/** Counts of what was passed over, by why. */
export class Skipped {
  readonly counts = new Map<string, number>();

  note(why: string, times = 1): void {
    this.counts.set(why, (this.counts.get(why) ?? 0) + times);
  }
}

/** Those of some programs are too short to be one message's in all the world. */
const SHORT_ID = 20;

/** The same in every copy of the message, and no other's. `conversation`: of a message that has no time. */
export function nameOf({ id, at }: ToldMessage, conversation: string): string {
  return id.length >= SHORT_ID ? id : `${at ?? conversation}:${id}`;
}

/** Told twice, by a copy of what came before; the first stays, and the order. */
export function eachOnce(messages: Iterable<ToldMessage>, skipped: Skipped): ToldMessage[] {
  const first = new Map<string, ToldMessage>();
  for (const message of messages)
    if (first.has(message.id)) skipped.note("copies");
    else first.set(message.id, message);
  return [...first.values()];
}
