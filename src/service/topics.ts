/**
 * Topics as people and agents see them: what there is, what stands in one, and
 * what they may do with them by hand. Each names an address: the topics of that
 * user in that place, and no others.
 */
import type { Address } from "../model/address.js";
import { defined } from "../model/collections.js";
import { MemdError } from "../model/errors.js";
import { isoOf } from "../model/time.js";
import { type Topic, type TopicEvent, type TopicId, TOPIC_STATES } from "../model/topic.js";
import { topicNameOf } from "../protocol/topic-brief.js";
import { redactSecrets } from "../text/redact.js";
import { averageOf, minimumFor, sleepBelow } from "../topics/activation.js";
import type { NamedTopic, TopicSet } from "../topics/set.js";
import { datesOf, divisionWork, reviewWork } from "../topics/work.js";
import type { AnswerOf, ParsedOf } from "./operations.js";
import type { Memd } from "./memd.js";
import { ofAddress } from "../topics/whose.js";

type ListedTopic = AnswerOf<"renameTopic">;

/** Active ones first, then by relevance. `all`: with archived, divided and merged ones. Throws `topics_off`. */
export async function listTopics(memd: Memd, viewer: Address, all: boolean): Promise<AnswerOf<"listTopics">> {
  await memd.caughtUp();
  return memd.exclusive(async () => {
    const set = await setFor(memd, viewer);
    await set.readBriefs(true);
    const topics = [...set.store.topics.values()]
      .filter(({ state }) => all || state === "active" || state === "dormant")
      .map((topic) => listed(set, topic))
      .sort(
        (one, other) =>
          TOPIC_STATES.indexOf(one.state) - TOPIC_STATES.indexOf(other.state) ||
          other.relevance - one.relevance,
      );
    return { topics, stats: statsOf(set) };
  });
}

/** Throws `topic_unknown`. */
export async function showTopic(memd: Memd, viewer: Address, name: string): Promise<AnswerOf<"showTopic">> {
  await memd.caughtUp();
  return memd.exclusive(async () => {
    const set = await setFor(memd, viewer);
    const { topic, brief } = await named(set, name);
    await set.store.open(topic.id);
    const said = set.store.messagesOf(topic.id).map(({ message, filedAt }) => ({
      id: message.id,
      at: isoOf(filedAt),
      name: message.speaker ?? message.user ?? message.role,
      text: redactSecrets(message.text),
    }));
    return { ...listed(set, topic), brief: redactSecrets(brief), said };
  });
}

/** Throws `topic_unknown`; `value_invalid` for a name that says nothing; `entry_changed` where it is called otherwise than was `shown`. */
export async function renameTopic(
  memd: Memd,
  viewer: Address,
  { topic: name, name: newName, shown }: ParsedOf<"renameTopic">,
): Promise<ListedTopic> {
  const called = topicNameOf(newName);
  if (called === "") throw new MemdError("value_invalid", "The new name says nothing.");
  return changed(memd, viewer, async (set) => {
    const { topic, file, name: now } = await named(set, name);
    if (shown !== undefined && shown !== now)
      throw new MemdError("entry_changed", `The topic is called ${now} by now.`);
    await set.briefs.write(file, topic, { name: called });
    await set.briefs.read(file);
    return listed(set, topic);
  });
}

/** The messages of the first ones come to the last. Throws `topic_unknown`; `value_invalid` where that cannot be. */
export async function mergeTopics(
  memd: Memd,
  viewer: Address,
  names: readonly string[],
  into: string,
): Promise<ListedTopic> {
  return changed(memd, viewer, async (set, at) => {
    const target = await named(set, into);
    const topics = new Set<TopicId>();
    for (const name of names) topics.add((await named(set, name)).topic.id);
    const event: TopicEvent = { at, is: "merged", topics: [...topics], into: target.topic.id };
    await happen(memd, set, event, `${target.name} and ${names.join(", ")} cannot become one`);
    return listed(set, set.store.topics.get(target.topic.id) ?? target.topic);
  });
}

