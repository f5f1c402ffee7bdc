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
import { isBare, withoutPart, withPart, withValue } from "./json-edit.js";
import { partAt, type Tree, treeAtPath, treeOf, valueOf } from "./json-tree.js";
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
  /** Without these the agent reads nothing of the file. */
  needs?: Fields;
  /** What keeps memd from being called, in these settings. */
  off: (settings: Fields) => readonly string[];
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
  const { hooks, servers } = settings;
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
  return { text, made: { file: before === undefined, containers: made } };
}

/** Adds to the container at `path`: an item, or with a `key` a member. Those on the way that are not there are made. */
function placed(text: string, path: readonly string[], value: unknown, made: string[], key?: string): string {
  let tree = treeOf(text);
  for (const [depth, name] of path.entries()) {
    const part = partAt(tree, [name]);
    if (part === undefined) {
      const inside = path.slice(depth + 1);
      const last = key === undefined ? [value] : { [key]: value };
      made.push(...path.slice(depth).map((_, more) => pointerOf(path.slice(0, depth + more + 1))));
      return added(
        text,
        tree,
        inside.reduceRight<unknown>((all, each) => ({ [each]: all }), last),
        name,
      );
    }
    tree = part.value;
    const kind = depth === path.length - 1 && key === undefined ? "array" : "object";
    if (tree.kind !== kind) {
      const what = kind === "array" ? "list" : "object";
      throw new Unusable(`${path.slice(0, depth + 1).join(".")} is no ${what}`, lineAt(text, tree.start));
    }
  }
  if (path.length === 0 && key !== undefined) made.push(pointerOf([key]));
  return added(text, tree, value, key);
}

function added(text: string, tree: Tree | undefined, value: unknown, key?: string): string {
  return tree === undefined || tree.kind === "plain" ? text : withPart(text, tree, value, key);
}

/** The member set to that value; of a list each item, where it has as many. */
function withMember(text: string, path: readonly string[], key: string, value: unknown): string {
  const root = treeOf(text);
  const standing = partAt(root, [...path, key]);
  if (standing === undefined) return added(text, treeAtPath(root, path), value, key);
  const { value: tree } = standing;
  if (Array.isArray(value) && tree.kind === "array" && tree.parts.length === value.length)
    return value.reduce<string>(
      (now, item, index) => withMember(now, [...path, key], String(index), item),
      text,
    );
  return JSON.stringify(valueOf(tree)) === JSON.stringify(value) ? text : withValue(text, standing, value);
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
  const at = settings.servers?.at ?? [];
  for (;;) {
    const server = serversIn(fieldsIn(text), at).at(-1);
    if (server === undefined) break;
    text = without(text, [...at, server.name]);
    for (const depth of at.keys()) emptied.add(pointerOf(at.slice(0, depth + 1)));
  }
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

function without(text: string, path: readonly string[]): string {
  const root = treeOf(text);
  const [container, part] = [treeAtPath(root, path.slice(0, -1)), partAt(root, path)];
  return container === undefined || container.kind === "plain" || part === undefined
    ? text
    : withoutPart(text, container, part);
}

function foundIn(text: string, { hooks, servers, off }: JsonSettings): Found {
  const settings = fieldsIn(text);
  const handlers = handlersIn(settings);
  const own = serversIn(settings, servers?.at ?? []);
  const heard = hooks === undefined ? [] : Object.keys(DIALECTS[hooks.agent].events);
  const events = heard.filter((event) => !handlers.some((handler) => handler.event === event));
  const missing = [...events, ...(servers !== undefined && own.length === 0 ? ["its tools"] : [])];
  return { calls: [...handlers, ...own].map(({ call }) => call), missing, off: off(settings) };
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

function fieldsIn(text: string): Fields {
  return fieldsOf(valueOf(treeOf(text)));
}

function pointerOf(path: readonly string[]): string {
  return path.map((name) => `/${name}`).join("");
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}
