/**
 * The turns of the conversations that share a set of topics: what each makes of
 * what is said, and what was asked about it, until its scores are counted. Nothing
 * here must survive.
 */
import type { EpochMs } from "../model/time.js";
import type { TopicEvent, TopicId } from "../model/topic.js";
import { type ActivationBounds, activationOf, minimumFor, takenFor } from "./activation.js";
import { afterEvent, isPresent, type Topics } from "./events.js";
import type { Relevance } from "./relevance.js";
import type { TopicStore } from "./store.js";

/** Of turns that may still be asked about. */
const TURNS_KEPT = 100;

/** What is said now, and how to tell it from what was said before. */
export interface Said {
  /** Of the turn, which is counted once; undefined where nothing was said since memd began. */
  key?: string;
  text: string;
  /** What that goes on from, where it says little by itself. */
  before: string;
  /** Somebody says that they have told it before. */
  isReminder: boolean;
}

/** What a turn asks of its topics. */
interface TurningSet {
  readonly store: TopicStore;
  readonly bounds: ActivationBounds;
  /** Another text whenever a turn may be reckoned otherwise. */
  readonly revision: string;
  relevanceIn(said: Said): ReadonlyMap<TopicId, Relevance>;
}

interface Known {
  said: Said;
  at: EpochMs;
  relevance: ReadonlyMap<TopicId, Relevance>;
  /** What its words alone tell. */
  byWords: ReadonlyMap<TopicId, Relevance>;
  /** The revision that it was reckoned from. */
  revision: string;
}

interface AskedOf {
  key: string | undefined;
  relevance: ReadonlyMap<TopicId, Relevance>;
  /** Somebody looked for something: half of what it takes else is enough to be shown. */
  isSearch: boolean;
}

export class TopicTurns {
  /** Of turns whose scores were counted. */
  readonly #counted = new Set<string>();
  /** By what waits. */
  readonly #turns = new Map<string, Known>();
  /** What windows or a search said of the present turn: it counts instead of words. */
  #asked: AskedOf | undefined;

  constructor(readonly set: TurningSet) {}

  /** What it makes of what is said now; nothing is written. The relevance of each topic, and those to show. */
  turn(
    said: Said,
    at: EpochMs,
  ): { shown: TopicId[]; relevance: ReadonlyMap<TopicId, Relevance>; topics: Topics } {
    const revision = this.set.revision;
    const key = said.key ?? "";
    const known = this.#turns.get(key);
    const isSame =
      known !== undefined &&
      known.revision === revision &&
      known.said.text === said.text &&
      known.said.before === said.before;
    const turn = isSame ? known : this.#reckon(said, at, revision);
    this.#turns.set(key, turn);
    const isNew = said.key !== undefined && !this.#counted.has(key);
    const topics = isNew ? this.#decided(turn).topics : this.set.store.topics;
    const isSearch = said.isReminder || (this.#asked?.isSearch === true && this.#asked.key === said.key);
    return { shown: shownOf(topics, turn.relevance, isSearch), relevance: turn.relevance, topics };
  }

  /** Whatever was asked changes what a turn makes of it. */
  get revision(): unknown {
    return this.#asked === undefined ? [] : [this.#asked.key, ...this.#asked.relevance];
  }

  /** What was asked about this turn, by windows or a search. What is known of other topics in it stays known. */
  answered(key: string | undefined, relevance: ReadonlyMap<TopicId, Relevance>, isSearch = false): void {
    const asked = this.#asked;
    const isSame = asked !== undefined && asked.key === key;
    const before = isSame ? asked.relevance : new Map<TopicId, Relevance>();
    // What a window said of a topic in this turn a search does not unsay; it may count for more.
    const told = [...relevance].map(([id, found]) => {
      const window = isSearch ? before.get(id) : undefined;
      const score = Math.max(found.score, window?.score ?? 0);
      return [id, window?.summary === undefined ? found : { ...window, score }] as const;
    });
    this.#asked = {
      key,
      relevance: new Map([...before, ...told]),
      isSearch: isSearch || (isSame && asked.isSearch),
    };
  }

  /** What turns decided happens; what happened. Once for each turn. */
  async count(): Promise<TopicEvent[]> {
    const happened: TopicEvent[] = [];
    for (const [key, turn] of [...this.#turns]) {
      if (key === "" || this.#counted.has(key)) continue;
      for (const event of this.#decided(turn).events)
        if (await this.set.store.happen(event)) happened.push(event);
      this.#counted.add(key);
    }
    for (const old of [...this.#counted].slice(0, -TURNS_KEPT)) this.#counted.delete(old);
    for (const old of [...this.#turns.keys()].slice(0, -TURNS_KEPT)) this.#turns.delete(old);
    return happened;
  }

  #reckon(said: Said, at: EpochMs, revision: string): Known {
    const asked = this.#asked !== undefined && this.#asked.key === said.key ? this.#asked.relevance : [];
    const byWords = this.set.relevanceIn(said);
    return { said, at, relevance: new Map([...byWords, ...asked]), byWords, revision };
  }

  /** Who has forgotten something looks for it before being told to. */
  #decided({ said, at, relevance, byWords }: Known): { events: TopicEvent[]; topics: Topics } {
    const { events, topics } = turnOf(this.set.store.topics, relevance, this.set.bounds, at);
    const woken = said.isReminder ? wokenFor(topics, byWords, this.set.bounds) : [];
    if (woken.length === 0) return { events, topics };
    const event: TopicEvent = { at, is: "woken", topics: woken };
    return { events: [...events, event], topics: afterEvent(topics, event) };
  }
}

/** Where many are awake already, so few are woken for one question. */
const WOKEN_ANYWAY = 2;

interface Turn {
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
  const ranked = [...topics.values()]
    .filter(isPresent)
    .map(({ id, state, scores: last }) => ({ id, isActive: state === "active", scores: last }));
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
  const active = [...topics.values()].flatMap(({ id, state }) => (state === "active" ? [id] : []));
  const scoreOf = (id: TopicId): number => relevance.get(id)?.score ?? 0;
  const minimum = minimumFor(active.length);
  const best = Math.max(0, ...active.map(scoreOf));
  const least = isSearch ? Math.max(minimum * RELAXED, best * OF_BEST) : minimum;
  return active
    .filter((id) => scoreOf(id) >= least)
    .sort((one, other) => scoreOf(other) - scoreOf(one) || (one < other ? -1 : 1));
}

/** Whoever reaches it knows of it. */
export const CERTAIN = 0.5;
export const MOST_CANDIDATES = 5;

/** Where none of those shown surely knows of what somebody has forgotten, whom it may be; the likeliest first. */
export function perhapsOf(
  topics: Topics,
  relevance: ReadonlyMap<TopicId, Relevance>,
  shown: readonly TopicId[],
): TopicId[] {
  const scoreOf = (id: TopicId): number => relevance.get(id)?.score ?? 0;
  if (shown.some((id) => scoreOf(id) >= CERTAIN)) return [];
  return [...topics.values()]
    .filter((topic) => isPresent(topic) && scoreOf(topic.id) > 0)
    .map(({ id }) => id)
    .sort((one, other) => scoreOf(other) - scoreOf(one) || (one < other ? -1 : 1))
    .slice(0, MOST_CANDIDATES);
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
    .filter((topic) => isPresent(topic) || topic.state === "archived")
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
