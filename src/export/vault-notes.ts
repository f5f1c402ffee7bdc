/** Notes of a vault as they are printed: a day, a person, a topic, and where one begins to read. Pure. */
import { groupBy } from "../model/collections.js";
import { type FiledMessage, toolsOf } from "../model/message.js";
import { scopeOf, sessionOf } from "../model/address.js";
import type { Day, Zone } from "../model/time.js";
import type { Profile } from "../protocol/profile.js";
import { printFrontMatter } from "../protocol/front-matter.js";
import { linkTo, plain, quoted, withoutComments } from "./vault-text.js";

/** Where the notes are of those who speak: paths by user, and by scope for groups. */
export interface NotesOf {
  users: ReadonlyMap<string, string>;
  groups: ReadonlyMap<string, string>;
}

/** A note that others name. */
export interface Named {
  path: string;
  name: string;
}

export function dayPath(day: Day): string {
  return `Days/${day}`;
}

function dayLink(day: Day): string {
  return linkTo(dayPath(day), day);
}

export interface DayNote {
  day: Day;
  before: Day | undefined;
  after: Day | undefined;
  messages: readonly FiledMessage[];
  topics: readonly Named[];
}

export function printDay(
  { day, before, after, messages, topics }: DayNote,
  notes: NotesOf,
  zone: Zone,
): string {
  const ways = [before && `← ${dayLink(before)}`, after && `${dayLink(after)} →`];
  const about = topics.map(({ path, name }) => linkTo(path, name));
  const talks = groupBy(messages, ({ message }) => JSON.stringify([scopeOf(message), sessionOf(message)]));
  const body = [
    `# ${day}`,
    ways.filter((way) => way !== undefined).join(" · "),
    about.length === 0 ? "" : `Topics: ${about.join(", ")}`,
    ...[...talks.values()].flatMap((said) => [
      ...(talks.size === 1 ? [] : [`## ${titleOf(said[0] as FiledMessage, notes)}`]),
      ...said.map((filed) => printSaid(filed, notes, zone)),
    ]),
  ];
  return printNote({ date: day, tags: ["memd/day"] }, body);
}

function titleOf({ message }: FiledMessage, { groups }: NotesOf): string {
  const [scope, session] = [scopeOf(message), sessionOf(message)];
  const group = groups.get(scope);
  const place = group === undefined ? plain(scope) : linkTo(group, scope);
  return `${place} · ${plain(session)}`.replaceAll(/[\r\n]+/g, " ");
}

function printSaid({ message, filedAt }: FiledMessage, { users }: NotesOf, zone: Zone): string {
  const { role, user, speaker, text } = message;
  const name = speaker ?? user ?? role;
  const note = role === "user" ? users.get(user ?? "local") : undefined;
  const who = note === undefined ? plain(name).replaceAll(/[\r\n]+/g, " ") : linkTo(note, name);
  const uses = toolsOf(message).map(
    ({ name: tool, input, result }) => `${tool}: ${shortly(input)} → ${shortly(result)}`,
  );
  const said = [text, ...uses].filter((each) => each !== "").join("\n");
  return `**${zone.clockOf(filedAt).slice(0, 5)}** ${who}\n${quoted(said)}`;
}

const MOST_TOOL_CHARS = 1000;

function shortly(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "–");
  return text.length <= MOST_TOOL_CHARS ? text : `${text.slice(0, MOST_TOOL_CHARS)}…`.toWellFormed();
}

export function printPerson({ entity, id, name, tags, body }: Profile, days: readonly Day[]): string {
  const aliases = name === undefined || name === id ? [id] : [name, id];
  const own = tags.map(tagOf).filter((tag) => tag !== "");
  return printNote({ tags: [entity === "user" ? "memd/person" : "memd/group", ...own], aliases }, [
    `# ${oneLine(name ?? id)}`,
    plain(withoutComments(body)),
    ...daysOf("Spoke on", days),
  ]);
}

export interface TopicNote {
  name: string;
  state: string;
  about: string;
  days: readonly Day[];
  /** Topics that it is part of, or became. */
  kin: readonly Named[];
}

export function printTopic({ name, state, about, days, kin }: TopicNote): string {
  const first = days[0];
  const head = { tags: ["memd/topic", `memd/${state}`], ...(first === undefined ? {} : { date: first }) };
  return printNote({ ...head, aliases: [name] }, [
    `# ${oneLine(name)}`,
    plain(withoutComments(about)),
    kin.length === 0 ? "" : `See also: ${kin.map((each) => linkTo(each.path, each.name)).join(", ")}`,
    ...daysOf("Talked of on", days),
  ]);
}

export function printMemory(text: string): string {
  return printNote({ tags: ["memd/memory"] }, [plain(withoutComments(text))]);
}

export interface HomeNote {
  days: readonly Day[];
  people: readonly Named[];
  topics: readonly Named[];
  hasMemory: boolean;
}

export function printHome({ days, people, topics, hasMemory }: HomeNote): string {
  const listed = (title: string, notes: readonly Named[]): string[] =>
    notes.length === 0
      ? []
      : [`## ${title}`, notes.map(({ path, name }) => `- ${linkTo(path, name)}`).join("\n")];
  return printNote({ tags: ["memd/home"] }, [
    "# Home",
    hasMemory ? linkTo("Memory", "Memory") : "",
    ...listed("People", people),
    ...listed("Topics", topics),
    ...listed(
      "Days",
      days.map((day) => ({ path: dayPath(day), name: day })),
    ),
  ]);
}

function daysOf(title: string, days: readonly Day[]): string[] {
  return days.length === 0 ? [] : [`${title} ${days.map(dayLink).join(", ")}.`];
}

/** Parts that say nothing are left out. */
function printNote(properties: Record<string, unknown>, parts: readonly string[]): string {
  return printFrontMatter(properties, `${parts.filter((part) => part !== "").join("\n\n")}\n`);
}

function oneLine(text: string): string {
  return plain(text).replaceAll(/\s+/g, " ").trim();
}

/** As Obsidian takes it. */
function tagOf(text: string): string {
  return text
    .split(/[^\p{L}\p{N}_/]+/u)
    .filter((part) => part !== "")
    .join("-");
}
