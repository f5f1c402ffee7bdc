/**
 * A message: the unit of conversation that must never be lost.
 *
 * Shape only. How files spell it is protocol/, what becomes of it is archive/.
 */
import type { EpochMs } from "./time.js";

export type MessageId = string & { readonly __of: "message" };
export const ROLES = ["user", "agent", "tool", "system"] as const;
export type Role = (typeof ROLES)[number];

export interface ToolUse {
  name: string;
  callId: string;
  input?: unknown;
  result?: unknown;
}

/** So much of a call is shown and found. Source: seed 004. */
export const TOOL_CHARS = { input: 500, result: 1000 } as const;

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

/** All that the message calls or answers. */
export function toolsOf({ tool, moreTools = [] }: Pick<Message, "tool" | "moreTools">): ToolUse[] {
  return tool === undefined ? moreTools : [tool, ...moreTools];
}

/** Of the calls that are told apart from others: some APIs name none. */
export function callIdsOf(message: Pick<Message, "tool" | "moreTools"> | undefined): string[] {
  const tools = message === undefined ? [] : toolsOf(message);
  return [...new Set(tools.map(({ callId }) => callId))].filter((callId) => callId !== "");
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
