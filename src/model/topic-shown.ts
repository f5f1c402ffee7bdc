/** What a prompt shows of topics. Shapes only. */
import type { FiledMessage, MessageId } from "./message.js";

export interface TopicsInput {
  /** Most relevant first. */
  shown: readonly TopicShown[];
  /** What stands instead of the history, oldest first: what is in no topic yet, and the last that was said. */
  recent: readonly FiledMessage[];
  /** Of both together. */
  windowTokens: number;
}

export interface TopicShown {
  name: string;
  /** Where it stands, relative to the workspace. */
  file: string;
  brief: string;
  /** That matter for what is said now, oldest first. */
  messages: readonly FiledMessage[];
  /** Their ids, those first that matter most. */
  best: readonly MessageId[];
  /** What a model says of the rest; empty where none was asked. */
  summary: string;
}
