/**
 * Memd's entries in settings that are JSON: hooks, a list for each event, and the server of its tools.
 *
 * Pure. Entries are known by what they call, wherever they have got to; lists and objects of another shape
 * than is known are left alone, and what would have to go into one throws `Unusable`.
 */
import type { Made } from "../protocol/connections.js";
import { type Fields, fieldsOf, isFields, listOf } from "./fields.js";
import { DIALECTS, type HookedAgent } from "./hooks/dialects.js";
import type { Connected, Found, HostFile } from "./host.js";
import { isBare } from "./json-edit.js";
import { fieldsIn, placed, pointerOf, withMember, without } from "./json-places.js";
import { partAt, treeAtPath, treeOf } from "./json-tree.js";
import {
  type Call,
  hookCommand,
  isServerOf,
  movedArguments,
  type OwnCall,
  ownHook,
  ownServer,
} from "./own-calls.js";
import { Unusable } from "./unusable.js";

export interface JsonSettings {
  path: string;
  hooks?: {
    /** Its events are those that `memd hook` hears. */
    agent: HookedAgent;
    /** What stands in the list of an event. */
    entry: (command: string) => Fields;
  };
  servers?: { at: readonly string[]; extra?: Fields };
  /** Where an earlier memd put the server of its tools. */
  formerServers?: readonly string[];
  /** What else stands there of memd. */
  part?: SettingsPart;
  /** Without these the agent reads nothing of the file. */
  needs?: Fields;
  /** What keeps memd from being called, in these settings. */
  off: (settings: Fields) => readonly string[];
}

/** Entries of another kind, as the agent's own folder knows them. */
export interface SettingsPart {
  /** `making` is told what is made, and what is replaced. */
  connected(text: string, call: Call, making: Making): string;
  /** Without them, with what they replaced in its place; and what may be empty by now. */
  disconnected(text: string, replaced: Replaced): { text: string; emptied: readonly string[] };
  found(settings: Fields): Found;
}

export type Replaced = Readonly<Record<string, string>>;

export interface Making {
  containers: string[];
  replaced: Record<string, string>;
}

const HOOKS = "hooks";
const SERVER_NAME = "memd";

export function jsonFile(settings: JsonSettings): HostFile {
  return {
    path: settings.path,
    connected: (text, call) => connected(text, settings, call),
    disconnected: (text, made) => disconnected(text, settings, made),
    found: (text) => foundIn(text, settings),
  };
}

function connected(before: string | undefined, settings: JsonSettings, call: Call): Connected {
  const made: string[] = [];
  const isEmpty = before === undefined || treeOf(before) === undefined;
  if (isEmpty) made.push("");
  let text = isEmpty ? `{}${before ?? "\n"}` : before;
  if (treeOf(text)?.kind !== "object") throw new Unusable("it holds no object of settings");
  for (const [key, value] of Object.entries(settings.needs ?? {}))
    if (partAt(treeOf(text), [key]) === undefined) text = placed(text, [], value, made, key);
  const { hooks, servers, part } = settings;
  const replaced: Record<string, string> = {};
  if (part !== undefined) text = part.connected(text, call, { containers: made, replaced });
  if (hooks !== undefined) {
    const command = hookCommand(call, hooks.agent);
    for (const event of Object.keys(DIALECTS[hooks.agent].events)) {
      const own = handlersIn(fieldsIn(text)).filter((handler) => handler.event === event);
      if (own.some((handler) => isCalledAs(handler.entry, command))) continue;
      const [first] = own;
      if (first !== undefined) text = calledAs(text, first.path, command);
      else text = placed(text, [HOOKS, event], hooks.entry(command), made);
    }
  }
  if (servers !== undefined) {
    const own = serversIn(fieldsIn(text), servers.at);
    const standing = own.find(({ name }) => name === SERVER_NAME) ?? own[0];
    if (standing === undefined) {
      const entry = { ...servers.extra, command: call.program.node, args: movedArguments(call, []) };
      text = placed(text, servers.at, entry, made, freeName(text, servers.at));
    } else if (!own.some(({ entry }) => isServerOf(entry, call))) {
      text = withMember(text, [...servers.at, standing.name], "command", call.program.node);
      const args = movedArguments(call, standing.entry["args"]);
      text = withMember(text, [...servers.at, standing.name], "args", args);
    }
  }
  const note = Object.keys(replaced).length === 0 ? {} : { replaced };
  return { text, made: { file: before === undefined, containers: made, ...note } };
}

