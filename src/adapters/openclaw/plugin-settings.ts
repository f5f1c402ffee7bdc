/**
 * memd's plugin in `openclaw.json`: the folder it is loaded from, what it may do and which workspace it is of, and
 * the memory slot. Known again by the plugin's folder and its id.
 *
 * Pure. Which plugin had the slot before is noted as it was written, and comes back.
 */
import { basename, dirname, join } from "../../platform/files.js";
import { fieldsOf, type Fields, listOf, stringOf } from "../fields.js";
import type { Found } from "../host.js";
import { withText } from "../json-edit.js";
import { fieldsIn, placed, pointerOf, withMember, without } from "../json-places.js";
import type { Making, Replaced, SettingsPart } from "../json-settings.js";
import { partAt, treeAtPath, treeOf } from "../json-tree.js";
import type { Call } from "../own-calls.js";
import { Unusable } from "../unusable.js";

/** Of memd's package: OpenClaw loads it from there. */
const FOLDER = "memd-openclaw";
/** As the plugin's manifest has it. */
const ID = "memd";

const PATHS = ["plugins", "load", "paths"] as const;
const ENTRIES = ["plugins", "entries"] as const;
const ENTRY = [...ENTRIES, ID] as const;
const SLOTS = ["plugins", "slots"] as const;
const SLOT = [...SLOTS, "memory"] as const;
const ALLOWED = ["plugins", "allow"] as const;

export const pluginPart: SettingsPart = { connected, disconnected, found };

function connected(before: string, call: Call, { containers, replaced }: Making): string {
  const version = tooOldIn(fieldsIn(before));
  if (version !== undefined) throw new Unusable(tooOld(version));
  const folder = join(dirname(dirname(call.program.script)), FOLDER);
  let text = before;
  const own = ownPaths(text);
  if (own.length === 0) text = placed(text, PATHS, folder, containers);
  else if (!own.some(({ path }) => path === folder))
    text = withMember(text, PATHS, own[0]?.key ?? "", folder);
  if (partAt(treeOf(text), ENTRY) === undefined) {
    const hooks = { allowConversationAccess: true };
    const entry = { enabled: true, hooks, config: { workspace: call.workspace } };
    text = placed(text, ENTRIES, entry, containers, ID);
  } else if (workspaceIn(fieldsIn(text)) !== call.workspace) {
    const config = partAt(treeOf(text), [...ENTRY, "config"]);
    text =
      config?.value.kind === "object"
        ? withMember(text, [...ENTRY, "config"], "workspace", call.workspace)
        : withMember(text, ENTRY, "config", { workspace: call.workspace });
  }
  // A list that names none lets all in.
  const allowed = listIn(fieldsIn(text), "allow");
  if (allowed.length > 0 && !allowed.includes(ID)) text = placed(text, ALLOWED, ID, containers);
  return withSlot(text, containers, replaced);
}

function withSlot(text: string, containers: string[], replaced: Record<string, string>): string {
  const slot = partAt(treeOf(text), SLOT);
  if (slot?.value.kind === "plain" && slot.value.value === ID) return text;
  const { start = 0, end = 0 } = slot?.value ?? {};
  replaced[pointerOf(SLOT)] = text.slice(start, end);
  return slot === undefined
    ? placed(text, SLOTS, ID, containers, "memory")
    : withMember(text, SLOTS, "memory", ID);
}

function disconnected(before: string, replaced: Replaced): ReturnType<SettingsPart["disconnected"]> {
  let text = before;
  const emptied: string[] = [];
  const take = (path: readonly string[], isOwn: boolean): void => {
    const rest = isOwn ? without(text, path) : text;
    if (rest === text) return;
    text = rest;
    for (let depth = 1; depth < path.length; depth++) emptied.push(pointerOf(path.slice(0, depth)));
  };
  for (const { key } of ownPaths(text).reverse()) take([...PATHS, key], true);
  take(ENTRY, workspaceIn(fieldsIn(text)) !== undefined);
  for (const [index, id] of [...listIn(fieldsIn(text), "allow").entries()].reverse())
    if (id === ID) text = without(text, [...ALLOWED, String(index)]);
  const slot = partAt(treeOf(text), SLOT);
  const former = replaced[pointerOf(SLOT)] ?? "";
  if (slot?.value.kind !== "plain" || slot.value.value !== ID) return { text, emptied };
  if (former === "") take(SLOT, true);
  else text = withText(text, slot.value, former);
  return { text, emptied };
}

