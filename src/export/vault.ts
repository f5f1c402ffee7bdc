/**
 * A vault for Obsidian: notes of days, people, groups and topics that name one another. It is for
 * reading and taking along; nothing in it is read back.
 *
 * It is made of a workspace in which nobody works, and written into a folder that whoever asked
 * publishes.
 */
import { keyOf, keyOfMessage, LOCAL_USER, type MessageKey, scopeOf } from "../model/address.js";
import { entryOf } from "../model/collections.js";
import { type Day, dayAt, type Zone } from "../model/time.js";
import type { Topic, TopicId } from "../model/topic.js";
import type { Disk } from "../platform/disk.js";
import { dirname, join } from "../platform/files.js";
import { parseProfile, type Profile } from "../protocol/profile.js";
import { ifNoText, ifReadable, readText } from "../protocol/publish.js";
import { parseBrief } from "../protocol/topic-brief.js";
import { parseTopicEvents } from "../protocol/topic-events.js";
import { at, FILES, memoryDir, type Workspace } from "../protocol/workspace.js";
import { afterEvents } from "../topics/events.js";
import { EVENTS, topicPath } from "../topics/place-files.js";
import type { MessagesAtRest, Wanted } from "./messages.js";
import {
  dayPath,
  type Named,
  type NotesOf,
  printDay,
  printHome,
  printMemory,
  printPerson,
  printTopic,
} from "./vault-notes.js";
import { NoteNames } from "./vault-text.js";

export interface VaultCounts {
  days: number;
  people: number;
  topics: number;
}

interface Person extends Named {
  profile: Profile;
}

interface KeptTopic extends Named, Pick<Topic, "id" | "state"> {
  about: string;
  keys: readonly MessageKey[];
  /** What it is part of, or became. */
  kin: readonly TopicId[];
}

/** `folder`: not there yet. Of less than all, people and topics are those that are met there. */
export async function writeVault(
  messages: MessagesAtRest,
  folder: string,
  zone: Zone,
  wanted: Wanted,
): Promise<VaultCounts> {
  const { disk, workspace } = messages;
  const people = await peopleIn(disk, workspace);
  const topics = await topicsIn(messages, zone);
  const topicOf = new Map(topics.flatMap((topic) => topic.keys.map((key) => [key, topic] as const)));
  const notes: NotesOf = { users: pathsOf(people, "user"), groups: pathsOf(people, "group") };
  const met = new Map<string, Set<Day>>();
  const days = daysIn(messages, wanted, zone);
  const write = async (path: string, text: string): Promise<void> =>
    writeNew(disk, join(folder, `${path}.md`), text);
  for (const [index, day] of days.entries()) {
    const said = await messages.on(day, wanted);
    const about = new Set<KeptTopic>();
    for (const { message, belongsTo } of said) {
      const topic = topicOf.get(keyOfMessage(message));
      if (topic !== undefined) about.add(topic);
      const speaker = notes.users.get(message.user ?? belongsTo ?? LOCAL_USER);
      for (const path of [speaker, notes.groups.get(scopeOf(message)), topic?.path])
        if (path !== undefined) entryOf(met, path, () => new Set()).add(day);
    }
    const ways = { before: days[index - 1], after: days[index + 1] };
    await write(dayPath(day), printDay({ day, ...ways, messages: said, topics: [...about] }, notes, zone));
  }
  const isAll = wanted.scope === undefined && wanted.since === undefined;
  const isShown = ({ path }: Named): boolean => isAll || met.has(path);
  const daysOf = ({ path }: Named): Day[] => [...(met.get(path) ?? [])];
  const [shownPeople, shownTopics] = [people.filter(isShown), topics.filter(isShown)];
  for (const person of shownPeople) await write(person.path, printPerson(person.profile, daysOf(person)));
  for (const topic of shownTopics) {
    const { name, state, about } = topic;
    const kin = shownTopics.filter((other) => topic.kin.includes(other.id));
    await write(topic.path, printTopic({ name, state, about, days: daysOf(topic), kin }));
  }
  const memory = isAll ? await readText(disk, at(workspace, FILES.memory)).catch(ifNoText) : undefined;
  const hasMemory = memory !== undefined;
  if (hasMemory) await write("Memory", printMemory(memory));
  await write("Home", printHome({ days, people: shownPeople, topics: shownTopics, hasMemory }));
  return { days: days.length, people: shownPeople.length, topics: shownTopics.length };
}

/** Those on which something was said that is wanted. */
function daysIn({ standing, days }: MessagesAtRest, { scope, since }: Wanted, zone: Zone): Day[] {
  const first = since === undefined ? undefined : dayAt(since, zone);
  const wanted = new Set<Day>();
  for (const each of standing.values()) if (scope === undefined || each.scope === scope) wanted.add(each.day);
  return days.filter((day) => wanted.has(day) && (first === undefined || day >= first));
}

async function peopleIn(disk: Disk, workspace: Workspace): Promise<Person[]> {
  const found: Person[] = [];
  for (const [entities, folder] of [
    ["users", "People"],
    ["groups", "Groups"],
  ] as const) {
    const names = new NoteNames(folder);
    const dir = at(workspace, `memory/profiles/${entities}`);
    for (const { kind, name: file } of await disk.list(dir)) {
      if (kind !== "file" || !file.endsWith(".md")) continue;
      const text = (await readText(disk, join(dir, file)).catch(ifNoText)) ?? "";
      const profile = ifReadable(() => parseProfile(text));
      if (profile === undefined) continue;
      const name = profile.name ?? profile.id;
      found.push({ path: names.pathFor(name), name, profile });
    }
  }
  return found;
}

function pathsOf(people: readonly Person[], entity: Profile["entity"]): ReadonlyMap<string, string> {
  return new Map(
    people.flatMap(({ path, profile: { entity: of, id } }) =>
      of === entity ? [[entity === "user" ? id : `group:${id}`, path]] : [],
    ),
  );
}

/** Of every place where something was said. */
async function topicsIn({ disk, workspace, standing }: MessagesAtRest, zone: Zone): Promise<KeptTopic[]> {
  const found: KeptTopic[] = [];
  const names = new NoteNames("Topics");
  for (const scope of new Set([...standing.values()].map((each) => each.scope))) {
    const dir = `${memoryDir(scope)}/topics`;
    const users = await disk.list(at(workspace, `${dir}/users`));
    for (const folder of [dir, ...users.map(({ name }) => `${dir}/users/${name}`)]) {
      const events = await readText(disk, at(workspace, `${folder}/${EVENTS}.jsonl`)).catch(ifNoText);
      for (const topic of afterEvents(parseTopicEvents(events ?? "")).values()) {
        const { id, state, ids, parent, into = [] } = topic;
        const file = at(workspace, topicPath(folder, topic, "md", zone));
        const text = (await readText(disk, file).catch(ifNoText)) ?? "";
        const brief = ifReadable(() => parseBrief(text));
        const name = [brief?.name, topic.name].find((each) => each !== undefined && each !== "") ?? id;
        const keys = ids.map((each) => keyOf(scope, each));
        const kin = parent === undefined ? into : [parent, ...into];
        found.push({ path: names.pathFor(name), name, id, state, about: brief?.text ?? "", keys, kin });
      }
    }
  }
  return found;
}

async function writeNew(disk: Disk, path: string, text: string): Promise<void> {
  await disk.makeDir(dirname(path));
  const out = await disk.create(path);
  try {
    await out?.write(Buffer.from(text));
  } finally {
    await out?.close();
  }
}
