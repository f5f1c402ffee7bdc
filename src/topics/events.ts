/**
 * What happened to the topics of one user in one place: the lines of
 * `events.jsonl`, and the state that follows from them.
 *
 * Pure. An event is one decision, whole: where one part of it cannot happen,
 * none of it does, and the state is the very same object.
 */
import { defined } from "../model/collections.js";
import type { MessageId } from "../model/message.js";
import type { EpochMs } from "../model/time.js";
import {
  type Filling,
  type NewTopic,
  type Topic,
  TOPIC_STATES,
  type TopicEvent,
  type TopicId,
  type TopicState,
} from "../model/topic.js";
import { SCORE_WEIGHTS } from "./activation.js";

export type Topics = ReadonlyMap<TopicId, Topic>;

export const NO_TOPICS: Topics = new Map();

export function afterEvent(topics: Topics, event: TopicEvent): Topics {
  const next = new Draft(topics, event.at);
  return next.take(event) ? next.topics : topics;
}

export function afterEvents(events: Iterable<TopicEvent>, topics = NO_TOPICS): Topics {
  return [...events].reduce(afterEvent, topics);
}

/** When they were looked through last. */
export function reviewedAtIn(events: readonly TopicEvent[]): EpochMs | undefined {
  const last = events.findLast(({ is }) => is === "reviewed" || is === "standing");
  return last?.is === "standing" ? last.reviewedAt : last?.at;
}

/** Which topic holds each message. */
export function holdersOf(topics: Topics): Map<MessageId, TopicId> {
  return new Map([...topics.values()].flatMap(({ id, ids }) => ids.map((each) => [each, id] as const)));
}

const EMPTIED = { ids: [], begins: [] } as const;

class Draft {
  topics: Map<TopicId, Topic>;

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
      case "reviewed":
        return true;
      case "standing":
        return this.#stand(event.topics);
      default:
        return event satisfies never;
    }
  }

  #split(made: readonly NewTopic[], filled: readonly Filling[]): boolean {
    const held = holdersOf(this.topics);
    const ids = [...made, ...filled].flatMap((each) => each.ids);
    if (new Set(ids).size < ids.length || ids.some((id) => held.has(id))) return false;
    return made.every((each) => this.#make(each)) && filled.every((each) => this.#fill(each));
  }

  #divide(id: TopicId, into: readonly NewTopic[]): boolean {
    const parent = this.topics.get(id);
    const ids = into.flatMap((each) => each.ids);
    if (parent === undefined || !isSameSet(parent.ids, ids)) return false;
    if (!this.#moved(id, "divided", { ...EMPTIED, into: into.map((each) => each.id) })) return false;
    return into.every((each) => this.#make(each, id));
  }

  #merge(from: readonly TopicId[], into: TopicId): boolean {
    const ids = from.flatMap((id) => this.topics.get(id)?.ids ?? []);
    const begins = from.flatMap((id) => this.topics.get(id)?.begins ?? []);
    if (from.includes(into) || !from.every((id) => this.#moved(id, "merged", { ...EMPTIED, into: [into] })))
      return false;
    return this.#fill({ id: into, ids, begins });
  }

  #forget(gone: ReadonlySet<MessageId>): boolean {
    for (const topic of this.topics.values())
      if (topic.ids.some((id) => gone.has(id)))
        this.topics.set(topic.id, {
          ...topic,
          ids: topic.ids.filter((id) => !gone.has(id)),
          begins: topic.begins.filter((id) => !gone.has(id)),
        });
    return true;
  }

  /** Whatever was before: the messages of each in it alone. */
  #stand(topics: readonly Topic[]): boolean {
    const ids = topics.flatMap((topic) => topic.ids);
    this.topics = new Map(topics.map((topic) => [topic.id, topic]));
    return new Set(ids).size === ids.length && this.topics.size === topics.length;
  }

  #make({ id, name, ids, begins }: NewTopic, parent?: TopicId): boolean {
    const state = placeAfter(this.topics.get(id)?.state ?? "none", "made");
    if (state === undefined) return false;
    const made = { id, name, state, since: this.at, filledAt: this.at, scores: [], ids };
    this.topics.set(id, { ...made, begins: begins ?? ids.slice(0, 1), ...defined({ parent }) });
    return true;
  }

  #fill({ id, ids, begins }: Filling): boolean {
    const held = this.topics.get(id);
    return this.#moved(id, "filled", {
      ids: [...(held?.ids ?? []), ...ids],
      begins: [...(held?.begins ?? []), ...(begins ?? ids.slice(0, 1))],
      filledAt: this.at,
    });
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
  const mine = new Set(ones);
  const theirs = new Set(others).size;
  return ones.length === others.length && theirs === others.length && others.every((id) => mine.has(id));
}

/** Whether it counts in every turn. */
export function isPresent({ state }: Pick<Topic, "state">): boolean {
  return state === "active" || state === "dormant";
}

/** The messages of a topic, in the stretches in which they came to it. */
export function stretchesOf({ ids, begins }: Pick<Topic, "ids" | "begins">): MessageId[][] {
  const starts = new Set(begins);
  const stretches: MessageId[][] = [];
  for (const id of ids) {
    if (stretches.length === 0 || starts.has(id)) stretches.push([]);
    stretches.at(-1)?.push(id);
  }
  return stretches;
}

/** `none`: there is no such topic yet. */
export const TOPIC_PLACES = ["none", ...TOPIC_STATES] as const;
type TopicPlace = "none" | TopicState;

/** The life of a topic: what may happen to it in each state, and where that leads. What is not in the table changes nothing. */
export const TOPIC_LIFE: Readonly<Record<TopicPlace, Partial<Record<TopicHappening, TopicState>>>> = {
  none: { made: "active" },
  active: {
    filled: "active",
    scored: "active",
    slept: "dormant",
    archived: "archived",
    divided: "divided",
    merged: "merged",
  },
  dormant: {
    filled: "active",
    scored: "dormant",
    woken: "active",
    archived: "archived",
    divided: "divided",
    merged: "merged",
  },
  archived: { woken: "active" },
  divided: {},
  merged: {},
};

/** What each means; printed into docs/TOPICS.md. */
export const TOPIC_HAPPENING_MEANINGS = {
  made: "a split, or a division of its parent, found it",
  filled: "a split or a merge adds messages to it; one that sleeps wakes",
  scored: "how much it has to do with what is said now",
  woken: "by its scores or because somebody asked; from the archive only when asked for",
  slept: "its scores fell, or too many are active",
  archived: "slept for a week, was a one-off, or a person said so",
  divided: "it grew too large: its messages are in its sub-topics",
  merged: "it is about the same as another one, which has its messages now",
} as const;

type TopicHappening = keyof typeof TOPIC_HAPPENING_MEANINGS;
export const TOPIC_HAPPENINGS = Object.keys(TOPIC_HAPPENING_MEANINGS) as TopicHappening[];

/** Where it stands afterwards; undefined where that cannot happen to it. */
export function placeAfter(place: TopicPlace, happening: TopicHappening): TopicState | undefined {
  return TOPIC_LIFE[place][happening];
}
