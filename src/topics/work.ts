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
import { DAY_MS, type EpochMs, later, type Zone } from "../model/time.js";
import type { Filling, Topic, TopicEvent, TopicId } from "../model/topic.js";
import { isCurrent, isUntold, spansOf } from "./briefs.js";
import type { TopicSet } from "./set.js";
import { divisionOf, splitOf } from "./splitting.js";
import { nameFor } from "./text-of.js";

/** Of the window: beyond it what is in no topic is split, and a topic divided. */
const FULL_SHARE = 0.7;
/** More than so many windows in no topic were imported. */
const BACKLOG_WINDOWS = 3;
/** What was asked once and answered. */
const ONE_OFF_MESSAGES = 6;
/** Of days on which something was said. */
const ONE_OFF_DAYS = 3;
/** The newest of them tell most. */
const BRIEF_MESSAGES = 200;

/** What fails and rests by itself. */
export type WorkKind = "split" | "division" | "brief" | "review";

export interface TopicWork {
  is: WorkKind;
  job: TopicJob;
  /** What happened because of the answer; none where nothing did. */
  settle(result: TopicResult, at: EpochMs): Promise<TopicEvent[]>;
  /** What happens all the same where no answer could be had; absent where nothing does. */
  without?: (at: EpochMs) => Promise<TopicEvent[]>;
}

/** What is to be done first; undefined where nothing is. `isWaiting`: messages that nobody has answered yet; `mayBegin`: kinds that do not rest. */
export function dueWork(
  set: TopicSet,
  now: EpochMs,
  isWaiting: (id: MessageId) => boolean,
  mayBegin: (kind: WorkKind) => boolean = () => true,
): TopicWork | undefined {
  const due = {
    split: () => splitDue(set, isWaiting),
    division: () => divisionDue(set),
    brief: () => briefDue(set),
    review: () => reviewDue(set, now),
  } satisfies Record<WorkKind, () => TopicWork | undefined>;
  for (const kind of ["split", "division", "brief", "review"] as const) {
    const work = mayBegin(kind) ? due[kind]() : undefined;
    if (work !== undefined) return work;
  }
  return undefined;
}

/** The same without a model. */
export function byWords(work: TopicWork): TopicWork {
  return { ...work, job: { ...work.job, byWords: true } };
}

/** Whatever its size. Undefined where there is nothing to split, or no such topic. */
export function divisionWork(set: TopicSet, topic: Topic): TopicWork | undefined {
  const messages = set.store.messagesOf(topic.id);
  if (messages.length < 2) return undefined;
  const mostTokens = set.tokensOf(messages) / 2;
  return {
    is: "division",
    job: splitJob(set, messages, [], mostTokens),
    settle: async (result, at) => {
      if (result.kind !== "topic_split") return [];
      const into = divisionOf(messages, result.groups, ...naming(set));
      return happened(set, [{ at, is: "divided", topic: topic.id, into }]);
    },
  };
}

export function reviewWork(set: TopicSet): TopicWork {
  const { zone } = set.parts;
  const topics = set.present().map((topic) => ({ ...set.standing(topic), dates: datesOf(set, topic, zone) }));
  return {
    is: "review",
    job: { kind: "topic_review", id: jobIdOf(topics), ...payer(set), topics },
    settle: async (result, at) => (result.kind === "topic_review" ? reviewed(set, result, at) : []),
    // What is old is archived whoever answers.
    without: (at) => reviewed(set, { merges: [], archive: [] }, at),
  };
}

function splitDue(set: TopicSet, isWaiting: (id: MessageId) => boolean): TopicWork | undefined {
  const { keep_messages: kept, window_tokens: windowTokens } = set.parts.settings;
  const { unsplit } = set.store;
  if (set.tokensOf(unsplit) <= FULL_SHARE * windowTokens) return undefined;
  const answered = unsplit.findIndex(({ message }) => isWaiting(message.id));
  const most = Math.min(unsplit.length - kept, answered < 0 ? unsplit.length : answered);
  // Years that were imported are split a few windows at a time, the oldest first.
  let end = Math.min(most, firstWithin(set, unsplit, BACKLOG_WINDOWS * windowTokens));
  // A question is not parted from its answers.
  while (end > 0 && unsplit[end]?.message.role !== "user") end -= 1;
  const messages = unsplit.slice(0, end);
  if (messages.length === 0) return undefined;
  const topics = set.present();
  const mayFill = (id: TopicId): boolean => topics.some((topic) => topic.id === id);
  const standing = topics.map((topic) => set.standing(topic));
  const job = splitJob(set, messages, standing, FULL_SHARE * windowTokens);
  const isBacklog = set.tokensOf(unsplit) > BACKLOG_WINDOWS * windowTokens;
  return {
    is: "split",
    // What was imported is sorted by words: nobody waits for it, and a model would be asked for years.
    job: isBacklog ? { ...job, byWords: true } : job,
    settle: async (result, at) => {
      if (result.kind !== "topic_split") return [];
      const there = new Set(set.store.unsplit.map(({ message }) => message.id));
      const split = splitOf(messages, result.groups, mayFill, ...naming(set));
      // What was forgotten meanwhile comes to no topic.
      const left = (ids: readonly MessageId[] = []): MessageId[] => ids.filter((id) => there.has(id));
      const present = <T extends Filling>(fillings: readonly T[]): T[] =>
        fillings
          .map((each) => ({ ...each, ids: left(each.ids), begins: left(each.begins) }))
          .filter(({ ids }) => ids.length > 0);
      const [made, filled] = [present(split.made), present(split.filled)];
      return made.length + filled.length === 0 ? [] : happened(set, [{ at, is: "split", made, filled }]);
    },
  };
}

