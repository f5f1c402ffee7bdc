/**
 * One turn of a conversation: how relevant each topic is to what is said now,
 * who wakes and who goes to sleep for it, and who is shown.
 *
 * Pure. What it decides are events, which happen once the prompt stands.
 */
import type { EpochMs } from "../model/time.js";
import type { Topic, TopicEvent, TopicId } from "../model/topic.js";
import { activationOf, minimumFor, takenFor, type ActivationBounds } from "./activation.js";
import { afterEvent, type Topics } from "./events.js";
import type { Relevance } from "./relevance.js";

/** Where many are awake already, so few are woken for one question. */
const WOKEN_ANYWAY = 2;

export interface Turn {
  events: TopicEvent[];
  /** As they stand after those. */
  topics: Topics;
}

/** Who answers well what somebody looks for may be woken at half of what it takes else. */
const RELAXED = 1 / 2;
/** Of the best one's score: below it a topic has a few of the words. */
const OF_BEST = 0.42;

/** Active and sleeping topics are scored; whoever has no relevance counts as before. */
export function turnOf(
  before: Topics,
  relevance: ReadonlyMap<TopicId, Relevance>,
  bounds: ActivationBounds,
  at: EpochMs,
): Turn {
  const events: TopicEvent[] = [];
  let topics = before;
  const happen = (event: TopicEvent): void => {
    const next = afterEvent(topics, event);
    if (next !== topics) events.push(event);
    topics = next;
  };
  const present = [...before.values()].filter(isPresent);
  const scores = present.map(({ id, scores: [last = 0] }) => [id, relevance.get(id)?.score ?? last] as const);
  if (scores.length > 0) happen({ at, is: "scored", scores });
  const ranked = [...topics.values()].filter(isPresent).map((topic) => ({
    id: topic.id,
    isActive: topic.state === "active",
    scores: topic.scores,
  }));
  const { wakes, sleeps } = activationOf(ranked, bounds);
  if (sleeps.length > 0) happen({ at, is: "slept", topics: sleeps });
  if (wakes.length > 0) happen({ at, is: "woken", topics: wakes });
  return { events, topics };
}

/** Those among the active that have to do with it. `isSearch`: somebody looks for something. */
export function shownOf(
  topics: Topics,
  relevance: ReadonlyMap<TopicId, Relevance>,
  isSearch: boolean,
): TopicId[] {
  const active = [...topics.values()].filter(({ state }) => state === "active");
  const scoreOf = (id: TopicId): number => relevance.get(id)?.score ?? 0;
  const minimum = minimumFor(active.length);
  const best = Math.max(0, ...active.map(({ id }) => scoreOf(id)));
  const least = isSearch ? Math.max(minimum * RELAXED, best * OF_BEST) : minimum;
  return active
    .map(({ id }) => id)
    .filter((id) => scoreOf(id) >= least)
    .sort((one, other) => scoreOf(other) - scoreOf(one) || (one < other ? -1 : 1));
}

/**
 * Whom it wakes when somebody looks for something: what counts is how well a
 * topic answers it, not what it had to do with before. Archived ones too.
 */
export function wokenFor(
  topics: Topics,
  relevance: ReadonlyMap<TopicId, Relevance>,
  bounds: ActivationBounds,
): TopicId[] {
  const scoreOf = (id: TopicId): number => relevance.get(id)?.score ?? 0;
  const candidates = [...topics.values()]
    .filter(({ state }) => state === "active" || state === "dormant" || state === "archived")
    .sort((one, other) => scoreOf(other.id) - scoreOf(one.id) || (one.id < other.id ? -1 : 1));
  let active = candidates.filter(({ state }) => state === "active").length;
  const least = OF_BEST * scoreOf(candidates[0]?.id ?? ("" as TopicId));
  const woken: TopicId[] = [];
  for (const { id, state } of candidates.slice(0, takenFor(active, bounds))) {
    if (state === "active") continue;
    if (active >= bounds.target && woken.length >= WOKEN_ANYWAY) break;
    if (active >= bounds.most || scoreOf(id) < Math.max(least, minimumFor(active) * RELAXED)) break;
    woken.push(id);
    active += 1;
  }
  return woken;
}

function isPresent({ state }: Topic): boolean {
  return state === "active" || state === "dormant";
}
