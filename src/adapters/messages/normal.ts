/**
 * Lists of messages as programs hold them: OpenAI's and Anthropic's, the AI SDK's, LangChain's and
 * memd's own.
 *
 * Pure. The first two and the last memd reads as they are; the others are put into
 * their words.
 */
import { type Fields, fieldsOf, isFields, listOf, objectsIn, stringOf, wordsOf } from "../fields.js";

const LANGCHAIN_ROLES: Readonly<Record<string, string>> = {
  human: "user",
  HumanMessage: "user",
  HumanMessageChunk: "user",
  ai: "agent",
  AIMessage: "agent",
  AIMessageChunk: "agent",
  system: "system",
  SystemMessage: "system",
  tool: "tool",
  ToolMessage: "tool",
};

/** In a shape that memd takes in; undefined for what is no message. */
export function normalMessage(raw: Fields): Fields | undefined {
  if (raw["lc"] !== undefined) return langChain(String(listOf(raw["id"]).at(-1)), fieldsOf(raw["kwargs"]));
  const type = stringOf(raw["type"]);
  if (raw["role"] === undefined && type !== undefined && Object.hasOwn(LANGCHAIN_ROLES, type))
    return langChain(type, isFields(raw["data"]) ? raw["data"] : raw);
  if (Array.isArray(raw["parts"]) && raw["text"] === undefined && raw["content"] === undefined)
    return uiMessage(raw);
  return raw["role"] === undefined &&
    raw["type"] !== "function_call" &&
    raw["type"] !== "function_call_output"
    ? undefined
    : raw;
}

function langChain(type: string, given: Fields): Fields | undefined {
  const role = Object.hasOwn(LANGCHAIN_ROLES, type) ? LANGCHAIN_ROLES[type] : undefined;
  if (role === undefined) return undefined;
  const { content, id, name, tool_call_id: callId } = given;
  const text = wordsOf(content);
  const calls = objectsIn(given["tool_calls"]).flatMap(({ id: call, name: tool, args: input }) =>
    typeof tool === "string" ? [{ name: tool, callId: stringOf(call) ?? "", input }] : [],
  );
  const results =
    role === "tool" ? [{ name: stringOf(name) ?? "", callId: stringOf(callId) ?? "", result: text }] : [];
  return withTools({ id, role, text }, [...calls, ...results]);
}

function uiMessage({ parts, ...given }: Fields): Fields {
  const text = objectsIn(parts)
    .flatMap(({ type, text: words }) => (type === "text" ? (stringOf(words) ?? []) : []))
    .join("\n\n");
  const tools = objectsIn(parts).flatMap(({ type, toolCallId, toolName, input, output }) => {
    const name = type === "dynamic-tool" ? stringOf(toolName) : /^tool-(.+)$/.exec(String(type))?.[1];
    return name === undefined ? [] : [{ name, callId: stringOf(toolCallId) ?? "", input, result: output }];
  });
  return withTools({ ...given, text }, tools);
}

function withTools(message: Fields, [tool, ...more]: readonly Fields[]): Fields {
  const { id, ...rest } = message;
  return {
    ...(stringOf(id) === undefined ? {} : { id }),
    ...rest,
    ...(tool === undefined ? {} : { tool }),
    ...(more.length === 0 ? {} : { moreTools: more }),
  };
}