/** It ends as several; the new ones. Throws `topic_unknown`; `value_invalid` where there is nothing to divide. */
export async function splitTopic(memd: Memd, viewer: Address, name: string): Promise<ListedTopic[]> {
  const { set, work } = await memd.exclusive(async () => {
    const found = await setFor(memd, viewer);
    const { topic } = await named(found, name);
    return { set: found, work: divisionWork(found, topic) };
  });
  if (work === undefined) throw new MemdError("value_invalid", `${name} has too few messages to be divided.`);
  const [event] = (await memd.topics.work(set, work)) ?? [];
  if (event?.is !== "divided")
    throw new MemdError("worker_failed", `${name} was not divided; logs/memd.jsonl says why.`);
  memd.changed();
  const topics = event.into.flatMap(({ id }) => set.store.topics.get(id) ?? []);
  return topics.map((topic) => listed(set, topic));
}

/** Throws `topic_unknown`; `value_invalid` where it is over already. */
export async function archiveTopic(memd: Memd, viewer: Address, name: string): Promise<ListedTopic> {
  return changed(memd, viewer, async (set, at) => {
    const { topic, name: called } = await named(set, name);
    await happen(memd, set, { at, is: "archived", topics: [topic.id] }, `${called} is ${topic.state}`);
    return listed(set, set.store.topics.get(topic.id) ?? topic);
  });
}

/** The daily review, now; what came of it. Where no model answers, what is old is archived all the same. */
export async function reviewTopics(memd: Memd, viewer: Address): Promise<AnswerOf<"reviewTopics">> {
  const set = await memd.exclusive(() => setFor(memd, viewer));
  const events = (await memd.topics.work(set, reviewWork(set))) ?? [];
  memd.changed();
  const archived = events.flatMap((event) => (event.is === "archived" ? event.topics : []));
  return { merged: events.filter(({ is }) => is === "merged").length, archived: archived.length };
}

async function changed<T>(
  memd: Memd,
  viewer: Address,
  work: (set: TopicSet, at: Topic["since"]) => Promise<T>,
): Promise<T> {
  await memd.caughtUp();
  const done = await memd.exclusive(async () => {
    const set = await setFor(memd, viewer);
    const result = await work(set, memd.parts.clock.now());
    await set.settleHeads();
    return result;
  });
  memd.changed();
  return done;
}

async function happen(memd: Memd, set: TopicSet, event: TopicEvent, why: string): Promise<void> {
  if (!(await set.store.happen(event)))
    throw new MemdError("value_invalid", `${why}: only active and dormant topics can.`);
  memd.topics.tell(set, [event]);
}

async function setFor(memd: Memd, viewer: Address): Promise<TopicSet> {
  if (!memd.topics.isOn) throw new MemdError("topics_off", "Topics are off in this workspace.");
  return memd.topics.setFor(ofAddress(viewer));
}

async function named(set: TopicSet, name: string): Promise<NamedTopic> {
  await set.readBriefs(true);
  const found = set.find(name);
  if (found === undefined) throw new MemdError("topic_unknown", `There is no topic ${name}, or several.`);
  return found;
}

function listed(set: TopicSet, topic: Topic): ListedTopic {
  const { name, file } = set.named(topic);
  const messages = set.store.messagesOf(topic.id);
  return defined({
    id: topic.id,
    name,
    state: topic.state,
    dates: datesOf(set, topic, set.parts.zone),
    messages: topic.ids.length,
    tokens: Math.round(set.tokensOf(messages)),
    relevance: Math.round(averageOf(topic.scores) * 100) / 100,
    scores: topic.scores.map((score) => Math.round(score * 100) / 100),
    file,
    parent: topic.parent,
    into: topic.into,
  });
}

function statsOf(set: TopicSet): AnswerOf<"listTopics">["stats"] {
  const count = (wanted: Topic["state"]): number =>
    [...set.store.topics.values()].filter(({ state }) => state === wanted).length;
  const { unsplit, reviewedAt } = set.store;
  const active = count("active");
  return defined({
    active,
    dormant: count("dormant"),
    archived: count("archived"),
    unsplit: unsplit.length,
    unsplitTokens: Math.round(set.tokensOf(unsplit)),
    minimum: minimumFor(active),
    sleepBelow: sleepBelow(active),
    reviewedAt: reviewedAt === undefined ? undefined : isoOf(reviewedAt),
  });
}
