/**
 * How a message stands in JSON: lenient on the way in, whole on the way out; and how
 * the transcripts of others are read as one.
 *
 * A known field of the wrong type is kept among the unknown ones, so nothing a
 * host wrote is dropped. The archive* mirror of history.json is not part of a
 * message.
 */
import { defined } from "../model/collections.js";
import {
  type Attachment,
  type IncomingMessage,
  type Message,
  type MessageId,
  type Role,
  ROLES,
  toolsOf,
  type ToolUse,
} from "../model/message.js";

/** Words of other systems for our roles. */
const ROLE_WORDS: Readonly<Record<string, Role>> = {
  assistant: "agent",
  ai: "agent",
  bot: "agent",
  model: "agent",
  human: "user",
  function: "tool",
  developer: "system",
};

export const ARCHIVE_FIELDS = ["archived", "archiveAttempts", "archiveFailedAt", "archiveNextAt"] as const;

/** Undefined when it is no message: not an object, or without a text. */
export function parseMessage(raw: unknown): IncomingMessage | undefined {
  if (!isObject(raw)) return undefined;
  const plain = plainMessage(raw);
  if (plain !== undefined) return plain;
  const left = new Map(Object.entries(raw).filter(([, value]) => value !== undefined));
  const take = <T>(name: string, read: (value: unknown) => T | undefined): T | undefined => {
    const value = read(left.get(name));
    if (value !== undefined) left.delete(name);
    return value;
  };
  for (const name of ARCHIVE_FIELDS) left.delete(name);
  keepStrangeId(left);
  const told = transcriptOf(raw);
  const text = take("text", asString) ?? told?.text;
  if (text === undefined) return undefined;
  const [tool, ...more] = told?.tools ?? [];
  const named = take("role", asRole);
  const role = told?.role ?? named ?? "system";
  const createdAt = take("createdAt", asString) ?? timeOfNumber(left.get("createdAt")) ?? "";
  const known = {
    id: take("id", asName) as MessageId | undefined,
    user: take("user", asName),
    speaker: take("speaker", asString),
    scope: take("scope", asName),
    session: take("session", asName),
    scene: take("scene", asString),
    private: take("private", (value) => (typeof value === "boolean" ? value : undefined)),
    tool: take("tool", asTool) ?? tool,
    moreTools: take("moreTools", asTools) ?? (more.length > 0 ? more : undefined),
    attachments: take("attachments", asAttachments) ?? nonEmpty(told?.attachments),
    extra: left.size > 0 ? Object.fromEntries(left) : undefined,
  };
  return { role, text, createdAt, ...defined(known) };
}

/** What most messages hold, and nothing else, each of them a text. */
const PLAIN: ReadonlySet<string> = new Set([
  "id",
  "role",
  "text",
  "createdAt",
  "user",
  "speaker",
  "scope",
  "session",
]);

/** Read without a look at whatever else there may be: most are such, and there are hundreds of thousands. */
function plainMessage(raw: Record<string, unknown>): IncomingMessage | undefined {
  for (const name in raw) if (!PLAIN.has(name) || typeof raw[name] !== "string") return undefined;
  const { id, text, createdAt, user, speaker, scope, session } = raw as Record<string, string | undefined>;
  const role = asRole(raw["role"]);
  if (role === undefined || text === undefined) return undefined;
  if ([id, user, scope, session].some((name) => name !== undefined && asName(name) === undefined))
    return undefined;
  const message: IncomingMessage = { role, text, createdAt: createdAt ?? "" };
  if (id !== undefined) message.id = id as MessageId;
  if (user !== undefined) message.user = user;
  if (speaker !== undefined) message.speaker = speaker;
  if (scope !== undefined) message.scope = scope;
  if (session !== undefined) message.session = session;
  return message;
}

