/**
 * What a program hands over to be kept and what it asks, with the answers, and
 * the memory that takes them. Shapes only; what is taken is service/given.ts.
 */
import type * as z from "zod";
import type { Found } from "../model/found.js";
import type { AnswerOf, OperationName, Operations } from "../service/operations.js";
import type { Lenient, reader } from "../service/operations/operation.js";
import type { ShortInput } from "../service/operations/operation.js";

/** A message; fields that are not named here are kept as they are. */
export interface SayInput {
  text: string;
  /** `user` unless it says otherwise. */
  role?: "user" | "agent" | "tool" | "system";
  /** The sender's id. */
  user?: string;
  /** A name to show. */
  speaker?: string;
  /** The place: `main`, a project, or `group:<id>`. */
  scope?: string;
  session?: string;
  /** ISO 8601; now unless it says otherwise. */
  createdAt?: string | Date;
  scene?: string;
  /** Kept word for word, but never given to a model, searched or put into a prompt. */
  private?: boolean;
  tool?: { name: string; callId: string; input?: unknown; result?: unknown };
  attachments?: readonly { kind: string; path?: string; tokens?: number }[];
  readonly [field: string]: unknown;
}

/** What is kept of a turn. */
export interface EndInput {
  /** One line on what the agent did. */
  memo?: string;
  /** What is worth keeping, one thing each. */
  observations?: readonly string[];
  /** Keep an observation as it is, even where it does not stand alone. */
  force?: boolean;
  /** The conversation is over: facts that are of it alone go once this turn is worked. */
  close?: boolean;
  user?: string;
  scope?: string;
  session?: string;
  createdAt?: string | Date;
}

/** A text that is looked up. */
export interface DocumentInput {
  text: string;
  /** What it is known by: the same id again replaces it. Its title when not given. */
  id?: string;
  /** Its first heading when not given. */
  title?: string;
  /** Whose documents it is of; `main` unless it says otherwise. */
  scope?: string;
  user?: string;
}

/** A message that was said before. Under the same id again it is the same message. */
export interface ImportInput extends SayInput {
  id?: string;
}

/** From where is read. What is left out is `main`. */
export type AddressInput = Exclude<z.input<typeof reader>, string>;

/** Part of every question. */
export interface ReadOptions {
  /**
   * On whose behalf: an address, or `user/scope/session` with each part
   * percent-encoded. Only what may be read from there is found, whatever else is
   * asked. Left out, the owner asks, who may read everything; there without a
   * value it is an error.
   */
  as?: string | AddressInput;
}

/** Filters inside what may be read. A time is a local day, `2026-01-28`, an instant, or a Date. */
export type EventsOptions = ShortInput<Operations["searchEvents"]>;
export type MemoriesOptions = ShortInput<Operations["searchMemories"]>;
/** `cursor` is `next` of the page before. */
export type ListOptions = ShortInput<Operations["listMemories"]>;
export type ProfilesOptions = ShortInput<Operations["searchProfiles"]>;
export type TopicsOptions = ShortInput<Operations["activateTopics"]>;
export type HistoryOptions = ShortInput<Operations["history"]>;
export type PromptOptions = ShortInput<Operations["prompt"]>;

/** Of a user or a group; of the reader where neither is named. */
export interface ProfileOptions extends ReadOptions {
  user?: string;
  group?: string;
}

export interface Answer {
  /** Each with its date and source, and its score where something was asked. */
  found: Found[];
  /** Sentences on how it was found, such as a time that was turned. */
  warnings: string[];
  /** Where nothing was found: what to try. */
  advice?: string;
}

export type ProfileFound = AnswerOf<"getProfile">;
export type TopicsFound = AnswerOf<"activateTopics">;
export type TopicFound = TopicsFound["found"][number];
export type History = AnswerOf<"history">;
export type PromptFound = NonNullable<AnswerOf<"prompt">>;
export type Status = AnswerOf<"status">;

/**
 * Questions are answered by the running memd; where none runs, by a process that
 * is started for the answer, which takes about a second. Each throws
 * `value_invalid` for what cannot be asked, and `not_running` where no answer can
 * be had. What writes throws `disk_full`, `disk_denied` or `disk_fault` where the
 * disk refuses: then nothing was acknowledged.
 */
export interface Memory {
  /** The workspace's folder, absolute, links resolved. */
  readonly folder: string;
  /** Durable when it returns; the message's id. Throws `value_invalid`, `disk_full`. */
  say(message: SayInput): Promise<string>;
  /**
   * Durable when it returns; the job's id, or undefined when there was nothing to
   * keep. Throws `value_invalid`, `disk_full`.
   */
  end(turn: EndInput): Promise<string | undefined>;
  /** Durable when it returns; the document's id. Throws `value_invalid`, `disk_full`. */
  addDocument(document: DocumentInput): Promise<string>;
  /**
   * Takes in what was said before, in order; how many messages were new. Throws
   * `value_invalid` before any is taken in, `git_moved`, `not_running`, `disk_full`.
   */
  importMessages(messages: readonly ImportInput[]): Promise<number>;
  /**
   * What happened: best first, the newer a little higher (half-life 60 days);
   * without a query the newest first. Throws `value_invalid`, `empty_query`, `not_running`.
   */
  searchEvents(asked?: EventsOptions): Promise<Answer>;
  /**
   * Everything that is remembered, the words of conversations too; best first.
   * Throws `value_invalid`, `empty_query`, `not_running`.
   */
  searchMemories(asked: MemoriesOptions): Promise<Answer>;
  /**
   * Records and profiles, newest first, a page at a time; `next` is the cursor of
   * the next page. Throws `value_invalid`, `usage` for a cursor that is none, `not_running`.
   */
  listMemories(asked?: ListOptions): Promise<Answer & { next?: string }>;
  /**
   * Undefined where nothing is known, or nothing that may be read. Throws
   * `value_invalid`, `not_running`.
   */
  getProfile(asked?: ProfileOptions): Promise<ProfileFound | undefined>;
  /** Of whom something is said; best first. Throws `value_invalid`, `empty_query`, `not_running`. */
  searchProfiles(asked: ProfilesOptions): Promise<Answer>;
  /**
   * Wakes the topics that know of something, archived ones too. Throws `topics_off`
   * where there are none, `value_invalid`, `empty_query`, `not_running`.
   */
  activateTopics(asked: TopicsOptions): Promise<TopicsFound>;
  /**
   * The prompt as the agent reads it: of whoever reads (`as`), of a conversation
   * (`for`), or of the newest input of `local` in `main`; undefined where there is
   * none yet. Throws `value_invalid`, `usage` for an address that is none, `not_running`.
   */
  prompt(asked?: PromptOptions): Promise<PromptFound | undefined>;
  /**
   * What was said in a conversation, newest last, a page at a time; `next` is the
   * cursor of the page before it. Throws `value_invalid`, `usage` for a cursor that
   * is none, `not_running`.
   */
  history(asked?: HistoryOptions): Promise<History>;
  /** What memd knows and what it is doing. Throws `not_running`. */
  status(): Promise<Status>;
  /**
   * Any operation of the table by its name (docs/PROTOCOL.md, "The socket"), with its fields, typed by its row.
   * Throws what the row names, `value_invalid`, `not_running`.
   */
  ask<N extends OperationName>(
    operation: N,
    asked?: Lenient<ShortInput<Operations[N]>>,
  ): Promise<AnswerOf<N>>;
  /**
   * Nothing of it is left when this returns: who is asked at this moment, and
   * whoever asks from now on, gets `not_running`. What was written stays.
   */
  close(): Promise<void>;
}
