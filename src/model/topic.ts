/** A part of one endless conversation that is about one thing. Shapes only. */
import type { MessageId } from "./message.js";
import type { EpochMs } from "./time.js";

export type TopicId = string & { readonly __of: "topic" };

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
  /** What it holds, in the order of the conversation. */
  ids: readonly MessageId[];
  parent?: TopicId;
  /** Into which it was divided or merged. */
  into?: readonly TopicId[];
}