/** The message as a JSON object; `parseMessage` of it gives the message again. */
export function printMessage(message: IncomingMessage): Record<string, unknown> {
  const { id, role, text, createdAt, extra = {}, ...rest } = message;
  const fields = new Map<string, unknown>(
    Object.entries({ id, role, ...rest, text, createdAt: createdAt === "" ? undefined : createdAt }),
  );
  // Where the host spelt one of these in its own way, that stands as long as it still says the same.
  if (role === "system") fields.delete("role");
  if ((timeOfNumber(extra["createdAt"]) ?? "") === createdAt) fields.delete("createdAt");
  const told = transcriptOf({ ...extra, role });
  if (told?.text === text) fields.delete("text");
  const isTold = (mine: unknown, theirs: unknown): boolean => JSON.stringify(mine) === JSON.stringify(theirs);
  if (isTold(toolsOf(message), told?.tools)) for (const name of ["tool", "moreTools"]) fields.delete(name);
  if (isTold(message.attachments, nonEmpty(told?.attachments))) fields.delete("attachments");
  for (const [name, value] of Object.entries(extra))
    if (fields.get(name) === undefined) fields.set(name, value);
  if (!fields.has("role")) fields.set("role", role);
  return Object.fromEntries([...fields].filter(([, value]) => value !== undefined));
}

/** A message with its id settled. */
export function withId(message: IncomingMessage, id: MessageId): Message {
  return { ...message, id };
}

/** An id that is none (null, an object) makes room for the one memd gives; what it says is kept. */
function keepStrangeId(fields: Map<string, unknown>): void {
  const given = fields.get("id");
  if (asName(given) !== undefined || !fields.delete("id")) return;
  if (given !== null && given !== "" && !fields.has("hostId")) fields.set("hostId", given);
}