/** How many of them have so many tokens; one at least. */
function firstWithin(set: TopicSet, messages: readonly FiledMessage[], tokens: number): number {
  let left = tokens;
  const at = messages.findIndex((message) => (left -= set.tokensOf([message])) < 0);
  return at === -1 ? messages.length : Math.max(1, at);
}

function divisionDue(set: TopicSet): TopicWork | undefined {
  const most = FULL_SHARE * set.parts.settings.window_tokens;
  const large = set.present().find(({ id }) => set.tokensOf(set.store.messagesOf(id)) > most);
  return large === undefined ? undefined : divisionWork(set, large);
}

function briefDue(set: TopicSet): TopicWork | undefined {
  // One whose brief does not know all of its messages, or that has none.
  const topic =
    set.present().find((each) => {
      const known = set.briefs.known(set.fileOf(each));
      return known === undefined || !isCurrent(known, each);
    }) ?? set.archived().find((each) => isUntold(set.briefs.known(set.fileOf(each)), each));
  if (topic === undefined) return undefined;
  const { zone } = set.parts;
  const messages = set.store.messagesOf(topic.id).slice(-BRIEF_MESSAGES);
  const { name, brief } = set.named(topic);
  const utterances = messages.map((filed) => utteranceOf(filed, zone));
  const about = { name, ...defined({ previous: brief || undefined }), utterances };
  return {
    is: "brief",
    job: { kind: "topic_brief", id: jobIdOf(about), ...payer(set), ...about },
    settle: async (result) => {
      const present = set.store.topics.get(topic.id);
      if (result.kind !== "topic_brief" || present === undefined) return [];
      const refs = result.refs.flatMap((index) => messages[index]?.message.id ?? []);
      const held = set.store.messagesOf(topic.id);
      const called = present.name === "" ? nameFor(held, zone) : undefined;
      const made = defined({ name: called, text: result.text, refs, spans: spansOf(held, zone) });
      const file = set.fileOf(present);
      await set.briefs.write(file, { ...present, filledAt: topic.filledAt }, made);
      await set.briefs.read(file);
      return [];
    },
  };
}

function reviewDue(set: TopicSet, now: EpochMs): TopicWork | undefined {
  const { zone, settings } = set.parts;
  /** The day whose review time has come last. */
  const dayOf = (at: EpochMs): string =>
    zone.dayOf(zone.clockOf(at).slice(0, 5) >= settings.review_at ? at : later(at, -DAY_MS));
  const filled = [...set.store.topics.values()].map(({ filledAt }) => filledAt);
  const since = set.store.reviewedAt ?? filled.sort((a, b) => a - b)[0];
  return since === undefined || dayOf(now) <= dayOf(since) ? undefined : reviewWork(set);
}

async function reviewed(
  set: TopicSet,
  result: Pick<TopicReviewResult, "merges" | "archive">,
  at: EpochMs,
): Promise<TopicEvent[]> {
  const most = FULL_SHARE * set.parts.settings.window_tokens;
  const events: TopicEvent[] = [];
  const merged = new Set<TopicId>();
  for (const ids of result.merges) {
    const [into, ...topics] = ids;
    const tokens = set.tokensOf(ids.flatMap((id) => set.store.messagesOf(id)));
    if (into === undefined || topics.length === 0 || tokens > most) continue;
    events.push({ at, is: "merged", topics, into });
    for (const id of ids) merged.add(id);
  }
  const asleep = set.present().filter(({ state }) => state === "dormant");
  const days = set.talkedOn();
  const old = asleep.filter((topic) => isOver(topic, set, days)).map(({ id }) => id);
  const named = result.archive.filter((id) => asleep.some((topic) => topic.id === id));
  const archived = [...new Set([...named, ...old])].filter((id) => !merged.has(id));
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
  const told = spans.map(({ date }) => date);
  const held = (): string[] => set.store.messagesOf(topic.id).map(({ filedAt }) => zone.dayOf(filedAt));
  const days = (told.length > 0 ? told : held()).sort();
  const [first = zone.dayOf(topic.filledAt), last = first] = [days[0], days.at(-1)];
  return first === last ? first : `${first} to ${last}`;
}

function payer({ of }: TopicSet): { user?: string } {
  return defined({ user: of.user });
}

const ID_LENGTH = 12;

/** Ids of new topics, and what those are called that nobody named. */
function naming({ parts }: TopicSet): [() => TopicId, (messages: readonly FiledMessage[]) => string] {
  const newId = (): TopicId => parts.writer.random.name(ID_LENGTH) as TopicId;
  return [newId, (messages) => nameFor(messages, parts.zone)];
}
