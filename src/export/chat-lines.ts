/**
 * A message as a line of chat JSON, as OpenAI's API calls the fields, with what memd knows beside:
 * `memd import` reads it back. Pure.
 */
import { defined } from "../model/collections.js";
import { type FiledMessage, type Message, type Role, toolsOf, type ToolUse } from "../model/message.js";
import { scopeOf, sessionOf } from "../model/address.js";
import { isoOf } from "../model/time.js";
import { printMessage } from "../protocol/message.js";

const ROLES: Readonly<Record<Role, string>> = {
  user: "user",
  agent: "assistant",
  tool: "tool",
  system: "system",
};

export function chatLine({ message, filedAt, belongsTo }: FiledMessage): Record<string, unknown> {
  // What the host wrote in its own way stays, where it is not said again here.
  const { text: _text, role: _role, content: _content, ...rest } = printMessage(message);
  const user = message.user ?? belongsTo;
  return {
    role: ROLES[message.role],
    content: contentOf(message),
    ...defined({ name: message.speaker ?? (message.role === "user" ? message.user : undefined) }),
    ...callsOf(message),
    ...rest,
    ...defined({ user }),
    createdAt: message.createdAt === "" ? isoOf(filedAt) : (rest["createdAt"] ?? message.createdAt),
    scope: scopeOf(message),
    session: sessionOf(message),
  };
}

/** What a tool gave is what its message says. */
function contentOf(message: Message): string {
  const { text, role } = message;
  if (text !== "" || role !== "tool") return text;
  return toolsOf(message)
    .flatMap(({ result }) => (result === undefined ? [] : [printed(result)]))
    .join("\n");
}

function callsOf(message: Message): Record<string, unknown> {
  const tools = toolsOf(message);
  const [first] = tools;
  if (first === undefined) return {};
  if (message.role === "tool") return { tool_call_id: first.callId };
  return { tool_calls: tools.map(callOf) };
}

function callOf({ name, callId, input }: ToolUse): Record<string, unknown> {
  const called = { name, arguments: printed(input ?? {}) };
  return { id: callId, type: "function", function: called };
}

function printed(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
