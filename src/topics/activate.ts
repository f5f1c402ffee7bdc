/**
 * `activate_topic`: looks for what may have been forgotten in all topics, the
 * archived ones too, and wakes those that know of it. Where none surely does,
 * it names the likeliest, so that the agent can ask.
 */
import { jobIdOf } from "../llm/job-context.js";
import type { Address, Lists } from "../model/address.js";
import { defined } from "../model/collections.js";
import { MemdError } from "../model/errors.js";
import { dayAt, type Period, type Zone } from "../model/time.js";
import type { Topic, TopicId } from "../model/topic.js";
import type { Relevance } from "./relevance.js";
import type { TopicSet } from "./set.js";
import { CERTAIN, MOST_CANDIDATES, wokenFor } from "./turns.js";
import { datesOf } from "./work.js";
import { ofAddress } from "./whose.js";
import type { TopicsWorker } from "./worker.js";

/** A topic that may know of it. */
export interface FoundTopic {
  id: TopicId;
  name: string;
  /** `2026-03-01 to 2026-03-04`. */
  dates: string;
  /** The beginning of its brief. */
  about: string;
  file: string;
  /** 0–1. */
  score: number;
  state: Topic["state"];
  /** Whether it slept until now. */
  woken: boolean;
}

export interface Activated {
  /** That know of it, best first; the prompt shows them. */
  found: FoundTopic[];
  /** Where none surely does: the likeliest. */
  candidates: FoundTopic[];
}

/** Seed 003: what the index says of a topic. */
const LEVELS = { high: 0.9, medium: 0.6, low: 0.3 } as const;
/** Below it a topic has nothing to say (seed 003). */
const LEAST_TELLING = 0.3;
/** Of the best one's score: below it a topic has some of the words. */
const OF_BEST = 0.5;
const ABOUT_CHARS = 200;

/** Throws `empty_query`. Models are asked beside the ticks. */
export async function activateTopics(
  worker: TopicsWorker,
  viewer: Address,
  query: string,
  period: Period,
  lists: Lists,
): Promise<Activated> {
  if (query.trim() === "") throw new MemdError("empty_query", "There is nothing to look for.");
  const { clock, zone } = worker.parts;
  const set = await worker.loop.exclusive(() => worker.setFor(ofAddress(viewer)));
  const topics = (await worker.loop.exclusive(() => set.all())).filter((topic) =>
    isWithin(set, topic, period, zone),
  );
  const relevance = await ranked(worker, set, topics, query);
  const woken = await worker.loop.exclusive(async () => {
    const at = clock.now();
    const within = new Map([...set.store.topics].filter(([id]) => topics.some((topic) => topic.id === id)));
    const ids = wokenFor(within, relevance, set.bounds);
    if (ids.length === 0 || !(await set.store.happen({ at, is: "woken", topics: ids }))) return [];
    const scores = ids.map((id) => [id, relevance.get(id)?.score ?? 0] as const);
    await set.store.happen({ at, is: "scored", scores });
    worker.tell(set, [{ at, is: "woken", topics: ids }]);
    await set.settleHeads();
    return ids;
  });
  const said = worker.saidIn(viewer, lists);
  const { key } = said;
  const active = [...relevance].filter(([id]) => set.store.topics.get(id)?.state === "active");
  set.turns.answered(key, new Map(active), true);
  if (worker.asksModels) await worker.askWindows(set, viewer, lists, woken, said);
  const ranking = topics
    .flatMap(({ id }) => foundIn(set, id, relevance, woken.includes(id), zone))
    .sort((one, other) => other.score - one.score);
  const least = Math.max(LEAST_TELLING, (ranking[0]?.score ?? 0) * OF_BEST);
  const found = ranking.filter(({ state, score }) => state === "active" && score >= least);
  const isCertain = found.some(({ score }) => score >= CERTAIN);
  const candidates = ranking.filter((each) => each.score > 0).slice(0, MOST_CANDIDATES);
  return { found, candidates: isCertain ? [] : candidates };
}

/** By words, and where there is a model by what it says of their briefs. */
async function ranked(
  worker: TopicsWorker,
  set: TopicSet,
  topics: readonly Topic[],
  query: string,
): Promise<ReadonlyMap<TopicId, Relevance>> {
  const byWords = set.relevanceTo(query, topics);
  if (!worker.asksModels || topics.length === 0) return byWords;
  const { recallPool, onUsage, log, zone } = worker.parts;
  const listed = topics.map((topic) => {
    const { name, brief } = set.named(topic);
    return { id: topic.id, name, brief, dates: datesOf(set, topic, zone) };
  });
  const id = jobIdOf(query, listed);
  const { user } = set.of;
  const outcome = await recallPool.run({
    kind: "topic_index",
    id,
    ...defined({ user }),
    query,
    topics: listed,
  });
  onUsage(outcome.usage);
  if (outcome.to !== "done") {
    log.write({ level: "warn", event: "job_failed", kind: "topic_index", reason: outcome.reason });
    return byWords;
  }
  const told = outcome.result.found.map(({ id: topic, level }) => {
    const before = byWords.get(topic) ?? { score: 0, refs: [] };
    return [topic, { ...before, score: Math.max(before.score, LEVELS[level]) }] as const;
  });
  return new Map([...byWords, ...told]);
}

function isWithin(set: TopicSet, topic: Topic, { from, to }: Period, zone: Zone): boolean {
  if (from === undefined && to === undefined) return true;
  const first = from === undefined ? "" : dayAt(from, zone);
  const last = to === undefined ? "9999" : dayAt(to, zone);
  const spans = set.briefs.known(set.fileOf(topic))?.spans ?? [];
  return spans.some(({ date }) => date >= first && date <= last);
}

function foundIn(
  set: TopicSet,
  id: TopicId,
  relevance: ReadonlyMap<TopicId, Relevance>,
  woken: boolean,
  zone: Zone,
): FoundTopic[] {
  const topic = set.store.topics.get(id);
  if (topic === undefined) return [];
  const { name, brief, file } = set.named(topic);
  const about = brief.replace(/\s+/g, " ").slice(0, ABOUT_CHARS).toWellFormed();
  const { score = 0 } = relevance.get(id) ?? {};
  return [{ id, name, dates: datesOf(set, topic, zone), about, file, score, state: topic.state, woken }];
}