function asString(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A name that no front matter would carry back. */
const MOSTLY_BLANK = /\s{100}/;

/** Ids may be numbers in other systems; an empty one, or half a surrogate pair, is none. */
function asName(value: unknown): string | undefined {
  // Larger ones have lost digits on the way in: two of them could be one.
  if (typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return String(value);
  if (typeof value !== "string" || value === "" || !value.isWellFormed()) return undefined;
  return MOSTLY_BLANK.test(value) ? undefined : value;
}

function asRole(value: unknown): Role | undefined {
  if (typeof value !== "string") return undefined;
  if ((ROLES as readonly string[]).includes(value)) return value as Role;
  return Object.hasOwn(ROLE_WORDS, value) ? ROLE_WORDS[value] : undefined;
}

/** Epoch seconds or milliseconds, told apart by size. */
function timeOfNumber(value: unknown): string | undefined {
  if (typeof value !== "number" || !Number.isFinite(value) || value <= 0) return undefined;
  const ms = value < 1e11 ? value * 1000 : value;
  return ms < 8.64e15 ? new Date(ms).toISOString() : undefined;
}

function asTool(value: unknown): ToolUse | undefined {
  if (!isObject(value)) return undefined;
  const { name, callId } = value;
  return typeof name === "string" && typeof callId === "string" ? (value as object as ToolUse) : undefined;
}

function asTools(value: unknown): ToolUse[] | undefined {
  const all = Array.isArray(value) && value.length > 0 ? value.map(asTool) : [undefined];
  return all.every((one) => one !== undefined) ? all : undefined;
}

function nonEmpty<T>(list: T[] | undefined): T[] | undefined {
  return list === undefined || list.length === 0 ? undefined : list;
}

function asAttachments(value: unknown): Attachment[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const good = value.every((item) => isObject(item) && typeof item["kind"] === "string");
  return good ? (value as Attachment[]) : undefined;
}

/**
 * What the transcripts of model APIs call a message: text in `content`, alone
 * or in blocks, with calls of tools and their results (OpenAI, Anthropic).
 *
 * Pure, and reads only: the fields stay in the message as the host wrote them.
 */
interface Transcript {
  text: string;
  tools: ToolUse[];
  attachments: Attachment[];
  /** Whose words they are, whatever the role of the message: results alone are a tool's, a bare call is the agent's. */
  role: Role | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Blocks that are a picture, by their `type`. */
const IMAGES: ReadonlySet<string> = new Set(["image", "image_url", "input_image", "output_image"]);

/** Fields that only such transcripts have. */
const MARKS = ["content", "tool_calls", "function_call", "call_id"] as const;

/** Undefined where there is nothing of the kind. */
function transcriptOf(fields: Fields): Transcript | undefined {
  if (MARKS.every((mark) => fields[mark] === undefined)) return undefined;
  const { content, tool_calls: calls, function_call: call } = fields;
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  const words = typeof content === "string" ? [content] : blocks.flatMap((block) => textOf(block) ?? []);
  const called = [
    ...blocks.flatMap(callOf),
    ...(Array.isArray(calls) ? calls.filter(isObject).flatMap(callOf) : []),
    ...(isObject(call) ? callOf(call) : []),
    ...(fields["type"] === "function_call" ? callOf(fields) : []),
  ];
  const results = [...blocks.flatMap(resultOf), ...answeredBy(fields, words.join("\n"))];
  const attachments = blocks.flatMap(imageOf);
  if (words.length + called.length + results.length + attachments.length === 0) return undefined;
  const areResultsAlone = results.length > 0 && words.length + called.length + attachments.length === 0;
  const text = (areResultsAlone ? results.map(({ result }) => printed(result)) : words).join("\n");
  const isBareCall = fields["role"] === undefined && called.length > 0;
  return {
    text,
    tools: [...called, ...results],
    attachments,
    role: areResultsAlone ? "tool" : isBareCall ? "agent" : undefined,
  };
}

function textOf({ type, text }: Fields): string | undefined {
  const isText = type === "text" || type === "input_text" || type === "output_text";
  return isText && typeof text === "string" ? text : undefined;
}

/** `{id, function: {name, arguments}}`, `{call_id, name, arguments}`, `{id, name, input}`. */
function callOf(block: Fields): ToolUse[] {
  const { type, id, call_id: callId } = block;
  if (type === "tool_use" || type === "server_tool_use") return use(block["name"], id, block["input"]);
  if (type === "function_call") return use(block["name"], callId ?? id, parsed(block["arguments"]));
  const called = isObject(block["function"]) ? block["function"] : undefined;
  if (called !== undefined) return use(called["name"], id, parsed(called["arguments"]));
  // The oldest form has no id.
  const isOldest = type === undefined && id === undefined && typeof block["arguments"] === "string";
  return isOldest ? use(block["name"], "", parsed(block["arguments"])) : [];
}

/** `{type: "tool_result", tool_use_id, content}`; the tool's name stands with the call. */
function resultOf({ type, tool_use_id: callId, content, is_error: isError }: Fields): ToolUse[] {
  if (type !== "tool_result") return [];
  const blocks = Array.isArray(content) ? content.filter(isObject) : undefined;
  const words = blocks?.map((block) => textOf(block) ?? `[${printed(block["type"] ?? "data")}]`).join("\n");
  const result = words ?? content ?? "";
  return use("", callId, undefined, isError === true ? `error: ${printed(result)}` : result);
}

/** A message that is a result: `{role: "tool", tool_call_id, content}`, `{role: "function", name, content}`, `{type: "function_call_output", call_id, output}`. */
function answeredBy({ role, type, name, ...fields }: Fields, text: string): ToolUse[] {
  if (type === "function_call_output") return use("", fields["call_id"], undefined, fields["output"] ?? "");
  if (role === "tool") return use(name ?? "", fields["tool_call_id"], undefined, text);
  return role === "function" ? use(name, "", undefined, text) : [];
}

function use(name: unknown, callId: unknown, input: unknown, result?: unknown): ToolUse[] {
  if (typeof name !== "string" || typeof callId !== "string") return [];
  return [defined({ name, callId, input, result })];
}

/** Arguments come as JSON in a text; what is none stays text. */
function parsed(given: unknown): unknown {
  if (typeof given !== "string") return given;
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

function imageOf({ type, image_url: url, source }: Fields): Attachment[] {
  if (typeof type !== "string" || !IMAGES.has(type)) return [];
  const address = isObject(url) ? url["url"] : (url ?? (isObject(source) ? source["url"] : undefined));
  // A picture inside the message (data:) has no place of its own.
  const isPlace = typeof address === "string" && !address.startsWith("data:");
  return [{ kind: "image", ...(isPlace ? { path: address } : {}) }];
}

function printed(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
