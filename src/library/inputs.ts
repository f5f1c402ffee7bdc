/** What a program hands over to be kept and what it asks, with the answers. Shapes only; what is taken is checked.ts. */
import type { z } from "zod";
import type { Found } from "../model/found.js";
import type { AnswerOf, Operations } from "../service/operations.js";
import type { reader } from "../service/operations/operation.js";
import type { ShortInput } from "../service/operations/short-names.js";

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
