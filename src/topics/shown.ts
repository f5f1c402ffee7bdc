/** What a prompt and the status tell of topics. Nothing is written. */
import { defined } from "../model/collections.js";
import type { EpochMs } from "../model/time.js";
import type { Topic, TopicId, TopicShown, TopicsInput } from "../model/topic.js";
import type { Relevance } from "./relevance.js";
import type { TopicSet } from "./set.js";
import { perhapsOf, type Said } from "./turns.js";
import { datesOf } from "./work.js";

export interface TopicsStatus {
  active: number;
  dormant: number;
  archived: number;
  /** Messages. */
  unsplit: number;
  /** Why models are not to be had for it, where they are not. */
  failing?: string;
}

export function statusOf(sets: readonly TopicSet[], failing: string | undefined): TopicsStatus {
  const states = sets.flatMap(({ store }) => [...store.topics.values()].map(({ state }) => state));
  const count = (state: Topic["state"]): number => states.filter((each) => each === state).length;
  return defined({
    active: count("active"),
    dormant: count("dormant"),
    archived: count("archived"),
    unsplit: sets.reduce((sum, { store }) => sum + store.unsplit.length, 0),
    failing,
  });
}

/** Those that have to do with what is said, and where none surely knows of what was forgotten, the likeliest. */
export function shownIn(set: TopicSet, said: Said, now: EpochMs): Pick<TopicsInput, "shown" | "perhaps"> {
  const { shown, relevance, topics } = set.turns.turn(said, now);
  const perhaps = said.isReminder ? perhapsOf(topics, relevance, shown) : [];
  return {
    perhaps: perhaps.flatMap((id) => {
      const topic = topics.get(id);
      if (topic === undefined) return [];
      const { name, file } = set.named(topic);
      return [{ name, file, dates: datesOf(set, topic, set.parts.zone) }];
    }),
    shown: shown.flatMap((id) => {
      const found = relevance.get(id);
      return found === undefined || !topics.has(id) ? [] : [shownOf(set, id, found)];
    }),
  };
}

function shownOf(set: TopicSet, id: TopicId, { refs, summary = "" }: Relevance): TopicShown {
  const wanted = new Set(refs);
  const topic = set.store.topics.get(id);
  const { name, brief, file } = topic === undefined ? { name: "", brief: "", file: "" } : set.named(topic);
  const messages = set.store.messagesOf(id).filter(({ message }) => wanted.has(message.id));
  return { name, brief, file, messages, best: refs, summary };
}
