/**
 * From what somebody says about messages and topics to the event that follows.
 *
 * Pure. Each message comes to one topic at most; what nobody knows is left out,
 * what was left out stays where it is, and a question stays with its answers.
 */
import type { TopicGroup } from "../llm/jobs/topic-split.js";
import type { FiledMessage, MessageId } from "../model/message.js";
import type { Filling, NewTopic, TopicId } from "../model/topic.js";

export interface Split {
  made: NewTopic[];
  filled: Filling[];
}

/** Of all messages in question, at most so many topics come of one. */
const MOST_PARTS = 4;

/** `mayFill`: topics that messages may come to. `nameOf`: for a group that has none. */
export function splitOf(
  messages: readonly FiledMessage[],
  groups: readonly TopicGroup[],
  mayFill: (id: TopicId) => boolean,
  newId: () => TopicId,
  nameOf: (messages: readonly FiledMessage[]) => string,
): Split {
  const known = groups.filter(({ topic }) => topic === undefined || mayFill(topic));
  const split: Split = { made: [], filled: [] };
  const chosen = withAnswers(messages, chosenIn(messages.length, known));
  for (const [at, group] of known.entries()) {
    const mine = messages.flatMap((_each, index) => (chosen[index]?.group === at ? [index] : []));
    if (mine.length === 0) continue;
    const filling = fillingOf(messages, mine, chosen);
    const there = split.filled.find(({ id }) => id === group.topic);
    if (there !== undefined) {
      there.ids = [...there.ids, ...filling.ids];
      there.begins = [...(there.begins ?? []), ...filling.begins];
    } else if (group.topic !== undefined) split.filled.push({ id: group.topic, ...filling });
    else {
      const name = group.name === "" ? nameOf(mine.flatMap((index) => messages[index] ?? [])) : group.name;
      split.made.push({ id: newId(), name, ...filling });
    }
  }
  return split;
}

/** All messages of a topic in a few new ones: what is in none, or in a small one, goes on with what was said before it. */
export function divisionOf(
  messages: readonly FiledMessage[],
  groups: readonly TopicGroup[],
  newId: () => TopicId,
  nameOf: (messages: readonly FiledMessage[]) => string,
): NewTopic[] {
  const chosen = withAnswers(messages, chosenIn(messages.length, groups));
  const sizes = groups
    .map((_group, at) => ({ at, size: chosen.filter((each) => each?.group === at).length }))
    .filter(({ size }) => size > 0)
    .sort((one, other) => other.size - one.size);
  const large = new Set(sizes.slice(0, MOST_PARTS).map(({ at }) => at));
  let current = chosen.find((each) => each !== undefined && large.has(each.group))?.group ?? 0;
  const places = chosen.map(
    (each) => (current = each !== undefined && large.has(each.group) ? each.group : current),
  );
  const parts = [...new Set(places)].map((at) =>
    messages.flatMap((_each, index) => (places[index] === at ? [index] : [])),
  );
  // What is one matter by all its words is cut in the middle.
  const halves = parts.length > 1 ? parts : halvesOf(messages.length);
  const used = new Set<string>();
  return halves.map((mine) => {
    const at = parts.length > 1 ? (places[mine[0] ?? 0] ?? 0) : -1;
    const name = groups[at]?.name ?? "";
    const of = mine.flatMap((index) => messages[index] ?? []);
    const called = name === "" || used.has(name) ? nameOf(of) : name;
    used.add(called);
    return { id: newId(), name: called, ids: of.map(({ message }) => message.id) };
  });
}

interface Chosen {
  group: number;
  stretch: number;
}

/** Who is named first has it. */
function chosenIn(count: number, groups: readonly TopicGroup[]): (Chosen | undefined)[] {
  const chosen = new Array<Chosen | undefined>(count).fill(undefined);
  for (const [group, { stretches }] of groups.entries())
    for (const [stretch, indexes] of stretches.entries())
      for (const index of indexes)
        if (Number.isInteger(index) && index >= 0 && index < count) chosen[index] ??= { group, stretch };
  return chosen;
}

/** A message of a person begins a round; what follows until the next one goes where that goes. */
function withAnswers(
  messages: readonly FiledMessage[],
  chosen: readonly (Chosen | undefined)[],
): (Chosen | undefined)[] {
  const together: (Chosen | undefined)[] = [];
  for (let at = 0; at < messages.length;) {
    let end = at + 1;
    while (end < messages.length && messages[end]?.message.role !== "user") end += 1;
    const round = chosen.slice(at, end).find((each) => each !== undefined);
    for (; at < end; at++) together.push(round);
  }
  return together;
}

function fillingOf(
  messages: readonly FiledMessage[],
  mine: readonly number[],
  chosen: readonly (Chosen | undefined)[],
): { ids: MessageId[]; begins: MessageId[] } {
  const idOf = (index: number): MessageId | [] => messages[index]?.message.id ?? [];
  const stretchOf = (index = -1): number | undefined => chosen[index]?.stretch;
  const begins = mine.filter((index, at) => at === 0 || stretchOf(mine[at - 1]) !== stretchOf(index));
  return { ids: mine.flatMap(idOf), begins: begins.flatMap(idOf) };
}

function halvesOf(count: number): number[][] {
  const all = Array.from({ length: count }, (_each, index) => index);
  const middle = Math.ceil(count / 2);
  return count < 2 ? [all] : [all.slice(0, middle), all.slice(middle)];
}
