/**
 * How a message stands in JSON: lenient on the way in, whole on the way out.
 *
 * A known field of the wrong type is kept among the unknown ones, so nothing a
 * host wrote is dropped. The archive* mirror of history.json is not part of a
 * message; protocol/history.ts owns it.
 */
import {
  ROLES,
  toolsOf,
  type Attachment,
  type IncomingMessage,
  type Message,
  type MessageId,
  type Role,
  type ToolUse,
} from "../model/message.js";
import { transcriptOf } from "./transcript.js";

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
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return undefined;
  const left = new Map(Object.entries(raw).filter(([, value]) => value !== undefined));
  const take = <T>(name: string, read: (value: unknown) => T | undefined): T | undefined => {
    const value = read(left.get(name));
    if (value !== undefined) left.delete(name);
    return value;
  };
  for (const name of ARCHIVE_FIELDS) left.delete(name);
  keepStrangeId(left);
  const told = transcriptOf(raw as Record<string, unknown>);
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
  return { role, text, createdAt, ...withoutUndefined(known) };
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
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { name, callId } = value as Record<string, unknown>;
  return typeof name === "string" && typeof callId === "string" ? (value as ToolUse) : undefined;
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
  const good = value.every(
    (item: unknown) =>
      typeof item === "object" && item !== null && typeof (item as Attachment).kind === "string",
  );
  return good ? (value as Attachment[]) : undefined;
}

/** Own entries that have a value; safe for names such as `__proto__`. */
function withoutUndefined<T extends Record<string, unknown>>(
  fields: T,
): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