function disconnected(before: string, settings: JsonSettings, made?: Made): string | undefined {
  let text = before;
  const emptied = new Set<string>();
  for (;;) {
    const handler = handlersIn(fieldsIn(text)).at(-1);
    if (handler === undefined) break;
    text = without(text, handler.path);
    emptied.add(pointerOf([HOOKS, handler.event])).add(pointerOf([HOOKS]));
    const group = handler.path.slice(0, 3);
    const rest = treeAtPath(treeOf(text), [...group, HOOKS]);
    if (handler.path.length > group.length && rest?.kind === "array" && rest.parts.length === 0)
      text = without(text, group);
  }
  const at = serversOf(settings);
  for (;;) {
    const server = serversIn(fieldsIn(text), at).at(-1);
    if (server === undefined) break;
    text = without(text, [...at, server.name]);
    for (const depth of at.keys()) emptied.add(pointerOf(at.slice(0, depth + 1)));
  }
  const rest = settings.part?.disconnected(text, made?.replaced ?? {});
  for (const pointer of rest?.emptied ?? []) emptied.add(pointer);
  text = rest?.text ?? text;
  return text === before ? before : pruned(text, settings, emptied, made);
}

/** Without what memd made and what is empty by now. */
function pruned(
  before: string,
  settings: JsonSettings,
  emptied: ReadonlySet<string>,
  made?: Made,
): string | undefined {
  const isOwn = (pointer: string): boolean => made === undefined || made.containers.includes(pointer);
  let text = before;
  const deepestFirst = [...emptied].sort((a, b) => b.split("/").length - a.split("/").length);
  for (const pointer of deepestFirst) {
    const path = pointer.split("/").slice(1);
    const tree = treeAtPath(treeOf(text), path);
    if (isOwn(pointer) && tree !== undefined && tree.kind !== "plain" && isBare(text, tree))
      text = without(text, path);
  }
  const needed = Object.keys(settings.needs ?? {}).filter((key) => isOwn(pointerOf([key])));
  // A file that memd made may be somebody else's by now, who needs them too.
  const isAlone = Object.keys(fieldsIn(text)).every((key) => needed.includes(key));
  if (isAlone || !isOwn("")) for (const key of needed) text = without(text, [key]);
  const root = treeOf(text);
  if (!isOwn("") || root?.kind !== "object" || !isBare(text, root)) return text;
  const rest = text.slice(0, root.start) + text.slice(root.end);
  // A remark alone would be no settings any more.
  if (rest.trim() !== "") return text;
  return made?.file === false ? rest : undefined;
}

function serversOf({ servers, formerServers = [] }: JsonSettings): readonly string[] {
  return servers?.at ?? formerServers;
}

function foundIn(text: string, places: JsonSettings): Found {
  const { hooks, servers, part, off } = places;
  const settings = fieldsIn(text);
  const handlers = handlersIn(settings);
  const own = serversIn(settings, serversOf(places));
  const rest = part?.found(settings) ?? { calls: [], missing: [], off: [] };
  const heard = hooks === undefined ? [] : Object.keys(DIALECTS[hooks.agent].events);
  const events = heard.filter((event) => !handlers.some((handler) => handler.event === event));
  const tools = servers !== undefined && own.length === 0 ? ["its tools"] : [];
  const calls = [...rest.calls, ...[...handlers, ...own].map(({ call }) => call)];
  return { calls, missing: [...rest.missing, ...events, ...tools], off: [...rest.off, ...off(settings)] };
}

interface Handler {
  path: readonly string[];
  event: string;
  entry: Fields;
  call: OwnCall;
}

/** In the lists of events, and in the groups that some agents put there. */
function handlersIn(settings: Fields): Handler[] {
  return Object.entries(fieldsOf(settings[HOOKS])).flatMap(([event, list]) =>
    listOf(list).flatMap((group, index): Handler[] => {
      const path = [HOOKS, event, String(index)];
      const grouped = listOf(fieldsOf(group)[HOOKS]).map(
        (entry, place) => [entry, [...path, HOOKS, String(place)]] as const,
      );
      return [[group, path] as const, ...grouped].flatMap(([entry, at]) => {
        const call = isFields(entry) ? ownHook(entry) : undefined;
        return call === undefined ? [] : [{ path: at, event, entry: fieldsOf(entry), call }];
      });
    }),
  );
}

function isCalledAs(entry: Fields, command: string): boolean {
  return entry["command"] === command && entry["args"] === undefined;
}

function calledAs(text: string, path: readonly string[], command: string): string {
  return without(withMember(text, path, "command", command), [...path, "args"]);
}

function serversIn(
  settings: Fields,
  at: readonly string[],
): { name: string; entry: Fields; call: OwnCall }[] {
  const servers = at.length === 0 ? {} : at.reduce((fields, key) => fieldsOf(fields[key]), settings);
  return Object.entries(servers).flatMap(([name, entry]) => {
    const call = isFields(entry) ? ownServer(entry) : undefined;
    return call === undefined ? [] : [{ name, entry: fieldsOf(entry), call }];
  });
}

/** Somebody else's server may be called memd too. */
function freeName(text: string, at: readonly string[]): string {
  const isFree = (name: string): boolean => partAt(treeOf(text), [...at, name]) === undefined;
  let name = SERVER_NAME;
  for (let next = 2; !isFree(name); next++) name = `${SERVER_NAME}-${next}`;
  return name;
}
