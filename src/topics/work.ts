/**
 * The work that is due for a set of topics: a job for whoever answers jobs, and
 * what becomes of its answer. Nothing is due twice at a time.
 *
 * An answer that comes when messages have gone meanwhile is used so far as it
 * still holds: an event happens whole or not at all.
 */
import { jobIdOf } from "../llm/job-context.js";
import type { TopicJob, TopicResult } from "../llm/jobs/registry.js";
import type { TopicReviewResult } from "../llm/jobs/topic-review.js";
import type { TopicSplitJob } from "../llm/jobs/topic-split.js";
import { defined } from "../model/collections.js";
import { type FiledMessage, type MessageId, utteranceOf } from "../model/message.js";
import { DAY_MS, epochMs, type EpochMs, type Zone } from "../model/time.js";
import type { Topic, TopicEvent, TopicId } from "../model/topic.js";
import { isCurrent, spansOf } from "./briefs.js";
import type { TopicSet } from "./set.js";
import { divisionOf, splitOf } from "./splitting.js";
import { nameFor } from "./text-of.js";

/** Of the window: beyond it what is in no topic is split, and a topic divided. */
const FULL_SHARE = 0.7;
/** What was asked once and answered. */
const ONE_OFF_MESSAGES = 6;
/** Of days on which something was said. */
const ONE_OFF_DAYS = 3;
/** The newest of them tell most. */
const BRIEF_MESSAGES = 200;

export interface TopicWork {
  job: TopicJob;
  /** What happened because of the answer; none where nothing did. */
  settle(result: TopicResult, at: EpochMs): Promise<TopicEvent[]>;
  /** What happens all the same where no answer could be had; absent where nothing does. */
  without?: (at: EpochMs) => Promise<TopicEvent[]>;
}

/** What is to be done first; undefined where nothing is. `isWaiting`: messages that nobody has answered yet. */
export function dueWork(
  set: TopicSet,
  now: EpochMs,
  isWaiting: (id: MessageId) => boolean,
): TopicWork | undefined {
  return splitDue(set, isWaiting) ?? divisionDue(set) ?? briefDue(set) ?? reviewDue(set, now);
}

/** Whatever its size. Undefined where there is nothing to split, or no such topic. */
export function divisionWork(set: TopicSet, topic: Topic): TopicWork | undefined {
  const messages = set.store.messagesOf(topic.id);
  if (messages.length < 2) return undefined;
  const mostTokens = set.tokensOf(messages) / 2;
  return {
    job: splitJob(set, messages, [], mostTokens),
    settle: async (result, at) => {
      if (result.kind !== "topic_split") return [];
      const into = divisionOf(
        messages,
        result.groups,
        () => newTopicId(set),
        (of) => nameFor(of, set.parts.zone),
      );
      return happened(set, [{ at, is: "divided", topic: topic.id, into }]);
    },
  };
}

export function reviewWork(set: TopicSet): TopicWork {
  const { zone } = set.parts;
  const topics = set.present().map((topic) => ({ ...set.standing(topic), dates: datesOf(set, topic, zone) }));
  return {
    job: { kind: "topic_review", id: jobIdOf(topics), ...payer(set), topics },
    settle: async (result, at) => (result.kind === "topic_review" ? reviewed(set, result, at) : []),
    // What is old is archived whoever answers.
    without: (at) => reviewed(set, { merges: [], archive: [] }, at),
  };
}

/** What slept long enough. */
function oversleptIn(set: TopicSet): TopicId[] {
  const days = set.talkedOn();
  const old = set.present().filter((topic) => topic.state === "dormant" && isOver(topic, set, days));
  return old.map(({ id }) => id);
}

function splitDue(set: TopicSet, isWaiting: (id: MessageId) => boolean): TopicWork | undefined {
  const { keep_messages: kept, window_tokens: windowTokens } = set.parts.settings;
  const { unsplit } = set.store;
  if (set.tokensOf(unsplit) <= FULL_SHARE * windowTokens) return undefined;
  const answered = unsplit.findIndex(({ message }) => isWaiting(message.id));
  let end = Math.min(unsplit.length - kept, answered < 0 ? unsplit.length : answered);
  // A question is not parted from its answers.
  while (end > 0 && unsplit[end]?.message.role !== "user") end -= 1;
  const messages = unsplit.slice(0, end);
  if (messages.length === 0) return undefined;
  const topics = set.present();
  const mayFill = (id: TopicId): boolean => topics.some((topic) => topic.id === id);
  return {
    job: splitJob(
      set,
      messages,
      topics.map((topic) => set.standing(topic)),
      FULL_SHARE * windowTokens,
    ),
    settle: async (result, at) => {
      if (result.kind !== "topic_split") return [];
      const there = new Set(set.store.unsplit.map(({ message }) => message.id));
      const split = splitOf(
        messages,
        result.groups,
        mayFill,
        () => newTopicId(set),
        (of) => nameFor(of, set.parts.zone),
      );
      // What was forgotten meanwhile comes to no topic.
      const present = <T extends { ids: readonly MessageId[]; begins?: readonly MessageId[] | undefined }>(
        fillings: readonly T[],
      ): T[] =>
        fillings
          .map((each) => ({
            ...each,
            ids: each.ids.filter((id) => there.has(id)),
            begins: each.begins?.filter((id) => there.has(id)),
          }))
          .filter(({ ids }) => ids.length > 0);
      const [made, filled] = [present(split.made), present(split.filled)];
      return made.length + filled.length === 0 ? [] : happened(set, [{ at, is: "split", made, filled }]);
    },
  };
}

function divisionDue(set: TopicSet): TopicWork | undefined {
  const most = FULL_SHARE * set.parts.settings.window_tokens;
  const large = set.present().find(({ id }) => set.tokensOf(set.store.messagesOf(id)) > most);
  return large === undefined ? undefined : divisionWork(set, large);
}

