/**
 * What happened to the topics of one user in one place: the lines of
 * `events.jsonl`, and the state that follows from them.
 *
 * Pure. An event is one decision, whole: where one part of it cannot happen,
 * none of it does, and the state is the very same object.
 */
import type { MessageId } from "../model/message.js";
import type { EpochMs } from "../model/time.js";
import type { Topic, TopicId } from "../model/topic.js";
import { SCORE_WEIGHTS } from "./activation.js";
import { placeAfter, type TopicHappening } from "./life.js";

/** A topic that begins with these messages. */
export interface NewTopic {
  id: TopicId;
  name: string;
  ids: readonly MessageId[];
}

export type TopicEvent = { at: EpochMs } & (
  | {
      /** Messages that were in no topic. */
      is: "split";
      made: readonly NewTopic[];
      filled: readonly { id: TopicId; ids: readonly MessageId[] }[];
    }
  | { is: "scored"; scores: readonly (readonly [TopicId, number])[] }
  | { is: "woken" | "slept" | "archived"; topics: readonly TopicId[] }
  /** Every message of it is in one of those, each in one. */
  | { is: "divided"; topic: TopicId; into: readonly NewTopic[] }
  | { is: "merged"; topics: readonly TopicId[]; into: TopicId }
  /** Messages that are no more. */
  | { is: "forgot"; ids: readonly MessageId[] }
);

export type Topics = ReadonlyMap<TopicId, Topic>;

export const NO_TOPICS: Topics = new Map();

export function afterEvent(topics: Topics, event: TopicEvent): Topics {
  const next = new Draft(topics, event.at);
  return next.take(event) ? next.topics : topics;
}

export function afterEvents(events: Iterable<TopicEvent>, topics = NO_TOPICS): Topics {
  let state = topics;
  for (const event of events) state = afterEvent(state, event);
  return state;
}

/** Which topic holds each message. */
export function holdersOf(topics: Topics): Map<MessageId, TopicId> {
  return new Map([...topics.values()].flatMap(({ id, ids }) => ids.map((each) => [each, id] as const)));
}

class Draft {
  readonly topics: Map<TopicId, Topic>;

  constructor(
    before: Topics,
    readonly at: EpochMs,
  ) {
    this.topics = new Map(before);
  }

  /** False where some of it cannot happen. */
  take(event: TopicEvent): boolean {
    switch (event.is) {
      case "split":
        return this.#split(event.made, event.filled);
      case "scored":
        return event.scores.every(([id, score]) => this.#score(id, score));
      case "woken":
      case "slept":
      case "archived":
        return event.topics.every((id) => this.#moved(id, event.is));
      case "divided":
        return this.#divide(event.topic, event.into);
      case "merged":
        return this.#merge(event.topics, event.into);
      case "forgot":
        return this.#forget(new Set(event.ids));
      default:
        return event satisfies never;
    }
  }

  #split(made: readonly NewTopic[], filled: readonly { id: TopicId; ids: readonly MessageId[] }[]): boolean {
    const held = holdersOf(this.topics);
    const ids = [...made, ...filled].flatMap((each) => each.ids);
    if (new Set(ids).size < ids.length || ids.some((id) => held.has(id))) return false;
    return made.every((each) => this.#make(each)) && filled.every((each) => this.#fill(each.id, each.ids));
  }

  #divide(id: TopicId, into: readonly NewTopic[]): boolean {
    const parent = this.topics.get(id);
    const ids = into.flatMap((each) => each.ids);
    if (parent === undefined || !isSameSet(parent.ids, ids)) return false;
    if (!this.#moved(id, "divided", { ids: [], into: into.map((each) => each.id) })) return false;
    return into.every((each) => this.#make(each, id));
  }

  #merge(from: readonly TopicId[], into: TopicId): boolean {
    const ids = from.flatMap((id) => this.topics.get(id)?.ids ?? []);
    if (from.includes(into) || !from.every((id) => this.#moved(id, "merged", { ids: [], into: [into] })))
      return false;
    return this.#fill(into, ids);
  }

  #forget(gone: ReadonlySet<MessageId>): boolean {
    for (const topic of this.topics.values())
      if (topic.ids.some((id) => gone.has(id)))
        this.topics.set(topic.id, { ...topic, ids: topic.ids.filter((id) => !gone.has(id)) });
    return true;
  }

  #make({ id, name, ids }: NewTopic, parent?: TopicId): boolean {
    const state = placeAfter(this.topics.get(id)?.state ?? "none", "made");
    if (state === undefined) return false;
    const { at } = this;
    const of = parent === undefined ? {} : { parent };
    this.topics.set(id, { id, name, state, since: at, filledAt: at, scores: [], ids, ...of });
    return true;
  }

  #fill(id: TopicId, ids: readonly MessageId[]): boolean {
    const held = this.topics.get(id)?.ids ?? [];
    return this.#moved(id, "filled", { ids: [...held, ...ids], filledAt: this.at });
  }

  #score(id: TopicId, score: number): boolean {
    const scores = this.topics.get(id)?.scores ?? [];
    return (
      score >= 0 &&
      score <= 1 &&
      this.#moved(id, "scored", { scores: [score, ...scores].slice(0, SCORE_WEIGHTS.length) })
    );
  }

  #moved(id: TopicId, happening: TopicHappening, change: Partial<Topic> = {}): boolean {
    const topic = this.topics.get(id);
    const state = topic && placeAfter(topic.state, happening);
    if (topic === undefined || state === undefined) return false;
    const since = state === topic.state ? topic.since : this.at;
    this.topics.set(id, { ...topic, ...change, state, since });
    return true;
  }
}

function isSameSet(ones: readonly MessageId[], others: readonly MessageId[]): boolean {
  const set = new Set(ones);
  return (
    ones.length === others.length &&
    new Set(others).size === others.length &&
    others.every((id) => set.has(id))
  );
}
