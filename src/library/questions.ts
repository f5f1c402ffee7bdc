/** What a program asks, and the answers as the library gives them. Shapes only. */
import type { Found } from "../model/found.js";
import type { AnswerOf, Operations } from "../service/operations.js";
import type { reader } from "../service/operations/operation.js";
import type { ShortInput } from "../service/operations/short-names.js";
import type { z } from "zod";

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
