/**
 * Memd's table in Codex's `config.toml`: put at the end of the text, and taken out of it again.
 *
 * Pure. Whatever was done, what the file says afterwards is compared with what it is to say: a text in
 * which the table cannot be set or taken out alone throws `Unusable`.
 */
import { parse, stringify } from "smol-toml";
import { messageOf } from "../../model/errors.js";
import type { Made } from "../../protocol/connections.js";
import { type Fields, fieldsOf, isFields } from "../fields.js";
import type { Connected, Found, HostFile } from "../host.js";
import { type Call, isServerOf, movedArguments, type OwnCall, ownServer } from "../own-calls.js";
import { Unusable } from "../unusable.js";
import { blocksOf, type Block, statementOf } from "./toml-blocks.js";

const SERVERS = "mcp_servers";
const SERVER_NAME = "memd";

export function configFile(path: string): HostFile {
  return { path, connected, disconnected, found };
}

function connected(before: string | undefined, call: Call): Connected {
  const made: Made = { file: before === undefined, containers: [] };
  const text = before ?? "";
  const settings = settingsIn(text);
  const own = serversIn(settings);
  if (own.some(({ entry }) => isServerOf(entry, call))) return { text, made };
  const standing = own.find(({ name }) => name === SERVER_NAME) ?? own[0];
  const args = movedArguments(call, standing?.entry["args"]);
  const entry = { ...standing?.entry, command: call.program.node, args };
  const name = standing?.name ?? freeName(fieldsOf(settings[SERVERS]));
  const next = standing === undefined ? withTable(text, name, entry) : withEntry(text, name, entry);
  const servers = { ...fieldsOf(settings[SERVERS]), [name]: entry };
  return { text: checked(next, { ...settings, [SERVERS]: servers }), made };
}

function disconnected(before: string, made?: Made): string | undefined {
  const settings = settingsIn(before);
  const own = serversIn(settings);
  if (own.length === 0) return before;
  const servers = { ...fieldsOf(settings[SERVERS]) };
  let text = before;
  for (const { name } of own) {
    delete servers[name];
    for (const block of blocksOf(text).toReversed()) if (isOf(block, name)) text = withoutBlock(text, block);
  }
  const { [SERVERS]: _, ...rest } = settings;
  const isAlone = Object.keys(servers).length === 0 && settingsIn(text)[SERVERS] === undefined;
  checked(text, isAlone ? rest : { ...settings, [SERVERS]: servers });
  return text.trim() === "" && made?.file !== false ? undefined : text;
}

function found(text: string): Found {
  const settings = settingsIn(text);
  const own = serversIn(settings);
  const features = fieldsOf(settings["features"]);
  const turnedOff = ["hooks", "codex_hooks"].filter((key) => features[key] === false);
  const isServerOff = own.some(({ entry }) => entry["enabled"] === false);
  return {
    calls: own.map(({ call }) => call),
    missing: own.length === 0 ? ["its tools"] : [],
    off: [
      ...turnedOff.map((key) => `hooks are turned off (features.${key})`),
      ...(isServerOff ? ["its tools are turned off (enabled)"] : []),
    ],
  };
}

function settingsIn(text: string): Fields {
  try {
    return parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const { line } = error as { line?: unknown };
    const [says = ""] = messageOf(error).split("\n");
    throw new Unusable(says, typeof line === "number" ? line : undefined);
  }
}

function serversIn(settings: Fields): { name: string; entry: Fields; call: OwnCall }[] {
  return Object.entries(fieldsOf(settings[SERVERS])).flatMap(([name, entry]) => {
    const call = isFields(entry) ? ownServer(entry) : undefined;
    return call === undefined ? [] : [{ name, entry: fieldsOf(entry), call }];
  });
}

function freeName(servers: Fields): string {
  let name = SERVER_NAME;
  for (let next = 2; servers[name] !== undefined; next++) name = `${SERVER_NAME}-${next}`;
  return name;
}

/** Behind a blank line; whether the text ends its last line stays as it is. */
function withTable(text: string, name: string, entry: Fields): string {
  const eol = eolOf(text);
  const table = `[${SERVERS}.${name}]\n${stringify(entry).trimEnd()}`.replaceAll("\n", eol);
  const content = text.trimEnd();
  return content === "" ? table + eol + text : content + eol + eol + table + text.slice(content.length);
}

/** The same table with another program and other arguments. */
function withEntry(text: string, name: string, entry: Fields): string {
  return ["command", "args"].reduce((now, key) => {
    const block = blocksOf(now).find((each) => isOf(each, name) && each.path.length === 2);
    const standing = block && statementOf(now, block, key);
    const put = stringify({ [key]: entry[key] }).trimEnd();
    if (standing !== undefined) return now.slice(0, standing.start) + put + now.slice(standing.end);
    if (block === undefined) return now;
    return now.slice(0, block.headerEnd) + eolOf(now) + put + now.slice(block.headerEnd);
  }, text);
}

function isOf({ path }: Block, name: string): boolean {
  return path[0] === SERVERS && path[1] === name;
}

/** With the blank line in front of it; at the very beginning, with the end of its own last line. */
function withoutBlock(text: string, { start, end }: Block): string {
  const eol = eolOf(text);
  const before = text.slice(0, start);
  const behind = text.slice(end);
  if (before === "" || before === "\uFEFF")
    return before + (behind.startsWith(eol) ? behind.slice(eol.length) : behind);
  const gap = before.endsWith(eol + eol) ? eol + eol : before.endsWith(eol) ? eol : "";
  return before.slice(0, before.length - gap.length) + behind;
}

function eolOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? "\n";
}

function checked(text: string, expected: Fields): string {
  let says: string;
  try {
    says = inOrder(settingsIn(text));
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    says = "";
  }
  if (says === inOrder(expected)) return text;
  throw new Unusable(`${SERVERS} is written so that memd cannot change its own table alone`);
}

/** The same for the same settings, in whatever order they stand. */
function inOrder(settings: Fields): string {
  return JSON.stringify(settings, (_key, value: unknown) =>
    isFields(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}
