/**
 * A message: the unit of conversation that must never be lost.
 *
 * Shape only. How files spell it is protocol/, what becomes of it is archive/.
 */
import type { EpochMs } from "./time.js";

export type MessageId = string & { readonly __of: "message" };
export type ScopeId = string & { readonly __of: "scope" };
/** (scope, id) as one string: what is unique in a workspace. */
export type MessageKey = string & { readonly __of: "key" };

export const ROLES = ["user", "agent", "tool", "system"] as const;
export type Role = (typeof ROLES)[number];

export interface ToolUse {
  name: string;
  callId: string;
  input?: unknown;
  result?: unknown;
}

export interface Attachment {
  kind: string;
  path?: string;
  tokens?: number;
}

/** `false` is the default; `"pending"` while a pass works on it. */
export type Archived = boolean | "pending";

export interface Message {
  id: MessageId;
  role: Role;
  text: string;
  /** As the writer gave it; may be no date at all. */
  createdAt: string;
  /** The sender's id. */
  user?: string;
  /** A name to show. */
  speaker?: string;
  scope?: string;
  session?: string;
  scene?: string;
  private?: boolean;
  tool?: ToolUse;
  /** What it calls or answers beside the first: model APIs put several into one message. */
  moreTools?: ToolUse[];
  attachments?: Attachment[];
  /** Fields memd does not know, kept through every rewrite. */
  extra?: Record<string, unknown>;
}

export const MAIN_SCOPE = "main" as ScopeId;
export const MAIN_SESSION = "main";
export const LOCAL_USER = "local";

export function scopeOf(message: Pick<Message, "scope">): ScopeId {
  return (message.scope ?? MAIN_SCOPE) as ScopeId;
}

export function sessionOf(message: Pick<Message, "session">): string {
  return message.session ?? MAIN_SESSION;
}

/** A group chat is a scope `group:<id>`; everything else is private to its users. */
export function isGroup(scope: string): boolean {
  return scope.startsWith("group:");
}

/** All that the message calls or answers. */
export function toolsOf({ tool, moreTools = [] }: Pick<Message, "tool" | "moreTools">): ToolUse[] {
  return tool === undefined ? moreTools : [tool, ...moreTools];
}

/** Of the calls that are told apart from others: some APIs name none. */
export function callIdsOf(message: Pick<Message, "tool" | "moreTools"> | undefined): string[] {
  const tools = message === undefined ? [] : toolsOf(message);
  return [...new Set(tools.map(({ callId }) => callId))].filter((callId) => callId !== "");
}

export function keyOf(scope: ScopeId, id: MessageId): MessageKey {
  return `${scope}\u0000${id}` as MessageKey;
}

/** The key a message stands under. */
export function keyOfMessage(message: Pick<Message, "scope" | "id">): MessageKey {
  return keyOf(scopeOf(message), message.id);
}

export function scopeOfKey(key: MessageKey): ScopeId {
  return key.slice(0, key.indexOf("\u0000")) as ScopeId;
}

export function idOfKey(key: MessageKey): MessageId {
  return key.slice(key.indexOf("\u0000") + 1) as MessageId;
}

/** A message as a file gave it: the id may still be missing. */
export type IncomingMessage = Omit<Message, "id"> & { id?: MessageId };

export function hasId(message: IncomingMessage | undefined): message is Message {
  return message?.id !== undefined;
}

/** A message with the time and the user it is filed under. */
export interface FiledMessage {
  message: Message;
  /** `createdAt` where that is a date not more than a day ahead, else the time first seen. */
  filedAt: EpochMs;
  /** Whose conversation it is part of: the sender, or the user that an agent, tool or system message answers. */
  belongsTo?: string;
}

/** The user a message belongs to when nothing is known of the conversation around it. */
export function defaultOwnerOf(message: Pick<Message, "user" | "scope">): string | undefined {
  return message.user ?? (isGroup(message.scope ?? MAIN_SCOPE) ? undefined : LOCAL_USER);
}