function briefDue(set: TopicSet): TopicWork | undefined {
  const [topic] = owedBriefs(set);
  if (topic === undefined) return undefined;
  const messages = set.store.messagesOf(topic.id).slice(-BRIEF_MESSAGES);
  const { name, brief } = set.named(topic);
  const utterances = messages.map((filed) => utteranceOf(filed, set.parts.zone));
  const about = { name, ...(brief === "" ? {} : { previous: brief }), utterances };
  return {
    job: { kind: "topic_brief", id: jobIdOf(about), ...payer(set), ...about },
    settle: async (result) => {
      const present = set.store.topics.get(topic.id);
      if (result.kind !== "topic_brief" || present === undefined) return [];
      const refs = result.refs.flatMap((index) => messages[index]?.message.id ?? []);
      await writeBrief(set, { ...present, filledAt: topic.filledAt }, result.text, refs);
      return [];
    },
  };
}

function reviewDue(set: TopicSet, now: EpochMs): TopicWork | undefined {
  const { zone, settings } = set.parts;
  const since =
    set.store.reviewedAt ??
    [...set.store.topics.values()].map((topic) => topic.filledAt).sort((a, b) => a - b)[0];
  if (
    since === undefined ||
    reviewDay(now, zone, settings.review_at) <= reviewDay(since, zone, settings.review_at)
  )
    return undefined;
  return reviewWork(set);
}

/** The day whose review time has come last. */
function reviewDay(at: EpochMs, zone: Zone, reviewAt: string): string {
  const isOver = zone.clockOf(at).slice(0, 5) >= reviewAt;
  return zone.dayOf(isOver ? at : epochMs(at - DAY_MS));
}

async function reviewed(
  set: TopicSet,
  result: Pick<TopicReviewResult, "merges" | "archive">,
  at: EpochMs,
): Promise<TopicEvent[]> {
  const most = FULL_SHARE * set.parts.settings.window_tokens;
  const events: TopicEvent[] = [];
  for (const [into, ...topics] of result.merges) {
    const all = [into, ...topics].flatMap((id) => (id === undefined ? [] : set.store.messagesOf(id)));
    if (into !== undefined && topics.length > 0 && set.tokensOf(all) <= most)
      events.push({ at, is: "merged", topics, into });
  }
  const asleep = result.archive.filter((id) => set.store.topics.get(id)?.state === "dormant");
  const old = oversleptIn(set);
  const merged = new Set(
    events.flatMap((event) => (event.is === "merged" ? [...event.topics, event.into] : [])),
  );
  const archived = [...new Set([...asleep, ...old])].filter((id) => !merged.has(id));
  if (archived.length > 0) events.push({ at, is: "archived", topics: archived });
  const told = await happened(set, events);
  await happened(set, [{ at, is: "reviewed" }]);
  return told;
}

/** Days on which nothing was said do not count: who was away has forgotten nothing. */
function isOver({ since, begins, ids }: Topic, set: TopicSet, talkedOn: ReadonlySet<string>): boolean {
  const { zone, settings } = set.parts;
  const fellAsleepOn = zone.dayOf(since);
  const slept = [...talkedOn].filter((day) => day > fellAsleepOn).length;
  const isOneOff = begins.length <= 1 && ids.length <= ONE_OFF_MESSAGES && slept >= ONE_OFF_DAYS;
  return isOneOff || slept >= settings.sleep_days;
}

async function happened(set: TopicSet, events: readonly TopicEvent[]): Promise<TopicEvent[]> {
  const done: TopicEvent[] = [];
  for (const event of events) if (await set.store.happen(event)) done.push(event);
  return done;
}

function splitJob(
  set: TopicSet,
  messages: readonly FiledMessage[],
  topics: TopicSplitJob["topics"],
  mostTokens: number,
): TopicSplitJob {
  const utterances = messages.map((filed) => utteranceOf(filed, set.parts.zone));
  const about = { utterances, topics, mostTokens };
  return { kind: "topic_split", id: jobIdOf(about), ...payer(set), ...about };
}

/** From the first day to the last. */
export function datesOf(set: TopicSet, topic: Topic, zone: Zone): string {
  const spans = set.briefs.known(set.fileOf(topic))?.spans ?? [];
  const days =
    spans.length > 0
      ? spans.map(({ date }) => date)
      : set.store.messagesOf(topic.id).map(({ filedAt }) => zone.dayOf(filedAt));
  const sorted = [...days].sort();
  const [first = zone.dayOf(topic.filledAt), last = first] = [sorted[0], sorted.at(-1)];
  return first === last ? first : `${first} to ${last}`;
}

function payer({ of }: TopicSet): { user?: string } {
  return defined({ user: of.user });
}

const ID_LENGTH = 12;

function newTopicId(set: TopicSet): TopicId {
  return set.parts.writer.random.name(ID_LENGTH) as TopicId;
}

/** Topics whose briefs do not know all of their messages, or that have none. */
function owedBriefs(set: TopicSet): Topic[] {
  return set.present().filter((topic) => {
    const brief = set.briefs.known(set.fileOf(topic));
    return brief === undefined || !isCurrent(brief, topic);
  });
}

async function writeBrief(
  set: TopicSet,
  topic: Topic,
  text: string,
  refs: readonly MessageId[],
): Promise<void> {
  const { zone } = set.parts;
  const messages = set.store.messagesOf(topic.id);
  const file = set.fileOf(topic);
  const name = topic.name === "" ? nameFor(messages, zone) : undefined;
  await set.briefs.write(file, topic, defined({ name, text, refs, spans: spansOf(messages, zone) }));
  await set.briefs.read(file);
}
