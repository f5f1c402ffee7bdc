/**
 * A message: the unit of conversation that must never be lost.
 *
 * Shape only. How files spell it is protocol/, what becomes of it is archive/.
 */
import { type Day, type EpochMs, isoOf, type Zone } from "./time.js";

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

/** A message as a model sees it. Pure; private ones never get here. */
export interface Utterance {
  /** ISO 8601 instant. */
  at: string;
  /** Local `YYYY-MM-DD`. */
  day: Day;
  /** Local `HH:MM`. */
  clock: string;
  role: Role;
  /** Name to show: the speaker, else the user, else the role. */
  name: string;
  text: string;
}

/** Long inputs and results tell a summary nothing more. */
const MOST_TOOL_CHARS = 500;

export function utteranceOf({ message, filedAt }: FiledMessage, zone: Zone): Utterance {
  const uses = toolsOf(message).map(
    (tool) => `[${tool.name}: ${briefly(tool.input)} → ${briefly(tool.result)}]`,
  );
  return {
    at: isoOf(filedAt),
    day: zone.dayOf(filedAt),
    clock: zone.clockOf(filedAt).slice(0, 5),
    role: message.role,
    name: message.speaker ?? message.user ?? message.role,
    text: [shortened(message.text), ...uses].join("\n"),
  };
}

/** A longer text was pasted; its beginning and its end tell what it is. */
const MOST_UTTERED_CHARS = 64_000;
const CUT = " … ";

/** So much of a text as an utterance takes of it, or less. */
export function shortened(text: string, mostChars = MOST_UTTERED_CHARS): string {
  const most = Math.min(mostChars, MOST_UTTERED_CHARS);
  if (text.length <= most) return text;
  const half = Math.floor(most / 2) - CUT.length;
  return `${text.slice(0, half)}${CUT}${text.slice(-half)}`.toWellFormed();
}

function briefly(value: unknown): string {
  if (value === undefined) return "–";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length <= MOST_TOOL_CHARS ? text : `${text.slice(0, MOST_TOOL_CHARS)}…`.toWellFormed();
}
