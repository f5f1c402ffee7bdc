/** What `opencode export` prints of a session: `{info, messages: [{info, parts}]}`. Pure. */
import { defined } from "../../model/collections.js";
import { type Fields, fieldsOf, objectsIn, stringOf, timeOf } from "../fields.js";
import type { Conversation, ToldMessage } from "../told.js";

export function readOpencode({ info, messages }: Fields): Conversation[] {
  const { id, title, directory } = fieldsOf(info);
  const told = objectsIn(messages).flatMap(messageOf);
  if (told.length === 0) return [];
  return [
    defined({
      id: stringOf(id) ?? "session",
      title: stringOf(title),
      project: stringOf(directory),
      messages: told,
    }),
  ];
}

function messageOf({ info, parts }: Fields, index: number): ToldMessage[] {
  const { id, role, time } = fieldsOf(info);
  if (role !== "user" && role !== "assistant") return [];
  const text = objectsIn(parts)
    .filter(({ type, synthetic, ignored }) => type === "text" && synthetic !== true && ignored !== true)
    .flatMap(({ text: words }) => stringOf(words) ?? [])
    .join("\n")
    .trim();
  const tools = objectsIn(parts).flatMap(({ type, tool: name, callID: callId, state }) =>
    type === "tool" && typeof name === "string" && typeof callId === "string"
      ? [defined({ name, callId, input: fieldsOf(state)["input"], result: fieldsOf(state)["output"] })]
      : [],
  );
  if (text === "" && tools.length === 0) return [];
  return [
    defined({
      id: stringOf(id) ?? `message-${index + 1}`,
      role: role === "user" ? ("user" as const) : ("agent" as const),
      text,
      at: timeOf(fieldsOf(time)["created"]),
      tools: tools.length > 0 ? tools : undefined,
    }),
  ];
}
