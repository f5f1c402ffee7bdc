/** Parts of one endless conversation that are about one thing each, and what a prompt shows of them. Shapes only. */
import type { ScopeId } from "./address.js";
import type { FiledMessage, MessageId } from "./message.js";
import type { EpochMs } from "./time.js";

export type TopicId = string & { readonly __of: "topic" };

/** Of whom: one set of topics for each user in a place, and one for all of a group. */
export interface TopicsOf {
  scope: ScopeId;
  /** Absent in a group. */
  user?: string;
}

/** `divided`: into sub-topics; `merged`: into another one. */
export const TOPIC_STATES = ["active", "dormant", "archived", "divided", "merged"] as const;
export type TopicState = (typeof TOPIC_STATES)[number];

export interface Topic {
  id: TopicId;
  /** As it was made; people may give it another one in its file. */
  name: string;
  state: TopicState;
  /** When it came into this state. */
  since: EpochMs;
  /** When messages came to it last. */
  filledAt: EpochMs;
  /** Relevance in the last rounds, 0–1, the newest first; at most five. */
  scores: readonly number[];
  /** What it holds, in the order in which it came. */
  ids: readonly MessageId[];
  /** Of these the first of each stretch that came to it in one piece. */
  begins: readonly MessageId[];
  parent?: TopicId;
  /** Into which it was divided or merged. */
  into?: readonly TopicId[];
}

/** Messages that come to a topic. */
export interface Filling {
  id: TopicId;
  ids: readonly MessageId[];
  /** Of these the first of each stretch that is about one thing; the very first where none is named. */
  begins?: readonly MessageId[] | undefined;
}

/** A topic that begins with these messages. */
export interface NewTopic extends Filling {
  name: string;
}

/** What happened to the topics of one user in one place: one decision, whole. */
export type TopicEvent = { at: EpochMs } & (
  | {
      /** Messages that were in no topic. */
      is: "split";
      made: readonly NewTopic[];
      filled: readonly Filling[];
    }
  | { is: "scored"; scores: readonly (readonly [TopicId, number])[] }
  | { is: "woken" | "slept" | "archived"; topics: readonly TopicId[] }
  /** Every message of it is in one of those, each in one. */
  | { is: "divided"; topic: TopicId; into: readonly NewTopic[] }
  | { is: "merged"; topics: readonly TopicId[]; into: TopicId }
  /** Messages that are no more. */
  | { is: "forgot"; ids: readonly MessageId[] }
  /** All were looked through. */
  | { is: "reviewed" }
  /** All as it stands, instead of what led to it. */
  | { is: "standing"; topics: readonly Topic[]; reviewedAt?: EpochMs | undefined }
);

/** What a prompt shows of topics. Shapes only. */
export interface TopicsInput {
  /** Most relevant first. */
  shown: readonly TopicShown[];
  /** Somebody says that they have told it before, and none surely knows of it: the likeliest first. */
  perhaps: readonly TopicNamed[];
  /** What stands instead of the history, oldest first: what is in no topic yet, and the last that was said. */
  recent: readonly FiledMessage[];
  /** Of both together. */
  windowTokens: number;
}

export interface TopicNamed {
  name: string;
  /** `2026-03-01 to 2026-03-04`. */
  dates: string;
  /** Where it stands, relative to the workspace. */
  file: string;
}

export interface TopicShown extends Pick<TopicNamed, "name" | "file"> {
  brief: string;
  /** That matter for what is said now, oldest first. */
  messages: readonly FiledMessage[];
  /** Their ids, those first that matter most. */
  best: readonly MessageId[];
  /** What a model says of the rest; empty where none was asked. */
  summary: string;
}