function found(settings: Fields): Found {
  const plugins = fieldsOf(settings["plugins"]);
  const entry = fieldsOf(fieldsOf(plugins["entries"])[ID]);
  const workspace = workspaceIn(settings);
  const paths = pathsIn(settings).filter(isOwnPath);
  const isThere = paths.length > 0 || workspace !== undefined;
  const allowed = listIn(settings, "allow");
  const hasSlot = fieldsOf(plugins["slots"])["memory"] === ID;
  const missing = [
    ...(paths.length === 0 ? ["the folder of its plugin"] : []),
    ...(workspace === undefined ? ["its plugin's entry"] : []),
    ...(hasSlot ? [] : ["the memory slot"]),
  ];
  const off = [
    ...(plugins["enabled"] === false ? ["plugins are turned off (plugins.enabled)"] : []),
    ...(entry["enabled"] === false ? ["its plugin is turned off (plugins.entries.memd.enabled)"] : []),
    ...(listIn(settings, "deny").includes(ID) ? ["its plugin is denied (plugins.deny)"] : []),
    ...(allowed.length > 0 && !allowed.includes(ID) ? ["its plugin is not allowed (plugins.allow)"] : []),
    ...(fieldsOf(entry["hooks"])["allowConversationAccess"] === true ? [] : [DEAF]),
  ];
  const version = tooOldIn(settings);
  if (version !== undefined) off.unshift(tooOld(version));
  const calls = isThere ? [{ verb: "plugin", programs: paths, workspace }] : [];
  return { calls, missing, off: isThere ? off : [] };
}

/** Before it OpenClaw takes settings for invalid that let a plugin hear conversations, and does not start with them. */
const LEAST_VERSION = [2026, 4, 24] as const;

/** The version that wrote the settings last, where it is known to be too old. */
function tooOldIn(settings: Fields): string | undefined {
  const version = stringOf(fieldsOf(settings["meta"])["lastTouchedVersion"]);
  const parts = /^(\d{4})\.(\d{1,2})\.(\d{1,2})/
    .exec(version ?? "")
    ?.slice(1)
    .map(Number);
  const differs = LEAST_VERSION.findIndex((least, index) => parts?.[index] !== least);
  const isOlder =
    parts !== undefined && differs !== -1 && Number(parts[differs]) < Number(LEAST_VERSION[differs]);
  return isOlder ? version : undefined;
}

function tooOld(version: string): string {
  const least = LEAST_VERSION.join(".");
  return `OpenClaw ${version} wrote it last, and memd's plugin needs ${least} or later (\`openclaw update\`, then \`openclaw doctor --fix\`)`;
}

const DEAF = "it may hear no conversation (plugins.entries.memd.hooks.allowConversationAccess)";

function ownPaths(text: string): { key: string; path: string }[] {
  const list = treeAtPath(treeOf(text), PATHS);
  if (list?.kind !== "array") return [];
  return list.parts.flatMap(({ key, value }) =>
    value.kind === "plain" && isOwnPath(value.value) ? [{ key, path: value.value }] : [],
  );
}

function pathsIn(settings: Fields): readonly unknown[] {
  return listOf(fieldsOf(fieldsOf(settings["plugins"])["load"])["paths"]);
}

function isOwnPath(path: unknown): path is string {
  return typeof path === "string" && basename(path.replaceAll("\\", "/")) === FOLDER;
}

function workspaceIn(settings: Fields): string | undefined {
  const entry = fieldsOf(fieldsOf(fieldsOf(settings["plugins"])["entries"])[ID]);
  return stringOf(fieldsOf(entry["config"])["workspace"]);
}

function listIn(settings: Fields, name: "allow" | "deny"): readonly unknown[] {
  return listOf(fieldsOf(settings["plugins"])[name]);
}
