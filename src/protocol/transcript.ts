/**
 * What the transcripts of model APIs call a message: text in `content`, alone
 * or in blocks, with calls of tools and their results (OpenAI, Anthropic).
 *
 * Pure, and reads only: the fields stay in the message as the host wrote them.
 */
import { defined } from "../model/defined.js";
import type { Attachment, Role, ToolUse } from "../model/message.js";

export interface Transcript {
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
export function transcriptOf(fields: Fields): Transcript | undefined {
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
